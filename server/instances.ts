import { createHash, randomUUID } from "node:crypto";
import { setTimeout as wait } from "node:timers/promises";
import type { Config } from "./config.ts";
import type { DataList } from "./deletion-requests/state-machine/checklist.ts";
import type { Calendar } from "./platform/calendar/business-days.ts";
import type { Keys } from "./platform/crypto/keys.ts";
import type { Database } from "./platform/database/database.ts";
import { type RowIn, toText } from "./platform/database/rows.ts";
import {
  deleting,
  finding,
  inserting,
  reading,
  type Write,
  writing,
} from "./platform/database/statement.ts";

/**
 * Registry of the servers that share a database. Each server increments a counter in its row (a
 * heartbeat). An increased counter shows the other servers that this server is alive, without a
 * comparison of clocks. A server doesn't start if its settings conflict with those of a running
 * server.
 */

/** Hashes of the settings that all servers must share, keyed by their names in error messages. */
type SharedSettings = Record<string, string>;

type Instance = {
  id: string;
  facts: SharedSettings;
  /** Whether emails are written to files, which servers on other machines can't read. */
  writesMailFiles: boolean;
};

const usual = {
  /** Time between heartbeats, in milliseconds. */
  beatMs: 4000,
  /** Time without a heartbeat after which a server counts as dead, in milliseconds. */
  patienceMs: 10_000,
};

export function describeInstance(
  config: Pick<Config, "publicUrl" | "deletionMode" | "secondPerson" | "smtpUrl" | "accountSystem">,
  keys: Keys,
  promises: SharedPromises,
): Omit<Instance, "id"> {
  const word = (value: unknown) =>
    createHash("sha256").update(JSON.stringify(value)).digest("base64url").slice(0, 22);
  return {
    writesMailFiles: config.smtpUrl === undefined,
    facts: {
      SECRET_KEYS: word(keys.versions.map((version) => keys.hashWith("check", "", version))),
      PUBLIC_URL: word(config.publicUrl),
      DELETION_MODE: word(config.deletionMode),
      SECOND_PERSON: word(config.secondPerson),
      ACCOUNT_SYSTEM_MODE: word(config.accountSystem.mode),
      // Versions up to 1.13 stored the calendar and the data list under different keys, and also
      // compared their names and text.
      "calendar of working days": word([workingDaysOf(promises.calendar), promises.businessDays]),
      "list of data kinds": word(withoutTexts(promises.dataList)),
    },
  };
}

type SharedPromises = { calendar: Calendar; businessDays: number; dataList: DataList };

/** Returns the parts of a calendar that determine business days, without the names of holidays. */
function workingDaysOf({ timeZone, weekend, ...calendar }: Calendar) {
  const { holidays, everyYear = [], workingDays = [] } = calendar;
  const sortUnique = (dates: (string | number)[]) => [...new Set(dates)].sort();
  return {
    timeZone,
    weekend: sortUnique([...weekend]),
    holidays: sortUnique(holidays.map(({ date }) => date)),
    everyYear: sortUnique(everyYear.map(({ day }) => day)),
    workingDays: sortUnique(workingDays.map(({ date }) => date)),
  };
}

/** Returns the parts of the data list that determine what is deleted, by whom and when. */
function withoutTexts({ stores, kinds, ownershipProofs, backupDays }: DataList) {
  return {
    backupDays,
    stores: stores.map(({ words: _, how: __, adminPage: ___, ...store }) => store),
    kinds: kinds.map(({ key, store, accounts, onDeletion }) => [key, store, accounts, onDeletion]),
    ownershipProofs: ownershipProofs.map(({ key }) => key),
  };
}

/**
 * Registers this server. If a registered server has conflicting settings, waits to see whether that
 * server is alive. If so, returns the conflict.
 * @param options.onLost called if a conflicting server has replaced this server because this
 * process was paused for too long
 */
