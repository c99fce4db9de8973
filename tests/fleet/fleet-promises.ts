import { queryPostgres } from "../../server/platform/database/database.fixture.ts";
import { type Fleet, operators, toKey } from "./fleet.fixture.ts";

/**
 * Checks a fleet's invariants after faults. Database triggers record every stored form and the fate
 * of every outbox message, because the product erases both when a request ends.
 */

export async function rememberEverything(url: string): Promise<void> {
  await queryPostgres(
    url,
    `create table seen_forms (email text, reference text);
    create function remember_form() returns trigger language plpgsql as $$
      begin insert into seen_forms values (new.email, new.reference); return null; end $$;
    create trigger remember after insert on submissions for each row execute function remember_form();

    create table seen_messages (
      key text primary key, kind text, reference text, channel text, copy_of text, fate text,
      revived boolean not null default false
    );
    create function remember_message() returns trigger language plpgsql as $$
      begin
        insert into seen_messages values
          (new.message_key, new.kind, new.reference, new.recipient,
            substring(new.once from '^([0-9a-f]{8}-[0-9a-f-]{27}):[0-9]+$'), new.state);
        return null;
      end $$;
    create trigger remember after insert on outbox for each row execute function remember_message();
    create function remember_fate() returns trigger language plpgsql as $$
      begin
        if tg_op = 'UPDATE' then
          update seen_messages set fate = new.state, revived = revived or old.state in ('delivered', 'held-back')
            where key = new.message_key;
        elsif old.state not in ('delivered', 'held-back') then
          update seen_messages set fate = 'taken back' where key = old.message_key;
        end if;
        return null;
      end $$;
    create trigger remember_state after update of state on outbox
      for each row when (old.state <> new.state) execute function remember_fate();
    create trigger remember_end after delete on outbox
      for each row execute function remember_fate();`,
  );
}

/** Messages that each transition must queue exactly once while the account system is live. */
const marks: Record<string, string[]> = {
  receive: ["confirm"],
  confirm: ["confirmed", "account.deletion.requested"],
  take: ["in-progress"],
  hold: ["held"],
  release: ["released"],
  // When the account system completes a request, no message is due until the undo window closes.
  "complete to completed": ["completed"],
  refuse: ["refused"],
  cancel: ["cancelled", "account.deletion.cancelled"],
};

/** Emails about a request's outcome. They never become obsolete. */
const endings = ["completed", "refused", "cancelled"];

/** Lists the violated invariants and reports how much was checked. */
export async function findBrokenPromises(fleet: Fleet) {
  const mails = Map.groupBy(fleet.mails, ({ messageId }) => toKey(messageId));
  const events = Map.groupBy(fleet.events, ({ id }) => id);
  const broken = [
    ...(await findLostForms(fleet)),
    ...(await findDoubledActs(fleet)),
    ...(await findWrongMessages(fleet, "email", mails, toOneText)),
    ...(await findWrongMessages(
      fleet,
      "event",
      events,
      ({ event }) => `${event.type} ${event.data.id}`,
    )),
    ...(await findWrongCopies(fleet, mails)),
    ...fleet.troubles,
  ];
  const [forms] = await fleet.ask("select count(*) as n from seen_forms");
  const owed = await fleet.ask(
    "select kind, fate, count(*) as n from seen_messages group by 1, 2 order by 1, 2",
  );
  return {
    broken,
    forms: Number(forms?.n),
    mails: fleet.mails.length,
    events: fleet.events.length,
    /** Outbox messages with their fate, grouped by kind. */
    owed: Object.groupBy(owed, ({ kind }) => String(kind)),
  };
}

/**
 * Finds acknowledged forms that are missing, duplicated, incomplete or stored under another
 * reference.
 */
async function findLostForms(fleet: Fleet): Promise<string[]> {
  const broken: string[] = [];
  const stored = Map.groupBy(await fleet.ask("select * from seen_forms"), ({ email }) =>
    String(email),
  );
  for (const [email, reference] of fleet.acknowledged) {
    const found = stored.get(email) ?? [];
    if (found.length !== 1) broken.push(`${email} is stored ${found.length} times`);
    else if (found[0]?.reference !== reference) broken.push(`${email} got another reference`);
  }
  const parts = await fleet.ask(`
    select f.reference,
      (select count(*) from submissions s where s.reference = f.reference) as forms,
      (select count(*) from requests r join submissions s on s.request_id = r.id where s.reference = f.reference) as requests,
      (select count(*) from tokens t join submissions s on t.submission_id = s.id where s.reference = f.reference) as links
    from seen_forms f`);
  for (const { reference, ...counts } of parts) {
    for (const [part, count] of Object.entries(counts)) {
      if (Number(count) !== 1) broken.push(`${reference} has ${count} ${part}`);
    }
  }
  return broken;
}

