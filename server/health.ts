import { statfs } from "node:fs/promises";
import { findLongestWaiting } from "./account-system/hand-overs.ts";
import type { Database, StoreTrouble } from "./database/database.ts";
import { isHeldByRestore } from "./database/restore-hold.ts";
import { isFilling } from "./deletion-requests/asking/form-quota.ts";
import { countReceived } from "./deletion-requests/store/counts.ts";
import { mailChannels } from "./deletion-requests/telling/mail-channels.ts";
import { findUnsent } from "./outbox/outbox.ts";

/** How the server is, for whoever watches over it and for anybody who asks: no word about a person. */
export type Health = {
  /** Unavailable: nothing can be stored. Degraded: it serves, and somebody should look. */
  status: "ok" | "degraded" | "unavailable";
  /** One sentence each. */
  problems: string[];
};

const storeProblems: Record<StoreTrouble, string> = {
  gone: "The database was removed or replaced while the server was running.",
  unreadable: "The database cannot be read.",
  unwritable: "The database cannot be written.",
};

/** Mail that could not leave for so long is trouble. */
export const patienceMs = 60 * 60_000;
/** Room for some thousand requests and for copying a small store. */
export const leastFreeBytes = 64 * 2 ** 20;
/** How long an answer to the slower questions is good enough, however often they are asked. */
const keepMs = 1000;

export function createHealth(services: {
  database: Database;
  dataDir: string;
  clock: () => Temporal.Instant;
  /** Whether nothing is erased at present, because the clock cannot be believed. */
  isErasingHeld: () => boolean;
  /** Whether an account system is to answer. */
  hasAccountSystem?: boolean;
  /** For how many unconfirmed requests there is room. */
  maxUnconfirmed: number;
}): () => Promise<Health> {
  const { database, clock, maxUnconfirmed } = services;
  let kept: { at: number; problems: Promise<string[]> } | undefined;

  async function findProblems(): Promise<string[]> {
    const now = clock();
    const disk = await statfs(services.dataDir);
    const unsent = await findUnsent(database.read, mailChannels);
    const unconfirmed = await countReceived(database.read);
    const unanswered = services.hasAccountSystem
      ? await findLongestWaiting(database.read)
      : undefined;
    const waits = (since: Temporal.Instant | undefined) =>
      since !== undefined && now.epochMilliseconds - since.epochMilliseconds > patienceMs;
    return [
      ...(disk.bavail * disk.bsize < leastFreeBytes ? ["The disk is almost full."] : []),
      ...(waits(unsent.since) ? ["Mail has been waiting for more than an hour."] : []),
      ...(waits(unanswered?.since)
        ? ["The account system has answered nothing for more than an hour."]
        : []),
      ...(unsent.unwritable ? ["There is mail that cannot be written."] : []),
      ...(isFilling(unconfirmed, maxUnconfirmed)
        ? [
            `Of the room for ${maxUnconfirmed} unconfirmed requests half or more is taken: ${unconfirmed}.`,
          ]
        : []),
      ...((await isHeldByRestore(database.read))
        ? ["A copy was put back, and nobody has confirmed what came back: nothing leaves."]
        : []),
      ...(services.isErasingHeld() ? ["Nothing is erased, because the clock is in doubt."] : []),
    ];
  }

  return async () => {
    const trouble = await database.findTrouble();
    if (trouble) return { status: "unavailable", problems: [storeProblems[trouble]] };
    const at = performance.now();
    if (!kept || at - kept.at > keepMs) kept = { at, problems: findProblems() };
    const problems = await kept.problems;
    return { status: problems.length > 0 ? "degraded" : "ok", problems };
  };
}
