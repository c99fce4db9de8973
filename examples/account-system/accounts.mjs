// Event handling that every account system needs, whether it receives events or polls for them.
// Users, rides and documents are stored in SQLite.
import { randomUUID } from "node:crypto";
import { DatabaseSync } from "node:sqlite";
import { Webhook } from "standardwebhooks";

const { ACCOUNTS_DB = "accounts.sqlite", SITE_HOOK, ANSWER_SECRET } = process.env;
const db = new DatabaseSync(ACCOUNTS_DB);
db.exec(`PRAGMA foreign_keys = ON; PRAGMA secure_delete = ON; PRAGMA busy_timeout = 5000;
  create table if not exists users (id text primary key, email text unique, name text, open_ride int default 0);
  create table if not exists rides (id integer primary key, user_id text references users, route text);
  create table if not exists papers (id integer primary key, user_id text references users, kind text);
  create table if not exists deletions (id text primary key, answer text);
  create table if not exists heard (id text primary key, state text);
  create table if not exists inbox (n integer primary key, event text);`);

/**
 * Stores a deletion's state, in case the site restores a backup that lacks the deletion. Keep the
 * state for 24 months.
 */
function remember(id, state) {
  db.prepare("insert or replace into heard values (?, ?)").run(id, state);
}

/** An account's rows in each store of the campus's data list. */
const places = {
  rides: "from rides where user_id = ?",
  papers: "from papers where user_id = ?",
  accounts: "from users where id = ?",
};

/**
 * Signs and posts an answer. Returns true if the site has accepted the answer, now or earlier, and
 * false if the site has refused it for good.
 */
export async function say(type, data) {
  const [id, now, body] = [`msg_${randomUUID()}`, new Date(), JSON.stringify({ type, data })];
  const headers = {
    "Content-Type": "application/json",
    "webhook-id": id,
    "webhook-timestamp": String(Math.floor(now / 1000)),
    "webhook-signature": new Webhook(ANSWER_SECRET).sign(id, now, body),
  };
  for (let attempt = 0; ; attempt++) {
    const response = await fetch(SITE_HOOK, { method: "POST", headers, body }).catch(
      () => undefined,
    );
    if (response?.ok) return true;
    const problem = response && (await response.json().catch(() => undefined));
    if (problem?.type?.endsWith("#repeated")) return true;
    if (response && response.status < 500 && response.status !== 429) return false;
    // Gives up after a minute and a half. The answer is stored, and the next reminder asks for it again.
    if (attempt === 4) throw new Error(`No answer from ${SITE_HOOK}`);
    await new Promise((resolve) => setTimeout(resolve, 1000 * 4 ** attempt));
  }
}

/** Stores an event before acknowledging it so that a crash can't lose it. */
export function keep(event) {
  db.prepare("insert into inbox (event) values (?)").run(JSON.stringify(event));
}

let isWorking = false;

/** Handles stored events one after another. An event that fails is kept for the next run. */
export async function workOff() {
  if (isWorking) return;
  isWorking = true;
  const next = db.prepare("select n, event from inbox where n > ? order by n limit 1");
  for (let row = next.get(0); row; row = next.get(row.n)) {
    try {
      await handle(JSON.parse(row.event));
      db.prepare("delete from inbox where n = ?").run(row.n);
    } catch (error) {
      console.error(error.message);
    }
  }
  isWorking = false;
}

/** Handles an event. Idempotent. */
export async function handle({ type, data }) {
  if (type === "account.deletion.recheck") return handleRecheck(data);
  if (type === "account.deletion.standing") return handleStanding(data);
  // A hold needs no work, nor does a cancellation in a dry run.
  if (type === "account.deletion.cancelled" && !data.test) return remember(data.id, "cancelled");
  if (type !== "account.deletion.requested" && type !== "account.deletion.reminder") return;

  const done = db.prepare("select answer from deletions where id = ?").get(data.id);
  if (done) return say("account.deletion.completed", JSON.parse(done.answer));
  const unknown = findUnknown(data);
  if (unknown) return fail(data.id, unknown, { again: false });
  db.prepare("insert or ignore into heard values (?, 'open')").run(data.id);
  const user = db.prepare("select * from users where email = ?").get(data.address.toLowerCase());
  if (!user && data.begun) {
    return fail(data.id, "The deletion had started, but the account is gone.", { again: false });
  }
  if (!user) return say("account.deletion.not-found", { id: data.id });
  if (user.open_ride) {
    const until = new Date(Date.now() + 86_400_000).toISOString().slice(0, 10);
    return say("account.deletion.blocked", { id: data.id, reason: "open-ride", until });
  }
  // Waits until the site accepts `started`, because the requester can cancel until then. A reminder
  // contains `begun` if the site has already accepted `started`, for example before a crash.
  const mayBegin = data.begun || (await say("account.deletion.started", { id: data.id }));
  if (!mayBegin) return;
  if (!data.test) remember(data.id, "begun");
  return eraseAndSay(user.id, data);
}

/**
 * Finds a store that this program doesn't know. The program can't claim that such a store has no
 * data, so a person has to check.
 */
function findUnknown({ kinds }) {
  const unknown = kinds.find(({ store }) => !(store in places));
  return unknown && `We have no store called ${unknown.store}.`;
}

function fail(id, reason, { again }) {
  return say("account.deletion.failed", { id, reason, again });
}

/**
 * Deletes all rows and stores the answer in one transaction, then sends the answer. A failed
 * deletion is rolled back, and the site asks again.
 */
function eraseAndSay(userId, data) {
  let answer;
  try {
    db.exec("begin immediate");
    answer = erase(userId, data);
    db.exec("commit");
  } catch (error) {
    if (db.isTransaction) db.exec("rollback");
    console.error(error.message);
    return fail(data.id, "The deletion failed, and nothing was deleted.", { again: true });
  }
  return say("account.deletion.completed", answer);
}

/**
 * Answers after the site restored a backup. Repeats the answer of a finished deletion, or reports
 * the state of any other deletion.
 */
function handleStanding({ id }) {
  const done = db.prepare("select answer from deletions where id = ?").get(id);
  if (done) return say("account.deletion.completed", JSON.parse(done.answer));
  const { state } = db.prepare("select state from heard where id = ?").get(id) ?? {};
  return say("account.deletion.standing", { id, state: state ?? "unknown" });
}

/** Deletes the rows. In a dry run, only counts them. */
function erase(userId, { id, kinds, tell = [], test }) {
  const counts = Object.fromEntries(
    Object.entries(places).map(([place, rows]) => {
      const { count } = db.prepare(`select count(*) as count ${rows}`).get(userId);
      if (!test) db.prepare(`delete ${rows}`).run(userId);
      return [place, count];
    }),
  );
  const lines = kinds.map(({ store, kind }) => {
    const count = counts[store];
    return { store, kind, outcome: count > 0 ? "deleted" : "none", count };
  });
  // Subtracts a day from the promised 30, because it may still be yesterday at the campus.
  const backupsGoneBy = new Date(Date.now() + 29 * 86_400_000).toISOString().slice(0, 10);
  // Notify third parties (such as a wallet) here, before the answer lists them.
  const answer = { id, accountId: userId, lines, told: tell, backupsGoneBy };
  if (!test)
    db.prepare("insert or replace into deletions values (?, ?)").run(id, JSON.stringify(answer));
  return answer;
}

/** Deletes an account that a restored backup has brought back. */
function handleRecheck(data) {
  const unknown = findUnknown(data);
  if (unknown) return fail(data.id, unknown, { again: false });
  return eraseAndSay(data.accountId ?? "", data);
}
