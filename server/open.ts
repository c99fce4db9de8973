import { readCampusData } from "../campus-reader/data-files.ts";
import { CampusError } from "../campus-reader/mistakes.ts";
import type { CampusCalendar, CampusSettings } from "../campus-reader/schema.ts";
import { createEventQueue } from "./account-system/outbound/queue-events.ts";
import type { Config } from "./config.ts";
import { publishKeys } from "./deletion-requests/ledger/entries.ts";
import { createErasure } from "./deletion-requests/repository/erasing.ts";
import type { DataList } from "./deletion-requests/state-machine/checklist.ts";
import { createMailFiles } from "./delivery/mail-files.ts";
import { drillClock } from "./drill-mark.ts";
import { describeInstance, joinOthers } from "./instances.ts";
import type { Calendar } from "./platform/calendar/business-days.ts";
import { checkKeys } from "./platform/crypto/key-check.ts";
import { loadKeys } from "./platform/crypto/keys.ts";
import { type Database, isStorageProblem, openDatabase } from "./platform/database/database.ts";

/**
 * Reads a campus's promises: its business days, its deadline and its data list. Reports mistakes
 * with file and line.
 */
export function readPromises(campusDir: string) {
  try {
    const { settings, calendar, dataList } = readCampusData(campusDir);
    const promises = {
      calendar: toCalendar(settings, calendar),
      businessDays: settings.deletionBusinessDays.limit,
      /** Kinds of data, and the stores that contain them. */
      dataList: dataList as DataList,
      /** Languages for emails, starting with the campus's default language. */
      languages: [settings.language, ...Object.keys(settings.translations)],
    };
    return { ok: true, promises } as const;
  } catch (error) {
    if (!(error instanceof CampusError)) throw error;
    const problem = `The campus in ${campusDir} has mistakes:\n${error.seenIn(campusDir)}`;
    return { ok: false, problem } as const;
  }
}

export type Promises = Extract<ReturnType<typeof readPromises>, { ok: true }>["promises"];

function toCalendar(settings: CampusSettings, campus: CampusCalendar): Calendar {
  return {
    timeZone: settings.timeZone,
    weekend: campus.weekend,
    holidays: campus.holidays.map(({ date, holiday }) => ({ date, name: holiday })),
    everyYear: campus.everyYear?.map(({ day, holiday }) => ({ day, name: holiday })),
    workingDays: campus.workingDays,
    names: Object.fromEntries(
      Object.entries(campus.names).map(([key, names]) => [key, names[settings.language] ?? key]),
    ),
  };
}

/** Returns the clock for programs that don't open the database. */
export function clockOf({ isDrill, dataDir }: Config): () => Temporal.Instant {
  return isDrill ? drillClock(dataDir) : () => Temporal.Now.instant();
}

type OpeningOptions = {
  create: boolean;
  clock?: () => Temporal.Instant;
  promises?: Promises;
  /**
   * Options for registering the server among the other servers on the same database. If the
   * registration fails, opening fails with the reason.
   */
  join?: Omit<Parameters<typeof joinOthers>[2], "clock">;
};

/**
 * Opens the data folder. On failure, returns an explanation for the administrator and closes
 * everything.
 * @param options.create whether to create a missing database and missing local keys, and to check
 * an existing database file for damage. Only the server, `npm run seed` and tests set `create`: a
 * command with a mistyped folder must neither create an empty database nor register new keys
 */
export async function openFoundation(config: Config, options: OpeningOptions) {
  const { dataDir } = config;
  const read = options.promises
    ? ({ ok: true, promises: options.promises } as const)
    : readPromises(config.campusDir);
  if (!read.ok) return read;
  const opened = await openDatabase({
    dataDir,
    url: config.databaseUrl?.reveal(),
    mustExist: !options.create,
    check: options.create,
  });
  if (!opened.ok) return opened;
  const { database, store } = opened;
  try {
    const built = await build(config, options, read.promises, database);
    if (!built.ok) await database.close();
    // Tests use `store` to reach the layer below the services.
    return built.ok ? { ...built, store } : built;
  } catch (error) {
    await database.close();
    if (!isStorageProblem(error)) throw error;
    return {
      ok: false,
      problem: `The database was opened but can't be used: ${(error as Error).message}. Check that it is running and writable, then start again.`,
    } as const;
  }
}

async function build(
  config: Config,
  options: OpeningOptions,
  promises: Promises,
  database: Database,
) {
  const { dataDir, secretKeys, secondPerson, accountSystem } = config;
  const loaded = await loadKeys({ secretKeys, dataDir, mustExist: !options.create });
  if (!loaded.ok) return loaded;
  const { keys } = loaded;
  const clock = options.clock ?? (config.isDrill ? clockOf(config) : database.clock);
  // Registers first so that a server with conflicting settings changes nothing else.
  const joined =
    options.join && database.isShared
      ? await joinOthers(database, describeInstance(config, keys, promises), {
          ...options.join,
          clock,
        })
      : undefined;
  if (joined && !joined.ok) return joined;
  /** This server's registration. `undefined` for SQLite and for commands. */
  const membership = joined?.membership;
  const checked = await checkKeys(database, keys, { mayEnter: options.create });
  if (!checked.ok) {
    await membership?.leave();
    return checked;
  }
  if (options.create) await publishKeys(database, keys, clock());
  const mailFiles = createMailFiles(dataDir);
  const foundation = {
    config,
    /** Folder with the database, the keys and the emails that were written to files. */
    dataDir,
    database,
    keys,
    clock,
    ...promises,
    secondPerson,
    ...(accountSystem.mode !== "off" && createEventQueue(accountSystem.mode, keys)),
    mailFiles,
    forgetting: createErasure({ database, removeMailFiles: mailFiles.remove }),
  };
  return { ok: true, membership, foundation } as const;
}

/**
 * Shared dependencies of all services, for the server, commands and tests: the database, the
 * matching keys, the campus's calendar and promises, and erasure.
 */
export type Foundation = Extract<Awaited<ReturnType<typeof build>>, { ok: true }>["foundation"];
