import { readFile } from "node:fs/promises";
import type { ServerResponse } from "node:http";
import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { makeCertificate } from "../../../tests/harness/certificate.ts";
import { folder, folderForEachTest } from "../../../tests/harness/folder.ts";
import { findFreePort } from "../../../tests/harness/free-port.ts";
import type { ConnectedAccountSystem } from "../../config.ts";
import { signAs, startReceiver, type TestReceiver } from "../account-system.fixture.ts";
import { checkAccountSystem } from "./connection-check.ts";

let receiver: TestReceiver;
let receiverTime: Temporal.Instant;
const now = () => Temporal.Now.instant();

beforeEach(async () => {
  receiverTime = now();
  receiver = await startReceiver({ now: () => receiverTime });
});

afterEach(() => receiver[Symbol.asyncDispose]());

/**
 * Returns the findings about sending events. Leaves out the finding about our own URL, at which no
 * server listens in these tests.
 */
async function check(url = receiver.url): Promise<string[]> {
  const config = { ...receiver.config(), url } as ConnectedAccountSystem;
  const findings = await checkAccountSystem(config, "http://127.0.0.1:9/hooks", now);
  return findings.slice(0, -1).map(({ ok, text }) => `${ok ? "good" : "WRONG"}: ${text}`);
}

test("reports that no server listens at the configured URL", async () => {
  expect(await check(`http://127.0.0.1:${await findFreePort()}/hooks`)).toEqual([
    "WRONG: It could not be reached: nobody listens at ACCOUNT_SYSTEM_URL.",
  ]);
});

test("reports that our own URL rejects signed calls", async () => {
  receiver.intercept = (_, response) => response.writeHead(401).end();
  const [, arrives] = await checkAccountSystem(receiver.config(), receiver.url, now);
  expect(arrives?.text).toMatch(
    /^Signed answers do not arrive at .* \(401\): is the server running/,
  );
});

describe("a receiver with one mistake", () => {
  type Call = {
    header(name: string): string;
    /** Whether one of the signatures is right. */
    isSigned: boolean;
    minutesOld: number;
  };

  /** Lets the receiver answer 204 to the pings that it takes, and as `refuse` does to the others. */
  function judgePings(
    takes: (call: Call) => boolean,
    refuse = (response: ServerResponse): unknown => response.writeHead(401).end(),
  ): void {
    receiver.intercept = async (request, response) => {
      const body = await text(request);
      const header = (name: string) => String(request.headers[name] ?? "");
      const seconds = Number(header("webhook-timestamp"));
      const id = header("webhook-id");
      const right = signAs(receiver.secret, body, new Date(seconds * 1000), id);
      const isSigned = header("webhook-signature").split(" ").includes(right["webhook-signature"]);
      const minutesOld = (Date.now() / 1000 - seconds) / 60;
      if (takes({ header, isSigned, minutesOld })) response.writeHead(204).end();
      else refuse(response);
    };
  }

  const isRight = ({ isSigned, minutesOld }: Call) => isSigned && Math.abs(minutesOld) <= 5;

  test.each<[string, (call: Call) => boolean, string]>([
    [
      "takes pings without a signature",
      (call) => isRight({ ...call, isSigned: !call.header("webhook-signature") || call.isSigned }),
      "It took a ping without a signature. Anyone could have accounts deleted",
    ],
    [
      "takes pings that someone else signed",
      (call) => isRight({ ...call, isSigned: call.header("webhook-signature") !== "" }),
      "It took a ping that someone else had signed. Anyone could have accounts deleted",
    ],
    [
      "takes old pings",
      ({ isSigned, minutesOld }) => isSigned && minutesOld > -5,
      "It took a ping of ten minutes ago.",
    ],
    [
      "takes early pings",
      ({ isSigned, minutesOld }) => isSigned && minutesOld < 5,
      "It took a ping from ten minutes ahead.",
    ],
    [
      "expects a single signature",
      (call) => isRight(call) && !call.header("webhook-signature").includes(" "),
      "It did not take a ping with two signatures: did not believe the signature (401).",
    ],
  ])("reports that it %s, and nothing else", async (_, takes, finding) => {
    judgePings(takes);
    const wrong = (await check()).filter((line) => line.startsWith("WRONG"));
    expect(wrong).toEqual([expect.stringContaining(finding)]);
  });

  test.each<[string, (response: ServerResponse) => unknown]>([
    ["answered with an error (500)", (response) => response.writeHead(500).end()],
    ["closed the connection", (response) => response.destroy()],
  ])("doesn't call a wrong ping taken if the receiver %s", async (problem, refuse) => {
    judgePings(isRight, refuse);
    const wrong = (await check()).filter((line) => line.startsWith("WRONG"));
    expect(wrong).toHaveLength(4);
    for (const line of wrong) {
      expect(line).toMatch(/^WRONG: It did not refuse a ping /);
      expect(line).toContain(`: ${problem}. It must answer 401.`);
    }
  });
});

describe("the receiver's clock", () => {
  const off = (minutes: number) => {
    receiverTime = now().add({ minutes });
  };

  test.each([
    [10, "10 minutes ahead of ours"],
    [-12, "12 minutes behind ours"],
  ])("reports a receiver's clock that is %i minutes off", async (minutes, words) => {
    off(minutes);
    receiver.intercept = (_, response) => {
      response.setHeader("Date", new Date(receiverTime.epochMilliseconds).toUTCString());
      response.writeHead(401).end();
    };
    expect(await check()).toEqual([
      `WRONG: It refused a signed ping (401), and its clock is ${words}: set both by NTP.`,
    ]);
  });

  test("doesn't blame the receiver's clock for a rejected signature if the clocks agree", async () => {
    receiver.intercept = (_, response) => response.writeHead(401).end();
    expect(await check()).toEqual([expect.stringContaining("is ACCOUNT_SYSTEM_SECRET the one")]);
  });
});

describe("the account system's certificate", () => {
  folderForEachTest();

  test("rejects a self-signed certificate before sending anything", async () => {
    const { key, certificate } = await makeCertificate(folder);
    let calls = 0;
    const server = createServer(
      { key: await readFile(key), cert: await readFile(certificate) },
      (_, response) => {
        calls++;
        response.end();
      },
    );
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const { port } = server.address() as AddressInfo;
    expect(await check(`https://127.0.0.1:${port}/hooks`)).toEqual([
      "WRONG: It could not be reached: its certificate is self-signed. It needs one that browsers trust; an authority of your own is named in NODE_EXTRA_CA_CERTS here.",
    ]);
    expect(calls).toBe(0);
    // Reports a plain HTTP server behind an https URL.
    const plain = receiver.url.replace("http:", "https:");
    expect(await check(plain)).toEqual([expect.stringContaining("TLS refused")]);
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
});
