import { mkdir, mkdtempDisposable } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { postPaths } from "../harness/campus.ts";
import {
  type AttackedServer,
  nextMessage,
  startAttackedServer,
  startProgram,
} from "./attacked-server.ts";
import type { Attack, Form } from "./attacks.ts";
import type { Target } from "./client.ts";
import type { Probes, Probing } from "./prober.ts";

/**
 * Limit on the 99th percentile of other visitors' waits, in milliseconds. The short run loads so
 * few pages that one hiccup of the machine would exceed the long run's limit.
 */
export const pageLimitMs = { long: 250, short: 1_000 };
/**
 * On a busy machine, both servers are slow. The limit is therefore at least this multiple of the
 * bare server's 99th percentile during the attack.
 */
const bareFactor = { long: 6, short: 10 };
export const memoryLimitMb = 300;

const everyMs = 25;
/** One page of each kind, and one file. */
const visitedPages = [
  "/",
  "/blog",
  "/delete-my-account",
  postPaths[0] ?? "/blog",
  "/faq",
  "/privacy-policy",
  "/favicon.ico",
];

export type Outcome = Awaited<ReturnType<typeof measure>>;

/** Runs one attack on a fresh server while a prober loads pages. */
export async function runAttack(attack: Attack, form: Form): Promise<Outcome> {
  const seconds = attack.seconds[form];
  if (seconds === undefined) throw new Error(`${attack.name}: only in the long run`);
  await using folder = await mkdtempDisposable(join(tmpdir(), "abuse-"));
  const dataDir = join(folder.path, "data");
  await mkdir(dataDir, { mode: 0o700 });
  await attack.prepare?.(dataDir);
  const logFile = join(folder.path, "log");
  await using server = await startAttackedServer({ ...attack, dataDir, logFile });
  return await measure(attack, form, server, { port: server.port, seconds, dataDir });
}

async function measure(attack: Attack, form: Form, server: AttackedServer, target: Target) {
  // Warms the page cache before the attack.
  for (const page of [...visitedPages, ...visitedPages]) {
    if (server.ending()) break;
    await fetch(`http://127.0.0.1:${target.port}${page}`).then((answer) => answer.arrayBuffer());
  }
  const bare = startProgram("measurer", "bare-server.ts");
  const barePort = await nextMessage<number>(bare);
  const probing: Probing = { port: target.port, barePort, pages: visitedPages, everyMs };
  const prober = startProgram("measurer", "prober.ts", JSON.stringify(probing));
  await nextMessage<"ready">(prober);
  const attacker = startProgram("attacker", "attacker.ts", attack.name, JSON.stringify(target));
  const code = await new Promise((resolve) => attacker.once("exit", resolve));
  if (code !== 0) throw new Error(`The attacker of "${attack.name}" failed with code ${code}`);
  prober.send("enough");
  const probes = await nextMessage<Probes>(prober);
  bare.disconnect();

  const waits = summary(probes.waitsMs);
  const { p50: bareP50, p99: bareP99 } = summary(probes.bareWaitsMs);
  const timesBare = medianOf(probes.waitsMs) / medianOf(probes.bareWaitsMs);
  const { mostTimesBare = Number.POSITIVE_INFINITY } = attack;
  const limitMs = Math.max(pageLimitMs[form], Math.round(bareFactor[form] * bareP99));
  const peakMb = server.peakMb();
  const ending = server.ending();
  return {
    attack: attack.name,
    waits,
    bareP50,
    bareP99,
    timesBare,
    limitMs,
    failures: probes.failures,
    peakMb,
    /** The exceeded limits. Empty if the site withstood the attack. */
    broken: [
      ...(waits.p99 > limitMs ? [`p99 ${waits.p99} ms`] : []),
      ...(timesBare > mostTimesBare ? [`p50 ${timesBare.toFixed(1)} times a bare server's`] : []),
      ...(peakMb > memoryLimitMb ? [`${peakMb} MB`] : []),
      ...(ending ? [`the server ${ending}`] : []),
    ],
  };
}

function medianOf(waitsMs: number[]): number {
  return waitsMs.toSorted((a, b) => a - b)[Math.floor(waitsMs.length / 2)] ?? 0;
}

function summary(waitsMs: number[]) {
  const sorted = waitsMs.toSorted((a, b) => a - b);
  const at = (share: number) =>
    Math.round(sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0);
  return { p50: at(0.5), p99: at(0.99), max: at(1), count: sorted.length };
}
