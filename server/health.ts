import { statfs } from "node:fs/promises";
import type { ProductWords } from "../words/keys.d.ts";
import { findStanding, listUnknownJobs } from "./account-system/deletion-jobs.ts";
import { accountChannel } from "./account-system/outbound/events.ts";
import { findSilence } from "./account-system/reconciliation.ts";
import { readFound } from "./deletion-requests/jobs/restore.ts";
import { listPublishedKeys } from "./deletion-requests/ledger/entries.ts";
import { mailChannels } from "./deletion-requests/mails/mails.ts";
import { findAccessChanges } from "./deletion-requests/repository/audit-log.ts";
import { findUnstaffedDays } from "./deletion-requests/repository/presence.ts";
import {
  countByState,
  countReceived,
  type RequestCounts,
} from "./deletion-requests/repository/requests.ts";
import { countGraces } from "./deletion-requests/repository/restore-letters.ts";
import { isFilling } from "./deletion-requests/self-service/submitting.ts";
import { placesWithoutHow } from "./deletion-requests/state-machine/checklist.ts";
import { findUnsent, listFailing, listTroubled } from "./delivery/outbox.ts";
import type { Foundation } from "./open.ts";
import { dateAt, findCalendarEnd } from "./platform/calendar/business-days.ts";
import type { StoreTrouble } from "./platform/database/database.ts";
import { type CopyKind, readLastBackups } from "./platform/database/last-backups.ts";
import { listRefusals, type RefusedWay } from "./platform/database/refusal-counts.ts";
import { findUnconfirmedRestore } from "./platform/database/restore-hold.ts";
import { everything } from "./platform/database/statement.ts";
import { errorName } from "./platform/database/storage-errors.ts";
import { listOperators } from "./team/roster/operators.ts";

/**
 * A sign of the service's health. The Health page shows all signs to operators, the banner counts
 * the signs that need action, and `/healthz` publishes what is broken, without personal data.
 */
export type HealthSign =
  | LateSign
  | { [Kind in keyof SentenceKeys]: SignOf<Kind> }[keyof SentenceKeys];

/** Sign about open requests and their due dates. */
type LateSign = { kind: "late"; needs: Needs; standing: RequestCounts };

/**
 * When an operator must act. "soon" means this week. "now" is shown on every operator page until
 * the problem is solved.
 */
type Needs = "nothing" | "soon" | "now";

type SignOf<Kind extends keyof SentenceKeys> = {
  kind: Kind;
  needs: Needs;
  /** Sentences about the sign, each with values for its placeholders. */
  says: [key: SentenceKeys[Kind], values?: Record<string, SignValue>][];
  /** Shell command that helps to solve the problem. */
  command?: string;
};

/**
 * A value for a placeholder. A string is a stored delivery problem or a list of places in the data
 * list. A number named `size` is in bytes.
 */
export type SignValue = Temporal.Instant | Temporal.PlainDate | number | string;

type HealthWords = ProductWords["operator"]["watch"]["health"];

/**
 * Keys of the sentences that each kind of sign may use. Backups and exports share some sentences.
 */
export type SentenceKeys = {
  [Kind in Exclude<keyof HealthWords, "machine" | "late" | "copies">]: Exclude<
    keyof HealthWords[Kind] | (Kind extends CopyKind ? keyof HealthWords["copies"] : never),
    "title" | "todo"
  >;
};

/**
 * Status of the site. "unavailable" means that the database is missing, or can't be read or
 * written. "degraded" means that the site works but an operator must act.
 */
type HealthStatus = { status: "ok" | "degraded" | "unavailable"; problems: string[] };

const storeProblems: Record<StoreTrouble, string> = {
  gone: "The database was removed or replaced while the server was running.",
  unreadable: "The database cannot be read.",
  unwritable: "The database cannot be written.",
};

/**
 * Public descriptions of signs that need action now. Signs about due dates, the calendar, keys,
 * operators or refused calls have no public description.
 */