/** Finds acts that ran twice, and acts with missing or duplicate messages. */
async function findDoubledActs(fleet: Fleet): Promise<string[]> {
  const done = await fleet.ask(
    `select r.reference, case when e.type = 'complete' then e.type || ' to ' || e.to_state else e.type end as type, count(*) as n
     from request_events e join requests r on r.id = e.request_id group by 1, 2`,
  );
  const acts = new Map(done.map(({ reference, type, n }) => [`${reference} ${type}`, Number(n)]));
  const ended = await fleet.ask(
    `select r.reference, count(*) as n from request_events e join requests r on r.id = e.request_id
     where e.from_state is distinct from e.to_state and e.to_state in ('completed', 'refused', 'cancelled')
     group by 1 having count(*) > 1`,
  );
  const broken = [
    ...[...acts].map(([act, n]) => [`${act} was done`, n] as const),
    ...ended.map(({ reference, n }) => [`${reference} ended`, Number(n)] as const),
    ...[...fleet.accepted].map(([call, n]) => [`the call ${call} was accepted`, n] as const),
  ].flatMap(([what, count]) => (count > 1 ? [`${what} ${count} times`] : []));
  const made = await fleet.ask(
    "select reference, kind, count(*) as n from seen_messages where copy_of is null group by 1, 2",
  );
  const counts = new Map(made.map(({ reference, kind, n }) => [`${reference} ${kind}`, Number(n)]));
  for (const reference of new Set(done.map(({ reference }) => String(reference)))) {
    for (const [type, kinds] of Object.entries(marks)) {
      const done = acts.get(`${reference} ${type}`) ?? 0;
      for (const kind of kinds) {
        const left = counts.get(`${reference} ${kind}`) ?? 0;
        if (left !== done)
          broken.push(`${reference}: ${type} ${done} times, ${kind} ${left} times`);
      }
    }
  }
  return broken;
}

/**
 * Finds queued messages that never arrived or that arrived under two keys, and received messages
 * that were never queued.
 */
async function findWrongMessages<Received>(
  fleet: Fleet,
  what: "email" | "event",
  copies: Map<string, Received[]>,
  toText: (received: Received) => string,
): Promise<string[]> {
  const owed = await fleet.ask(
    `select m.*, coalesce(r.state in ('completed', 'refused', 'cancelled'), false) as ended,
       coalesce(r.state = 'cancelled', false) as cancelled
     from seen_messages m left join requests r on r.reference = m.reference
     where (m.channel = 'account-system') = ${what === "event"}`,
  );
  const keys = new Set(owed.map(({ key }) => String(key)));
  return [...findWrongFates(what, owed, copies), ...findWrongKeys(what, copies, keys, toText)];
}

/**
 * Finds withheld team emails that were sent anyway, and team emails that didn't go to each operator
 * exactly once.
 */
async function findWrongCopies(fleet: Fleet, received: Map<string, unknown>): Promise<string[]> {
  const kept = await fleet.ask(
    "select * from seen_messages where fate = 'held-back' and channel <> 'account-system'",
  );
  const notified = await fleet.ask(
    `select m.key, m.kind, (select count(*) from seen_messages c where c.copy_of = m.key) as n
     from seen_messages m where m.kind in ('operator-account-system', 'operator-deleted-held')
       and m.copy_of is null and m.fate = 'held-back'`,
  );
  return [
    ...kept
      .filter(({ key }) => received.has(String(key)))
      .map(({ key, kind }) => `the email ${key} (${kind}) was sent in addition to its copies`),
    ...notified
      .filter(({ n }) => Number(n) !== operators.length)
      .map(({ key, kind, n }) => `the email ${key} (${kind}) was sent to ${n} operators`),
  ];
}

/** Returns an email's text without times, because resent emails have different link expiries. */
function toOneText({ to, subject, text }: Fleet["mails"][number]): string {
  const lines = text.split("\n").filter((line) => !/\d:\d\d/.test(line));
  return [to, subject, ...lines].join("\n");
}

/**
 * Finds queued messages that neither arrived nor became obsolete, and delivered messages that were
 * queued again.
 */
function findWrongFates(
  what: "email" | "event",
  owed: Record<string, unknown>[],
  copies: Map<string, unknown[]>,
): string[] {
  const broken: string[] = [];
  for (const { key, kind, reference, fate, revived, ended, cancelled } of owed) {
    const name = `the ${what} ${key} (${kind} ${reference})`;
    const canBePointless =
      what === "event" ? /requested$/.test(String(kind)) : !endings.includes(String(kind));
    const isPointless = fate === "taken back" && ended && canBePointless;
    const mayStay = isPointless || (what === "email" && fate === "held-back");
    // A cancellation replaces an unsent "requested" event. If a kill interrupts the delivery, the
    // event counts as delivered but may never arrive.
    const isReplaced = what === "event" && canBePointless && cancelled;
    const received = copies.has(String(key));
    if (fate === "delivered" && !received && !isReplaced) broken.push(`${name} never arrived`);
    else if (fate !== "delivered" && !mayStay) broken.push(`${name} is ${fate}`);
    if (revived) broken.push(`${name} was queued again after its delivery`);
  }
  return broken;
}

/** Finds keys with several texts or without a queued message, and messages with several keys. */
function findWrongKeys<Received>(
  what: string,
  copies: Map<string, Received[]>,
  owed: Set<string>,
  toText: (received: Received) => string,
): string[] {
  const broken: string[] = [];
  const names = new Map<string, string>();
  for (const [key, same] of copies) {
    const texts = new Set(same.map(toText));
    const [text = ""] = texts;
    const excerpt = text.slice(0, 120);
    if (texts.size > 1) broken.push(`the ${what} ${key} has ${texts.size} texts`);
    if (!owed.has(key)) broken.push(`the ${what} ${key} was never queued: ${excerpt}`);
    const other = names.get(text);
    if (other) broken.push(`the same ${what} has the keys ${other} and ${key}: ${excerpt}`);
    names.set(text, key);
  }
  return broken;
}
