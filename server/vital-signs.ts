import { statfs } from "node:fs/promises";
import { accountChannel } from "./account-system/events.ts";
import { findLongestWaiting, findStanding } from "./account-system/hand-overs.ts";
import { type Calendar, dateAt, findCalendarEnd } from "./calendar/business-days.ts";
import type { Database } from "./database/database.ts";
import { readLastCopies } from "./database/last-copies.ts";
import { listRefusals, type RefusedWay } from "./database/refusals.ts";
import { isHeldByRestore } from "./database/restore-hold.ts";
import type { Read } from "./database/statement.ts";
import { isFilling } from "./deletion-requests/asking/form-quota.ts";
import { listPublishedKeys } from "./deletion-requests/ledger/chain.ts";
import type { DataList } from "./deletion-requests/life/checklist.ts";
import { findAccessChanges } from "./deletion-requests/store/audit-log.ts";
import { countReceived } from "./deletion-requests/store/counts.ts";
import { readStanding, type Standing } from "./deletion-requests/store/standing.ts";
import { mailChannels } from "./deletion-requests/telling/mail-channels.ts";
import { findNobodyThere } from "./deletion-requests/telling/presence.ts";
import { leastFreeBytes, patienceMs } from "./health.ts";
import type { Keys } from "./keys/keys.ts";
import { listOperators } from "./operators/operators.ts";
import { findUnsent, listFailing, listTroubled } from "./outbox/outbox.ts";

/**
 * What an operator looks at to know how the service is, each with what it says and whether it needs somebody. Where
 * `/healthz` tells a program what is broken now, this also tells a person what will be.
 */
export type VitalSign = SignFacts & {
  /** "soon" is for this week; "now" is what every page of the operators says until somebody has seen to it. */
  needs: "nothing" | "soon" | "now";
};

type SignFacts =
  /** What was promised, and whether each date still holds. */
  | ({ kind: "late" } & Standing)
  | { kind: "mail"; waitingSince: Temporal.Instant | undefined; troubled: number }
  | {
      kind: "account-system";
      connected: boolean;
      answeredAt: Temporal.Instant | undefined;
      /** Since when it has taken nothing, and since when somebody's answer is waited for. */
      waitingSince: Temporal.Instant | undefined;
      unansweredSince: Temporal.Instant | undefined;
      /** What it said last instead of taking something, as stored. */
      problem: string;
      stoppedAt: Temporal.Instant | undefined;
    }
  /** @param oldest the date of the oldest copy beside the last; undefined where none was looked for */
  | {
      kind: "backup" | "export";
      madeAt: Temporal.Instant | undefined;
      oldest: Temporal.PlainDate | undefined;
    }
  | { kind: "disk"; freeBytes: number }
  /** The last holiday that moves, undefined while it is far away; "none" where there are no holidays at all. */
  | { kind: "calendar"; end: Temporal.PlainDate | "none" | undefined }
  | { kind: "keys"; since: Temporal.Instant | undefined }
  | { kind: "presence"; day: Temporal.PlainDate | undefined }
  | { kind: "restore"; held: boolean }
  | { kind: "clock"; doubted: boolean }
  | { kind: "unconfirmed"; count: number; most: number }
  /** Of the last days: who was refused, and how often it was changed who may come in. */
  | {
      kind: "security";
      signIns: number;
      signatures: number;
      changes: number;
      newestAt: Temporal.Instant | undefined;
    };

/** A copy is made every night; one may fail. */
const copyHours = { soon: 36, now: 72 };
/** So long a new site has its list of what to set up, before a copy that was never made is an alarm. */
const setUpDays = 14;
/** For copying a store of some size, and for a log that nobody empties. */
const littleFreeBytes = 1024 * 2 ** 20;
/** docs/operations.md: keys are replaced once a year. */
const keyMonths = { soon: 11, now: 13 };
/** A due date lies at most so far ahead, so that a calendar that ends sooner makes wrong promises. */
const calendarDays = 31;
/** How far back it is told who was refused, today included. */
const securityDays = 7;
/** So many refusals in a day are no slips. */
const manyRefusals = 50;
/** How long an answer is good enough: every page of the operators asks. */
const keepMs = 2000;

