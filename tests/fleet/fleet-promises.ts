import { askPostgres } from "../../server/database/database.fixture.ts";
import { type Fleet, operators, toKey } from "./fleet.fixture.ts";

/**
 * What must hold of a fleet whatever happened to it. The tables forget: addresses and mails go when a request has ended. So
 * the database itself remembers for the test, in the same transactions, each form that was stored, and each message that
 * was owed with what became of it.
 */

export async function rememberEverything(url: string): Promise<void> {
  await askPostgres(
    url,
    `create table seen_forms (email text, reference text);
    create function remember_form() returns trigger language plpgsql as $$
      begin insert into seen_forms values (new.email, new.reference); return null; end $$;
    create trigger remember after insert on submissions for each row execute function remember_form();

    create table seen_messages (
      key text primary key, kind text, reference text, channel text, copy boolean, fate text,
      revived boolean not null default false
    );
    create function remember_message() returns trigger language plpgsql as $$
      begin
        insert into seen_messages values
          (new.message_key, new.kind, new.reference, new.recipient, new.once ~ '^[0-9a-f]{8}-[0-9a-f-]{27}:[0-9]+$', new.state);
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

/** What each act on a request leaves behind that leads outside: once, and nothing else does. */
const marks: Record<string, string[]> = {
  receive: ["confirm"],
  confirm: ["confirmed", "operator-new", "account.deletion.requested"],
  take: ["in-progress"],
  hold: ["held"],
  release: ["released"],
  // Called done by a machine, it leaves nothing until the clock completes it.
  "complete to completed": ["completed"],
  refuse: ["refused"],
  cancel: ["cancelled", "account.deletion.cancelled"],
};

/** Mails that tell them are never pointless. */
const endings = ["completed", "refused", "cancelled"];

/** Returns what does not hold, and how much was looked at. */
export async function findBrokenPromises(fleet: Fleet) {
  const broken = [
    ...(await findLostForms(fleet)),
    ...(await findDoubledActs(fleet)),
    ...(await findWrongMails(fleet)),
    ...(await findWrongEvents(fleet)),
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
    /** How many of what were owed, and what became of them. */
    owed: Object.groupBy(owed, ({ kind }) => String(kind)),
  };
}

/** Every acknowledged form is there exactly once, whole, under the reference that was told. */
async function findLostForms(fleet: Fleet): Promise<string[]> {
  const broken: string[] = [];
  const stored = Map.groupBy(await fleet.ask("select * from seen_forms"), ({ email }) =>
    String(email),
  );
  for (const [email, reference] of fleet.acknowledged) {
    const found = stored.get(email) ?? [];
    if (found.length !== 1) broken.push(`${email} is there ${found.length} times`);
    else if (found[0]?.reference !== reference) broken.push(`${email} was told another reference`);
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

/** No act was done twice, and each left its marks once. */
async function findDoubledActs(fleet: Fleet): Promise<string[]> {
  const broken: string[] = [];
  const acts = new Map<string, number>();
  const events = await fleet.ask(
    `select r.reference, e.from_state, e.to_state, case when e.type = 'complete' then e.type || ' to ' || e.to_state else e.type end as type
     from request_events e join requests r on r.id = e.request_id`,
  );
  for (const { reference, type } of events) {
    const act = `${reference} ${type}`;
    acts.set(act, (acts.get(act) ?? 0) + 1);
  }
  for (const [act, count] of acts) {
    if (count > 1) broken.push(`${act} was done ${count} times`);
  }
  const ended = Map.groupBy(
    events.filter(
      ({ from_state, to_state }) => from_state !== to_state && endings.includes(String(to_state)),
    ),
    ({ reference }) => String(reference),
  );
  for (const [reference, all] of ended) {
    if (all.length > 1) broken.push(`${reference} ended ${all.length} times`);
  }
  const made = await fleet.ask(
    "select reference, kind, count(*) as n from seen_messages where not coalesce(copy, false) group by 1, 2",
  );
  const counts = new Map(made.map(({ reference, kind, n }) => [`${reference} ${kind}`, Number(n)]));
  for (const reference of new Set(events.map(({ reference }) => String(reference)))) {
    for (const [type, kinds] of Object.entries(marks)) {
      const done = acts.get(`${reference} ${type}`) ?? 0;
      for (const kind of kinds) {
        const left = counts.get(`${reference} ${kind}`) ?? 0;
        if (left !== done)
          broken.push(`${reference}: ${type} ${done} times, ${kind} ${left} times`);
      }
    }
  }
  for (const [call, count] of fleet.accepted) {
    if (count > 1) broken.push(`the account system's call ${call} was accepted ${count} times`);
  }
  return broken;
}

