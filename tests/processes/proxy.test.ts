import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import {
  createServer,
  type IncomingMessage,
  type RequestOptions,
  request,
  type Server,
} from "node:http";
import { request as requestSecurely } from "node:https";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { connect } from "node:tls";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { findFreePort } from "../harness/free-port.ts";
import { sampleHost as site, startNginx } from "../harness/nginx.ts";

/**
 * Runs a real nginx in front of a server that records requests. The sample configuration differs
 * only in ports, folders and the certificate. Skipped if nginx or openssl isn't installed.
 */

const token = "tOkEn-0123456789-AbCdEf";
const places = [...(process.env.PATH ?? "").split(delimiter), "/usr/sbin"];
const find = (name: string) => places.map((place) => join(place, name)).find(existsSync);
const nginx = process.env.NGINX_PATH ?? find("nginx");
const openssl = find("openssl");

describe.skipIf(!nginx || !openssl)("nginx with the sample configuration", () => {
  let folder: string;
  let proxy: ChildProcess;
  let behind: Server;
  let requests: IncomingMessage[] = [];
  const ports = { http: 0, https: 0, site: 0 };

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "proxy-"));
    for (const name of ["http", "https", "site"] as const) ports[name] = await findFreePort();
    behind = createServer((incoming, answer) => {
      requests.push(incoming);
      incoming.resume().on("end", () => answer.end("the site"));
    }).listen(ports.site, "127.0.0.1");
    await once(behind, "listening");
    proxy = await startNginx(
      { folder, port: ports.https, plainPort: ports.http, upstreams: [ports.site] },
      nginx,
    );
    await vi.waitFor(() => ask("/"), { timeout: 240_000 });
    requests = [];
  });

  afterAll(async () => {
    proxy?.kill();
    behind?.close();
    await rm(folder, { recursive: true });
  });

  type Answer = { status: number; headers: IncomingMessage["headers"]; body: string };

  /** Sends exactly this request. Rejects if the connection closes without a response. */
  async function ask(
    path: string,
    { secure = true, host = site, servername = site, body = "", headers = {} } = {},
  ): Promise<Answer> {
    const options: RequestOptions = {
      host: "127.0.0.1",
      port: secure ? ports.https : ports.http,
      path,
      method: body ? "POST" : "GET",
      headers: { Host: host, ...headers },
      agent: false,
    };
    const sent = secure
      ? requestSecurely({ ...options, servername, rejectUnauthorized: false })
      : request(options);
    sent.end(body);
    const [answer] = (await once(sent, "response")) as [IncomingMessage];
    const chunks = await Array.fromAsync(answer, String);
    return { status: answer.statusCode ?? 0, headers: answer.headers, body: chunks.join("") };
  }

  test.each([
    ["a line break", "/%0d%0aSet-Cookie:%20a=b"],
    ["an HTML page", "/%0d%0a%0d%0a%3Cscript%3Ealert(1)%3C/script%3E"],
    ["an email's link", `/bn/delete-my-account?link=${token}`],
    ["a path that begins like another site", "//evil.example/"],
    ["a path that begins with a backslash", "/\\evil.example"],
  ])("redirects to https without changing %s", async (_, path) => {
    const { status, headers, body } = await ask(path, { secure: false });
    expect({ status, location: headers.location }).toEqual({
      status: 301,
      location: `https://${site}${path}`,
    });
    expect(headers["set-cookie"]).toBeUndefined();
    expect(body).not.toContain("script");
    await ask(path);
    expect(requests.at(-1)?.url).toBe(path);
  });

  test.each([
    ["to another host", { secure: false, host: "evil.example" }],
    ["without a host", { secure: false, host: "" }],
    ["to another host over https", { servername: "evil.example" }],
    ["to another host with this host's certificate", { host: "evil.example" }],
  ])("closes the connection on a request %s", async (_, asking) => {
    const before = requests.length;
    await expect(ask("/", asking)).rejects.toThrow(/hang up|alert|ECONNRESET/);
    expect(requests.length).toBe(before);
  });

  test("forwards the client's real IP address despite a forged header", async () => {
    await ask("/", { headers: { "X-Forwarded-For": "203.0.113.9, 198.51.100.1" } });
    expect(requests.at(-1)?.headers).toMatchObject({ "x-forwarded-for": "127.0.0.1", host: site });
  });

  test("replaces a client's request id and logs the new one", async () => {
    await ask("/", { headers: { "X-Request-Id": "nadia-rahman" } });
    const id = requests.at(-1)?.headers["x-request-id"];
    expect(id).toMatch(/^[\da-f]{32}$/);
    // nginx writes the line only after the response.
    const log = () => readFile(join(folder, "logs/campus.log"), "utf8");
    await expect.poll(log).toMatch(new RegExp(` ${id}\\n$`));
  });

  test("accepts only TLS 1.2 and newer", async () => {
    const shakeHands = (how: object) => {
      const socket = connect({
        port: ports.https,
        servername: site,
        rejectUnauthorized: false,
        ...how,
      });
      return once(socket, "secureConnect").finally(() => socket.destroy());
    };
    await shakeHands({ maxVersion: "TLSv1.2" });
    const old = { minVersion: "TLSv1", maxVersion: "TLSv1.1", ciphers: "DEFAULT@SECLEVEL=0" };
    await expect(shakeHands(old)).rejects.toThrow();
    await expect(
      shakeHands({ maxVersion: "TLSv1.2", ciphers: "ECDHE-ECDSA-AES128-SHA" }),
    ).rejects.toThrow();
  });

  test("logs no token and reveals no version, even while the site is down", async () => {
    const paths = [
      `/delete-my-account?link=${token}`,
      `/operator/requests/${token}`,
      `/operator/enrol%23${token}`,
      `//requests/${token}`,
      `/%6fperator%252Frequests/${token}`,
      `/${token}`,
    ];
    const from = { Referer: `https://${site}/delete-my-account?visit=${token}` };
    const answers: Answer[] = [];
    const requestAll = async () => {
      for (const path of paths) {
        answers.push(await ask(path, { headers: from }));
        answers.push(await ask(path, { headers: from, secure: false }));
      }
    };
    await requestAll();
    answers.push(await ask(`/deletion-requests?${token}`, { body: "a".repeat(200_000) }));
    behind.close();
    behind.closeAllConnections();
    await requestAll();
    expect([...new Set(answers.map(({ status }) => status))].sort()).toEqual([200, 301, 413, 502]);
    for (const { headers, body } of answers)
      expect(`${headers.server} ${body}`).not.toMatch(/\d\.\d+\.\d/);
    const logs = (await readdir(join(folder, "logs"))).map((name) => join(folder, "logs", name));
    const written = (await Promise.all(logs.map((log) => readFile(log, "utf8")))).join("");
    expect(written).toContain(" GET /delete-my-account 200 ");
    expect(written.toLowerCase()).not.toContain("0123456789");
  });
});
