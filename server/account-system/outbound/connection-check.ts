import { randomBytes, randomUUID } from "node:crypto";
import type { ConnectedAccountSystem } from "../../config.ts";
import { Secret } from "../../platform/crypto/keys.ts";
import { toText } from "../../platform/database/rows.ts";
import { sign, toleranceSeconds } from "../contract/signature.ts";
import type { WrittenEvent } from "./events.ts";
import { nameFailure, patienceMs, type SentEvent, send } from "./sender.ts";

/** Checks both directions of the connection and explains any problems. Changes no data. */

export type Finding = { ok: boolean; text: string };

const finding = (ok: boolean, good: string, bad: string): Finding => ({
  ok,
  text: ok ? good : bad,
});

/** Timeout for the call of our own hook, in milliseconds. */
const hookPatienceMs = 10_000;

/** @param hook absolute URL at which the account system calls us */
export async function checkAccountSystem(
  config: ConnectedAccountSystem,
  hook: string,
  now: () => Temporal.Instant,
): Promise<Finding[]> {
  const outward = config.url === undefined ? [] : await checkSending(config, now);
  return [...outward, ...(await checkHook(config, hook, now()))];
}

async function checkSending(
  config: { url: string; secrets: readonly Secret[] },
  now: () => Temporal.Instant,
): Promise<Finding[]> {
  const ping = ({ secrets = config.secrets, minutes = 0 }: Ping = {}) => {
    const id = `ping_${randomUUID()}`;
    const at = now().add({ minutes });
    const event: WrittenEvent = {
      type: "account.deletion.ping",
      timestamp: toText(at),
      data: { id, test: true },
    };
    const to = { url: config.url, secrets };
    return send(to, { id, body: JSON.stringify(event) }, at);
  };

  const right = await ping();
  if (right.problem !== undefined) return [{ ok: false, text: explain(right, now()) }];
  const findings = [{ ok: true, text: `It took a signed ping (${right.status}).` }];
  const stranger = new Secret(`whsec_${randomBytes(24).toString("base64")}`);
  const both = await ping({ secrets: [stranger, ...config.secrets] });
  findings.push(
    finding(
      both.problem === undefined,
      `It took a ping with two signatures, as while a secret is replaced (${both.status}).`,
      `It did not take a ping with two signatures: ${both.problem}. While a secret is replaced, events have two, and one right signature must be enough.`,
    ),
  );
  for (const { name, danger, ...change } of listForbidden(stranger)) {
    findings.push(judgeForbidden(await ping(change), name, danger));
  }
  return findings;
}

/** Deviations from a correct ping. `minutes` is the ping's time, from now. */
type Ping = { secrets?: readonly Secret[]; minutes?: number };

const forgery =
  "Anyone could have accounts deleted: it must check the signature over the raw body.";
const tooOld =
  "Anyone who overhears one could send it again: it must refuse a webhook-timestamp more than five minutes from its clock.";
const tooEarly = "It must refuse a webhook-timestamp more than five minutes from its clock.";

/** Lists pings that an account system must refuse, and the danger if it takes them. */
function listForbidden(stranger: Secret): (Ping & { name: string; danger: string })[] {
  const minutes = (2 * toleranceSeconds) / 60;
  return [
    { name: "a ping without a signature", secrets: [], danger: forgery },
    { name: "a ping that someone else had signed", secrets: [stranger], danger: forgery },
    { name: "a ping of ten minutes ago", minutes: -minutes, danger: tooOld },
    { name: "a ping from ten minutes ahead", minutes, danger: tooEarly },
  ];
}

function judgeForbidden(sent: SentEvent, name: string, danger: string): Finding {
  if (isRefused(sent)) return { ok: true, text: `It refused ${name} (${sent.status}).` };
  const text =
    sent.problem === undefined
      ? `It took ${name}. ${danger}`
      : `It did not refuse ${name}: ${sent.problem}. It must answer 401.`;
  return { ok: false, text };
}