export function createVitalSigns(services: {
  database: Database;
  dataDir: string;
  keys: Keys;
  calendar: Calendar;
  dataList: Pick<DataList, "backupDays">;
  clock: () => Temporal.Instant;
  /** Whether nothing is erased at present, because the clock cannot be believed. */
  isErasingHeld: () => boolean;
  hasAccountSystem: boolean;
  /** For how many unconfirmed requests there is room. */
  maxUnconfirmed: number;
}): () => Promise<VitalSign[]> {
  const { database, keys, calendar, clock } = services;

  async function read(): Promise<VitalSign[]> {
    const now = clock();
    const today = dateAt(calendar, now);
    const { read } = database;
    const hoursSince = (at: Temporal.Instant) => now.since(at).total("hours");
    const isLong = (since: Temporal.Instant | undefined) =>
      since !== undefined && now.epochMilliseconds - since.epochMilliseconds > patienceMs;

    const unsent = await findUnsent(read, mailChannels);
    const { count: troubled } = await listTroubled(read, 1, mailChannels);
    const untaken = services.hasAccountSystem
      ? await findUnsent(read, [accountChannel])
      : undefined;
    const { stoppedAt, answeredAt } = await findStanding(read);
    const unanswered = services.hasAccountSystem ? await findLongestWaiting(read) : undefined;
    const [failing] = await listFailing(read, 1, [accountChannel]);
    const [stuck] = (await listTroubled(read, 1, [accountChannel])).first;
    const isSilent = isLong(untaken?.since) || isLong(unanswered?.since);
    const copies = await readLastCopies(read);
    const [first] = await listOperators(read);
    const isNew = first === undefined || hoursSince(first.addedAt) < 24 * setUpDays;
    const copy = (kind: "backup" | "export"): VitalSign => {
      const { madeAt, oldestAt } = copies[kind] ?? {};
      const hours = madeAt ? hoursSince(madeAt) : Number.POSITIVE_INFINITY;
      const oldest = oldestAt && dateAt(calendar, oldestAt);
      const isOverdue = oldest && oldest.until(today).days >= services.dataList.backupDays;
      const isLate = isOverdue || (hours > copyHours.now && (madeAt !== undefined || !isNew));
      return {
        kind,
        madeAt,
        oldest,
        needs: isLate ? "now" : hours > copyHours.soon ? "soon" : "nothing",
      };
    };
    const disk = await statfs(services.dataDir);
    const freeBytes = disk.bavail * disk.bsize;
    const newest = Math.max(...keys.versions);
    const since = (await listPublishedKeys(read)).find(({ version }) => version === newest)?.since;
    const monthsOfKey = since
      ? dateAt(calendar, since).until(today, { largestUnit: "months" }).months
      : 0;
    const day = await findNobodyThere(read, calendar, today);

    const standing = await readStanding(read, { today });

    return [
      { kind: "late", ...standing, needs: standing.late > 0 ? "now" : "nothing" },
      {
        kind: "mail",
        waitingSince: unsent.since,
        troubled,
        needs:
          unsent.unwritable || isLong(unsent.since) ? "now" : troubled > 0 ? "soon" : "nothing",
      },
      {
        kind: "account-system",
        connected: services.hasAccountSystem,
        answeredAt,
        waitingSince: untaken?.since,
        unansweredSince: unanswered?.since,
        problem: (failing ?? stuck)?.lastProblem ?? "",
        stoppedAt,
        needs: services.hasAccountSystem && (stoppedAt || stuck || isSilent) ? "now" : "nothing",
      },
      copy("backup"),
      copy("export"),
      {
        kind: "disk",
        freeBytes,
        needs:
          freeBytes < leastFreeBytes ? "now" : freeBytes < littleFreeBytes ? "soon" : "nothing",
      },
      calendarSign(calendar, today),
      {
        kind: "keys",
        since,
        needs:
          monthsOfKey >= keyMonths.now ? "now" : monthsOfKey >= keyMonths.soon ? "soon" : "nothing",
      },
      { kind: "presence", day, needs: day ? "now" : "nothing" },
      await securitySign(read, calendar, today),
      ...exceptions(await isHeldByRestore(read), services.isErasingHeld()),
      ...roomSign(await countReceived(read), services.maxUnconfirmed),
    ];
  }

  let kept: { at: number; signs: Promise<VitalSign[]> } | undefined;
  return () => {
    const at = performance.now();
    if (!kept || at - kept.at > keepMs) {
      const signs = read();
      kept = { at, signs };
      // What could not be read is asked again at once.
      signs.catch(() => {
        kept = undefined;
      });
    }
    return kept.signs;
  };
}

function calendarSign(calendar: Calendar, today: Temporal.PlainDate): VitalSign {
  const found = findCalendarEnd(calendar, today);
  if (found === undefined || found === "none") {
    return { kind: "calendar", end: found, needs: found ? "soon" : "nothing" };
  }
  const end = Temporal.PlainDate.from(found);
  return { kind: "calendar", end, needs: today.until(end).days < calendarDays ? "now" : "soon" };
}

async function securitySign(
  read: Read,
  calendar: Calendar,
  today: Temporal.PlainDate,
): Promise<VitalSign> {
  const from = today.subtract({ days: securityDays - 1 });
  const refusals = await listRefusals(read, { from });
  const changed = await findAccessChanges(read, {
    since: from.toZonedDateTime(calendar.timeZone).toInstant(),
  });
  const countOf = (wanted: RefusedWay) =>
    refusals.reduce((sum, { way, count }) => (way === wanted ? sum + count : sum), 0);
  const [newestAt] = [...refusals.map((one) => one.newestAt), changed.newestAt]
    .filter((at) => at !== undefined)
    .sort((one, other) => Temporal.Instant.compare(other, one));
  // Whoever tried yesterday evening is looked for this morning.
  const recent = today.subtract({ days: 1 });
  const isMuch = refusals.some(
    ({ day, count }) => count >= manyRefusals && Temporal.PlainDate.compare(day, recent) >= 0,
  );
  return {
    kind: "security",
    signIns: countOf("sign-in"),
    signatures: countOf("signature"),
    changes: changed.count,
    newestAt,
    needs: isMuch ? "soon" : "nothing",
  };
}

/** Shown only while it fills. */
function roomSign(count: number, most: number): VitalSign[] {
  return isFilling(count, most) ? [{ kind: "unconfirmed", count, most, needs: "now" }] : [];
}

/** What is shown only while it is so. */
function exceptions(held: boolean, doubted: boolean): VitalSign[] {
  return [
    ...(held ? [{ kind: "restore", held, needs: "now" } as const] : []),
    ...(doubted ? [{ kind: "clock", doubted, needs: "now" } as const] : []),
  ];
}