const broken: Partial<Record<HealthSign["kind"], string>> = {
  mail: "Email has been unsent for more than an hour, or can't be rendered.",
  accountSystem: "The account system gets no events, or has not answered for more than an hour.",
  backup: "No backup was made for three days, or a backup contains data for longer than promised.",
  export: "No export of the ledger was made for three days, or an export is kept for too long.",
  disk: "The disk is almost full.",
  restore:
    "The database was restored, copied or truncated. Nothing is sent until an operator confirms it.",
  lost: "The account system has named deletions for requests that are not in this database, and no operator has checked them.",
  clock: "Nothing is erased, because the clock is in doubt.",
  unconfirmed: "Unconfirmed requests have reached half of their limit.",
};

/**
 * Time after which an unsent message counts as a problem, in milliseconds. `findSilence` has its
 * own limit for unanswered events.
 */
const patienceMs = 60 * 60_000;
/**
 * Maximum age of the newest backup and of the newest export, in hours. Both run nightly, and a
 * single failed run is tolerated.
 */
const copyHours = { soon: 36, now: 72 };
/** Days during which a new site may have no backup. The team needs this time for the setup. */
const setUpDays = 14;
/**
 * Minimum free disk space, in bytes. `now` is enough for about a thousand requests and a backup of
 * a small database. `soon` is enough for a larger database and a log that is never rotated.
 */
const leastFreeBytes = { now: 64 * 2 ** 20, soon: 1024 * 2 ** 20 };
/** Maximum age of a key, in months. docs/put-it-online.md says to replace keys once a year. */
const keyMonths = { soon: 11, now: 13 };
/** Number of days that the calendar must still cover. Due dates are up to this many days ahead. */
const calendarDays = 31;
/** Number of days, including today, for which refused calls and sign-ins are shown. */
const securityDays = 7;
/** Number of refusals per day that mistakes alone can't explain. */
const manyRefusals = 50;
/**
 * How long a result is cached, in milliseconds. Every operator page and every call to `/healthz`
 * reads the result.
 */
const keepMs = 1000;

type HealthServices = Pick<
  Foundation,
  "database" | "dataDir" | "keys" | "calendar" | "dataList" | "languages" | "clock"
> & {
  /** Returns whether erasure is on hold because the clock can't be trusted. */
  isErasingHeld: () => boolean;
  hasAccountSystem: boolean;
  maxUnconfirmed: number;
};

export function createHealth(services: HealthServices) {
  const { database } = services;
  let kept: { at: number; signs: Promise<HealthSign[]> } | undefined;

  async function readSigns(): Promise<HealthSign[]> {
    const moment = await readMoment(services);
    const standing = await countByState(moment.read, { today: moment.today });
    const signs: HealthSign[] = [
      { kind: "late", standing, needs: needsOf({ now: standing.late > 0 }) },
    ];
    for (const [kind, find] of Object.entries(signReaders)) {
      const found = await find(moment);
      if (found) signs.push({ kind, ...found } as HealthSign);
    }
    return signs;
  }

  function signs(): Promise<HealthSign[]> {
    const at = performance.now();
    if (!kept || at - kept.at > keepMs) {
      const found = readSigns();
      kept = { at, signs: found };
      // Doesn't cache a failed check.
      found.catch(() => {
        kept = undefined;
      });
    }
    return kept.signs;
  }

  return {
    signs,

    async status(): Promise<HealthStatus> {
      const trouble = await database.findTrouble();
      if (trouble) return { status: "unavailable", problems: [storeProblems[trouble]] };
      const problems = await signs().then(
        (all) => all.flatMap(({ kind, needs }) => (needs === "now" && broken[kind]) || []),
        // The database works, so the site is up even though a check failed.
        (error: unknown) => [`The health checks failed (${errorName(error)}).`],
      );
      return { status: problems.length > 0 ? "degraded" : "ok", problems };
    },
  };
}

type Moment = Awaited<ReturnType<typeof readMoment>>;

async function readMoment(services: HealthServices) {
  const { read } = services.database;
  const now = services.clock();
  const today = dateAt(services.calendar, now);
  const [first] = await listOperators(read);
  const isNew = !first || now.since(first.addedAt).total("hours") < 24 * setUpDays;
  return { ...services, read, now, today, isNew, copies: await readLastBackups(read) };
}