/**
 * If the clocks differ by less than this many seconds, the difference can't be why the receiver
 * refused a ping.
 */
const nearSeconds = toleranceSeconds - 30;

function isRefused(sent: SentEvent): boolean {
  return sent.status !== undefined && sent.status >= 400 && sent.status < 500;
}

function explain(sent: SentEvent, now: Temporal.Instant): string {
  const { status, problem } = sent;
  if (status === undefined && problem?.startsWith("certificate")) {
    return `It could not be reached: its ${problem}. It needs one that browsers trust; an authority of your own is named in NODE_EXTRA_CA_CERTS here.`;
  }
  if (problem === "too slow") {
    return `It did not answer within ${patienceMs / 1000} seconds: it must answer 2xx right away, then work.`;
  }
  if (status === undefined) return `It could not be reached: ${problem}.`;
  if (status === 410) {
    return "It answers that it is gone (410): we send nothing until someone runs resume. Is ACCOUNT_SYSTEM_URL still right?";
  }
  if (status >= 300 && status < 400) {
    return `It redirects (${status}), which is not followed: set ACCOUNT_SYSTEM_URL to where it leads.`;
  }
  // Seconds by which the receiver's clock is ahead of ours.
  const apart = sent.receiverTime?.since(now).total("seconds") ?? 0;
  if (isRefused(sent) && Math.abs(apart) > nearSeconds) {
    const minutes = Math.round(Math.abs(apart) / 60);
    return `It refused a signed ping (${status}), and its clock is ${minutes} minutes ${apart > 0 ? "ahead of" : "behind"} ours: set both by NTP.`;
  }
  if (status === 401 || status === 403 || status === 400) {
    return `It did not believe our signature (${status}): is ACCOUNT_SYSTEM_SECRET the one that it has, does it decode it from base64 after whsec_, does it check the raw body rather than the parsed one, and is its clock right?`;
  }
  if (status === 404 || status === 405) {
    return `Nothing takes events at that address (${status}): check the path of ACCOUNT_SYSTEM_URL.`;
  }
  return `It answered ${status} where a 2xx was wanted.`;
}

/** Calls our own hook about an unknown job, as the account system would. */
async function checkHook(
  config: ConnectedAccountSystem,
  hook: string,
  now: Temporal.Instant,
): Promise<Finding[]> {
  const body = JSON.stringify({
    type: "account.deletion.received",
    data: { id: `ping_${randomUUID()}` },
  });
  const call = (query: string, init: RequestInit) => {
    const signal = AbortSignal.timeout(hookPatienceMs);
    return fetch(hook + query, { ...init, redirect: "manual", signal });
  };
  try {
    const signed = sign(config.inboundSecrets.slice(0, 1), `ping_${randomUUID()}`, now, body);
    const headers = { "Content-Type": "application/json", ...signed };
    const answered = await call("", { method: "POST", body, headers });
    const problem = (await answered.json().catch(() => ({}))) as { type?: string };
    const arrives = finding(
      problem.type?.endsWith("#unknown-request") ?? false,
      `Signed answers arrive at ${hook}.`,
      `Signed answers do not arrive at ${hook} (${answered.status}): is the server running with these settings, and does the proxy pass /hooks/ on?`,
    );
    if (!config.pollToken) return [arrives];
    const fetched = await call("?limit=0", {
      headers: { Authorization: `Bearer ${config.pollToken.reveal()}` },
    });
    await fetched.body?.cancel();
    return [
      arrives,
      finding(
        fetched.ok,
        "Events can be fetched there with the token.",
        `Events cannot be fetched there with the token (${fetched.status}).`,
      ),
    ];
  } catch (error) {
    const because = nameFailure(error).replaceAll("ACCOUNT_SYSTEM_URL", "PUBLIC_URL");
    const text = `Our own ${hook} could not be tried from here: ${because}. The account system must be able to reach it.`;
    return [{ ok: false, text }];
  }
}