export async function joinOthers(
  database: Database,
  ownFacts: Omit<Instance, "id">,
  options: Partial<typeof usual> & {
    clock: () => Temporal.Instant;
    onLost: (problem: string) => void;
    onWait?: () => void;
  },
) {
  const instance = { ...ownFacts, id: randomUUID() };
  const { id } = instance;
  const pace = { ...usual, ...options };
  let left = false;
  /**
   * Registers this server, or returns the conflict. The lock serializes servers that start at the
   * same time.
   */
  async function registerUnlessConflicting(transaction: Write) {
    await transaction.lock("instances");
    if (left) return undefined;
    const conflict = findConflict(instance, await listed(transaction));
    if (!conflict) {
      const facts = JSON.stringify(ownFacts.facts);
      const row = { id, beat: 0, facts, mailFiles: ownFacts.writesMailFiles };
      await register(transaction, { ...row, enteredAt: options.clock() });
    }
    return conflict;
  }
  for (;;) {
    const conflict = await database.write(registerUnlessConflicting);
    if (!conflict) break;
    options.onWait?.();
    const { other, problem } = conflict;
    if (!(await outlive(database, other, pace))) return { ok: false, problem } as const;
  }

  async function beat(): Promise<void> {
    const found = await database.write(async (transaction) =>
      (await countUp(transaction, { id })) > 0 ? undefined : registerUnlessConflicting(transaction),
    );
    if (found && !left) options.onLost(found.problem);
  }
  // Ignores errors: the health check reports an unavailable database, and the next heartbeat
  // retries.
  const timer = setInterval(() => void beat().catch(() => {}), pace.beatMs);
  timer.unref();
  return {
    ok: true,
    membership: {
      /** Unregisters this server so that the next server doesn't have to wait. */
      async leave(): Promise<void> {
        left = true;
        clearInterval(timer);
        const removing = database.write(async (transaction) => {
          // Waits for an in-flight heartbeat, which would otherwise re-register the server.
          await transaction.lock("instances");
          await remove(transaction, { id });
        });
        await removing.catch(() => {});
      },
    },
  } as const;
}

type RunningInstance = RowIn<"instances">;

/**
 * Waits for the next heartbeat of a server. If there is none, removes the server and all other dead
 * servers.
 * @returns false if the server is alive
 */
async function outlive(
  database: Database,
  other: RunningInstance,
  pace: typeof usual,
): Promise<boolean> {
  const instances = await listed(database.read);
  const giveUpAt = performance.now() + pace.patienceMs;
  while (performance.now() < giveUpAt) {
    await wait(Math.min(pace.beatMs, giveUpAt - performance.now()));
    const now = await oneListed(database.read, other);
    if (now && now.beat !== other.beat) return false;
  }
  await database.write(async (transaction) => {
    for (const instance of instances) await removeStill(transaction, instance);
  });
  return true;
}

/**
 * Finds a running server whose settings conflict with `instance`. Returns the server and a sentence
 * about the conflict.
 */
function findConflict(instance: Instance, running: readonly RunningInstance[]) {
  for (const other of running) {
    if (other.id === instance.id) continue;
    const since = `which has run since ${toText(other.enteredAt).slice(0, 16).replace("T", " ")} UTC`;
    const facts = JSON.parse(other.facts) as SharedSettings;
    // Compares only settings that both servers have, because a server of another version may have
    // different settings.
    const different = Object.keys(instance.facts).filter(
      (name) => facts[name] !== undefined && facts[name] !== instance.facts[name],
    );
    if (different.length > 0) {
      return {
        other,
        problem: `Another server is running on this database, ${since}, with another ${different.join(" and another ")}. All of them need the same. To change it, stop all of them first.`,
      };
    }
    if (instance.writesMailFiles || other.mailFiles) {
      return {
        other,
        problem: `Another server is running on this database, ${since}, and ${instance.writesMailFiles ? "here" : "there"} SMTP_URL is not set: emails would become files on one of several machines, where no one finds them. Set SMTP_URL for all of them, or run one.`,
      };
    }
  }
  return undefined;
}

const listed = reading((tables) => tables.selectFrom("instances").selectAll());

const oneListed = finding("instances", { id: "=" });

const register = inserting("instances");

const countUp = writing((tables, { id }: { id: string }) =>
  tables
    .updateTable("instances")
    .set((columns) => ({ beat: columns("beat", "+", 1) }))
    .where("id", "=", id),
);

const remove = deleting("instances", { id: "=" });

/** Removes a server only if it has sent no heartbeat since its row was read. */
const removeStill = deleting("instances", { id: "=", beat: "=" });