/** Reads one kind of health sign. Returns undefined if there is nothing to report. */
type SignReader<Kind extends keyof SentenceKeys> = (
  moment: Moment,
) => Promise<Omit<SignOf<Kind>, "kind"> | undefined>;

/** Sign readers, in the order in which the page shows signs that need no action. */
const signReaders: { [Kind in keyof SentenceKeys]: SignReader<Kind> } = {
  async mail(moment) {
    const { since, unwritable } = await findUnsent(moment.read, mailChannels, moment.now);
    const { count } = await listTroubled(moment.read, 1, mailChannels);
    const says: SignOf<"mail">["says"] = [];
    if (since) says.push(["waiting", { since }]);
    if (count > 0) says.push(["troubled", { count }]);
    return {
      needs: needsOf({ now: isLong(moment, since) || unwritable, soon: count > 0 }),
      command: "npm run requests -- act resend --as NAME",
      says: says.length > 0 ? says : [["allLeft"]],
    };
  },

  async accountSystem(moment) {
    const { read } = moment;
    if (!moment.hasAccountSystem) return { needs: "nothing", says: [["notConnected"]] };
    const { stoppedAt, answeredAt } = await findStanding(read);
    const untaken = (await findUnsent(read, [accountChannel], moment.now)).since;
    const silence = await findSilence(read, moment.now);
    const [failing] = await listFailing(read, 1, [accountChannel]);
    const [stuck] = (await listTroubled(read, 1, [accountChannel])).first;
    const problem = (failing ?? stuck)?.lastProblem;
    const says: SignOf<"accountSystem">["says"] = [];
    if (stoppedAt) says.push(["stopped", { at: stoppedAt }]);
    if (untaken) says.push(["waiting", { since: untaken }]);
    if (problem && !stoppedAt) says.push(["problem", { problem }]);
    if (silence) says.push(["unanswered", { since: silence.since }]);
    says.push(answeredAt ? ["answered", { at: answeredAt }] : ["silent"]);
    return {
      needs: needsOf({ now: Boolean(stoppedAt || stuck || silence) || isLong(moment, untaken) }),
      says,
      command: `npm run account-system -- ${stoppedAt || stuck ? "resume --as NAME" : "check"}`,
    };
  },

  backup: (moment) => checkCopy(moment, "backup", "npm run requests -- backup FILE --seal-for KEY"),
  export: (moment) => checkCopy(moment, "export", "npm run store -- ledger export FILE"),

  async disk({ dataDir }) {
    const { bavail, bsize } = await statfs(dataDir);
    const size = bavail * bsize;
    return {
      needs: needsOf({ now: size < leastFreeBytes.now, soon: size < leastFreeBytes.soon }),
      says: [["free", { size }]],
    };
  },

  async calendar({ calendar, today }) {
    const command = "npm run campus -- calendar show YEAR";
    const found = findCalendarEnd(calendar, today);
    if (found === undefined) return { command, needs: "nothing", says: [["fine"]] };
    if (found === "none") return { command, needs: "soon", says: [["none"]] };
    const date = Temporal.PlainDate.from(found);
    const isNear = today.until(date).days < calendarDays;
    return { command, needs: needsOf({ now: isNear, soon: true }), says: [["ends", { date }]] };
  },

  async places({ dataList, languages }) {
    const lacking = placesWithoutHow(dataList, languages);
    const places = lacking.map((key) => `stores.${key}`).join(", ");
    return {
      needs: needsOf({ soon: lacking.length > 0 }),
      command: "npm run campus -- ready",
      says: [lacking.length > 0 ? ["lacking", { places }] : ["fine"]],
    };
  },

  async keys({ read, keys, calendar, today }) {
    const newest = Math.max(...keys.versions);
    const since = (await listPublishedKeys(read)).find(({ version }) => version === newest)?.since;
    const date = since && dateAt(calendar, since);
    const months = date?.until(today, { largestUnit: "months" }).months ?? 0;
    return {
      needs: needsOf({ now: months >= keyMonths.now, soon: months >= keyMonths.soon }),
      says: [date ? ["since", { date }] : ["unknown"]],
    };
  },

  async presence({ read, calendar, today }) {
    const date = await findUnstaffedDays(read, calendar, today);
    return {
      needs: needsOf({ now: date !== undefined }),
      says: [date ? ["nobody", { date }] : ["fine"]],
    };
  },

  async security({ read, calendar, today }) {
    const from = today.subtract({ days: securityDays - 1 });
    const refusals = await listRefusals(read, { day: from, limit: everything });
    const changed = await findAccessChanges(read, {
      since: from.toZonedDateTime(calendar.timeZone).toInstant(),
    });
    const countOf = (wanted: RefusedWay) =>
      refusals.reduce((sum, { way, count }) => (way === wanted ? sum + count : sum), 0);
    const [newestAt] = [...refusals.map((refusal) => refusal.newestAt), changed.newestAt]
      .filter((at) => at !== undefined)
      .sort((a, b) => Temporal.Instant.compare(b, a));
    // Includes yesterday so that operators see last night's refusals in the morning.
    const recent = today.subtract({ days: 1 });
    const isMuch = refusals.some(
      ({ day, count }) => count >= manyRefusals && Temporal.PlainDate.compare(day, recent) >= 0,
    );
    const says: SignOf<"security">["says"] = [["refused", { count: countOf("sign-in") }]];
    if (countOf("signature") > 0) says.push(["disbelieved", { count: countOf("signature") }]);
    says.push(["changed", { count: changed.count }]);
    if (newestAt) says.push(["newest", { at: newestAt }]);
    return { needs: needsOf({ soon: isMuch }), says };
  },

  async restore({ read, now }) {
    const command = "npm run store -- restore confirm --as NAME";
    const held = await findUnconfirmedRestore(read);
    if (held) return { needs: "now", says: [[readFound(held) ?? "restored"]], command };
    const { waiting, unsent } = await countGraces(read, { now });
    if (waiting === 0) return undefined;
    const says: SignOf<"restore">["says"] = [];
    if (waiting > unsent) says.push(["waiting", { count: waiting - unsent }]);
    if (unsent > 0) says.push(["unsent", { count: unsent }]);
    return { needs: needsOf({ soon: unsent > 0 }), says };
  },

  async lost({ read }) {
    const named = await listUnknownJobs(read, { limit: everything });
    const [newest] = named;
    if (!newest) return undefined;
    return {
      needs: "now",
      says: [["named", { count: named.length, at: newest.at }]],
      command: "npm run account-system -- lost",
    };
  },

  async clock({ isErasingHeld }) {
    if (!isErasingHeld()) return undefined;
    return {
      needs: "now",
      says: [["doubted"]],
      command: "npm run requests -- trust-clock --as NAME",
    };
  },

  async unconfirmed({ read, maxUnconfirmed: most }) {
    const count = await countReceived(read);
    if (!isFilling(count, most)) return undefined;
    return {
      needs: "now",
      says: [["waiting", { count, most }]],
      command: "npm run requests -- list --only unconfirmed",
    };
  },
};

function needsOf({ now = false, soon = false }: { now?: boolean; soon?: boolean }): Needs {
  return now ? "now" : soon ? "soon" : "nothing";
}

function isLong({ now }: Moment, since: Temporal.Instant | undefined): boolean {
  return since !== undefined && now.epochMilliseconds - since.epochMilliseconds > patienceMs;
}

async function checkCopy(
  { now, today, calendar, dataList, copies, isNew }: Moment,
  kind: CopyKind,
  command: string,
): ReturnType<SignReader<CopyKind>> {
  const { at: madeAt, oldestAt } = copies[kind] ?? {};
  const hours = madeAt ? now.since(madeAt).total("hours") : Number.POSITIVE_INFINITY;
  const oldest = oldestAt && dateAt(calendar, oldestAt);
  const isOld = oldest !== undefined && oldest.until(today).days >= dataList.backupDays;
  const isMissing = hours > copyHours.now && (madeAt !== undefined || !isNew);
  const says: SignOf<CopyKind>["says"] = [madeAt ? ["made", { at: madeAt }] : ["never"]];
  if (oldest) says.push(["oldest", { date: oldest }]);
  return {
    needs: needsOf({ now: isOld || isMissing, soon: hours > copyHours.soon }),
    command,
    says,
  };
}