/**
 * Every owed mail was delivered at least once, to one mailbox and under one Message-ID, whatever it is about; nothing left
 * that was not owed; and what was taken back had become pointless.
 */
async function findWrongMails(fleet: Fleet): Promise<string[]> {
  const broken: string[] = [];
  const owed = new Map(
    (await fleet.ask("select * from seen_messages where channel <> 'account-system'")).map(
      (message) => [String(message.key), message],
    ),
  );
  const copies = Map.groupBy(fleet.mails, ({ messageId }) => toKey(messageId));
  broken.push(...findWrongFates("mail", owed.values(), copies, await findEnded(fleet)));
  for (const [key, { kind, reference, fate }] of owed) {
    if (fate !== "held-back" || !copies.has(key)) continue;
    broken.push(`the mail ${key} (${kind} ${reference}) left, though others leave in its place`);
  }
  broken.push(...findWrongKeys("mail", copies, new Set(owed.keys()), toOneText));
  // The team hears of each confirmed request, each of them once.
  for (const [key, { kind, reference, copy }] of owed) {
    if (kind !== "operator-new" || copy) continue;
    const to = [...owed.values()].filter(
      (other) => other.copy && other.kind === kind && other.reference === reference,
    );
    if (to.length !== operators.length) broken.push(`${key} (${kind}) went to ${to.length} people`);
  }
  return broken;
}

async function findEnded(fleet: Fleet): Promise<Set<string>> {
  const ended = await fleet.ask(
    "select reference from requests where state in ('completed', 'refused', 'cancelled')",
  );
  return new Set(ended.map(({ reference }) => String(reference)));
}

/** As it was read: a link lives from when its mail left, so the day and minute until which it works is each copy's own. */
function toOneText({ to, subject, text }: Fleet["mails"][number]): string {
  const lines = text.split("\n").filter((line) => !/\d:\d\d/.test(line));
  return [to, subject, ...lines].join("\n");
}

/** Every owed event reached the account system at least once, under one id; none that nobody owed. */
async function findWrongEvents(fleet: Fleet): Promise<string[]> {
  const owed = await fleet.ask("select * from seen_messages where channel = 'account-system'");
  const keys = new Set(owed.map(({ key }) => String(key)));
  const copies = Map.groupBy(fleet.events, ({ id }) => id);
  const toText = ({ event }: Fleet["events"][number]) => `${event.type} ${event.data.id}`;
  return [
    ...findWrongFates("event", owed, copies, await findEnded(fleet)),
    ...findWrongKeys("event", copies, keys, toText),
  ];
}

/** What was owed came at least once or had become pointless, and was not owed again after it had left. */
function findWrongFates(
  what: "mail" | "event",
  owed: Iterable<Record<string, unknown>>,
  copies: Map<string, unknown[]>,
  ended: Set<string>,
): string[] {
  const broken: string[] = [];
  for (const { key, kind, reference, fate, revived } of owed) {
    const name = `the ${what} ${key} (${kind} ${reference})`;
    const canBePointless =
      what === "event" ? /requested$/.test(String(kind)) : !endings.includes(String(kind));
    const isPointless = fate === "taken back" && ended.has(String(reference)) && canBePointless;
    const mayStay = isPointless || (what === "mail" && fate === "held-back");
    if (fate === "delivered" && !copies.has(String(key))) broken.push(`${name} never came`);
    else if (fate !== "delivered" && !mayStay) broken.push(`${name} is ${fate}`);
    if (revived) broken.push(`${name} was owed again after it had left`);
  }
  return broken;
}

/** What came under a key was owed under it, is one mail or event however often it came, and came under no other key. */
function findWrongKeys<Came>(
  what: string,
  copies: Map<string, Came[]>,
  owed: Set<string>,
  toText: (came: Came) => string,
): string[] {
  const broken: string[] = [];
  const names = new Map<string, string>();
  for (const [key, same] of copies) {
    const texts = new Set(same.map(toText));
    const [text = ""] = texts;
    const told = text.slice(0, 120);
    if (texts.size > 1) broken.push(`the ${what} ${key} is of ${texts.size} texts`);
    if (!owed.has(key)) broken.push(`nobody owed the ${what} ${key}: ${told}`);
    const other = names.get(text);
    if (other) broken.push(`one ${what} has the names ${other} and ${key}: ${told}`);
    names.set(text, key);
  }
  return broken;
}
