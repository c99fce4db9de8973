import { type Compilable, type Selectable, type SelectQueryBuilder, sql } from "kysely";
import { findHandOverOf, type HandOver } from "../account-system/hand-overs.ts";
import { dateAt } from "../calendar/business-days.ts";
import type { Tables } from "../database/schema.ts";
import { type Read, reading } from "../database/statement.ts";
import type { DataList } from "../deletion-requests/life/checklist.ts";
import {
  isWorking,
  parseReferenceBeginning,
  type StoredRequest,
  undoMinutes,
} from "../deletion-requests/life/request.ts";
import { enterAct } from "../deletion-requests/store/audit-log.ts";
import {
  countReceived,
  openNames,
  readStanding,
  toRequest,
  workingNames,
} from "../deletion-requests/store/requests.ts";
import type { MailWriter } from "../deletion-requests/telling/mail-writer.ts";
import { listAwayOn } from "../deletion-requests/telling/presence.ts";
import { collectSubject } from "../deletion-requests/telling/subject.ts";
import { draftMail, type OpenOffice } from "../deletion-requests/working/apply-act.ts";
import {
  createReading,
  type QueuedRequest,
  withDaysLeft,
} from "../deletion-requests/working/reading.ts";
import { listTroubledOwners } from "../outbox/outbox.ts";
import { acts, type Look, listExtensions, mostAtOnce, type Ready, type WhyNot } from "./acts.ts";

/** What operators' pages read; what they do is done by `Desk`, like whatever the command line does. */
export type OperatorDesk = ReturnType<typeof createOperatorDesk>;

/** Several requests to which one thing is to be done. */
export type Chosen = Awaited<ReturnType<OperatorDesk["readChosen"]>>;

export type Sight = Awaited<ReturnType<OperatorDesk["sightOf"]>>;

/** Stands in a draft where the mail has its link. */
const noToken = "…";

export function createOperatorDesk(
  services: OpenOffice & { dataList: DataList; writeMail: MailWriter },
) {
  const { database, calendar, clock, dataList } = services;
  const today = () => dateAt(calendar, clock());

  /** A request as somebody of the team looks at it now, for saying or doing what is possible. */
  const look = ({ request, mails }: Pick<Look, "request" | "mails">, name: string): Look => ({
    ...{ office: services, dataList, request, mails, name },
    now: clock(),
  });

  /** What the form of an act is made from, for some requests: the dates that may be promised to all of them among it. */
  const matterOf = (requests: readonly StoredRequest[]) => ({
    ...{ requests, dataList },
    extensions: listExtensions(services, requests, clock()),
  });

  return {
    dataList,
    now: clock,
    today,

    readToday: (after?: string) => readToday(services, after),
    search: (typed: string) => search(services, typed),

    /** Of those with these references what can be worked on, why something cannot be done to each, and the matter of its form. */
    async readChosen(act: "complete" | "later", references: readonly string[], name: string) {
      const { find } = createReading(services);
      const requests: QueuedRequest[] = [];
      const whyNot = new Map<string, WhyNot>();
      for (const reference of new Set(references.slice(0, mostAtOnce))) {
        const request = await find(reference);
        if (!request || !isWorking(request)) continue;
        requests.push(withDaysLeft(services, request));
        const because = acts[act].whyNot(look({ request, mails: [] }, name));
        if (because) whyNot.set(request.reference, because);
      }
      const matter = matterOf(requests.filter(({ reference }) => !whyNot.has(reference)));
      return { act, requests, whyNot, matter };
    },

    standing: () => readStanding(database.read, { today: today() }),

    /**
     * What makes the same request look otherwise to one operator than to another.
     * @param name whose page it is
     * @param stretch of the queue, of which each request's marks are wanted
     */
    sightOf: async (name: string, stretch: readonly StoredRequest[]) => ({
      name,
      away: await listAwayOn(database.read, today()),
      marks: await readMarks(database.read, stretch),
    }),

    ...{ look, matterOf },

    /** The mail that an act would send now, in the language of its reader; undefined where it would send none. */
    draft({ act }: Ready, { request, name }: Look) {
      // The receipt is what the clock sends.
      const by =
        act?.type === "complete"
          ? { actor: "system" as const }
          : { actor: "operator" as const, name };
      const message = act && draftMail(services, request, act, by, noToken, clock());
      if (!message) return undefined;
      const { language } = request;
      const to = { toContact: request.contact !== undefined };
      const { subject, text } = services.writeMail(message, language, to);
      return { subject, text, language };
    },

    /** Everything that is held about an address, to be handed out; entered with the references alone. */
    async takeSubject(address: string, name: string) {
      const found = await createReading(services).search(address);
      const subject = await collectSubject(services, address, found);
      const about = found.map(({ reference }) => reference).join(" ");
      const entry = { at: clock(), name, act: "subject-file", about } as const;
      await database.write((transaction) => enterAct(transaction, entry));
      return subject;
    },

    /** What the account system was told of a request, and what it said. */
    handOver: (requestId: number): Promise<HandOver | undefined> =>
      findHandOverOf(database.read, { requestId }),
  };
}

// What the one list shows: what there is to do, and what is looked for.

export type TodaysWork = {
  /** What the account system says to have deleted although it is on hold: before everything else. */
  deletedHeld: QueuedRequest[];
  /** What can still be taken back: for ten minutes it stands before everything. */
  undoable: QueuedRequest[];
  toApprove: QueuedRequest[];
  /** A page of the queue by date, whoever is at work on it. */
  queue: QueuedRequest[];
  /** The reference behind which the next page begins; undefined on the last. */
  next: string | undefined;
  /** How many wait for their person, of whom nobody can do anything. */
  unconfirmed: number;
};

type Listing = Parameters<typeof createReading>[0];

/** So many on a page. */
const pageSize = 50;

/**
 * What there is to do, the same for everybody: first what can be undone, then everything by its date.
 * @param after the reference behind which the page begins; one that there is not begins with the first page
 */
export async function readToday(services: Listing, after?: string): Promise<TodaysWork> {
  const { read } = services.database;
  const reading = createReading(services);
  const shown = (requests: readonly StoredRequest[]) =>
    after ? [] : requests.map((request) => withDaysLeft(services, request));
  const deletedHeld = await listDeletedHeld(read, { limit: pageSize });
  const toApprove = await listToApprove(read, { limit: pageSize });
  const since = services.clock().subtract({ minutes: undoMinutes });
  const undoable = [
    ...(await listDone(read, { limit: pageSize })),
    ...(await listJustEnded(read, { since, limit: pageSize })),
  ];
  const found = await reading.list(["working"], pageSize, after);
  if (!found) return readToday(services);
  const isAbove = new Set(deletedHeld.map(({ id }) => id));
  const isDone = (request: StoredRequest) => isWorking(request) && request.done;
  return {
    deletedHeld: shown(deletedHeld),
    undoable: shown(undoable),
    toApprove: shown(toApprove),
    queue: found.requests.filter((request) => !isDone(request) && !isAbove.has(request.id)),
    next: found.hasMore ? found.requests.at(-1)?.reference : undefined,
    unconfirmed: (await countReceived(read)) - toApprove.length,
  };
}

/**
 * By a whole reference or address whatever became of it, else by how one of them begins.
 * @returns a page of them, and whether there are more
 */
export async function search(
  services: Listing,
  typed: string,
): Promise<{ requests: QueuedRequest[]; more: boolean }> {
  const whole = await createReading(services).search(typed);
  const address = typed.trim().toLowerCase();
  if (whole.length > 0 || address.length < 2) return { requests: whole, more: false };
  const { read } = services.database;
  const reference = parseReferenceBeginning(typed);
  // Texts are compared sign by sign in both databases.
  const beginning = (from: string) => ({ from, below: `${from}\uffff`, limit: pageSize + 1 });
  const rows = [
    ...(reference ? await listByReference(read, beginning(reference)) : []),
    ...(await listByAddress(read, beginning(address))),
  ];
  const begun = [...new Map(rows.map((row) => [row.id, row])).values()];
  return {
    requests: begun.slice(0, pageSize).map((request) => withDaysLeft(services, request)),
    more: begun.length > pageSize,
  };
}

type RequestRows = SelectQueryBuilder<Tables, "requests", Selectable<Tables["requests"]>>;

/** @param narrow says which requests, and in which order */
function listing<Values = unknown>(
  narrow: (
    requests: RequestRows,
    values: Values,
  ) => { limit(most: number): Compilable<Selectable<Tables["requests"]>> },
) {
  return reading(
    (tables, values: Values & { limit: number }) =>
      narrow(tables.selectFrom("requests").selectAll("requests"), values).limit(values.limit),
    (rows) => rows.map(toRequest),
  );
}

/** Entered for closed mailboxes, waiting for the second person; the soonest to expire first. */
const listToApprove = listing((requests) =>
  requests
    .where("state", "=", sql.lit("received"))
    .where("entered_by", "is not", null)
    .orderBy("expires_at")
    .orderBy("id"),
);

/** What the account system says to have deleted although an operator keeps it waiting: the first thing to look at. */
const listDeletedHeld = listing((requests) =>
  requests
    .innerJoin("hand_overs", "hand_overs.request_id", "requests.id")
    .where("hand_overs.state", "=", sql.lit("deleted-held"))
    .where("requests.ended_at", "is", null)
    .orderBy("hand_overs.id"),
);

/** What is called done and can still be taken back, the longest ago first. */
const listDone = listing((requests) =>
  requests.where("done_at", "is not", null).where("ended_at", "is", null).orderBy("done_at"),
);

/** What was refused or cancelled since then and nobody was told of: before, a mail has left. */
const listJustEnded = listing((requests, { since }: { since: Temporal.Instant }) =>
  requests
    .where("ended_at", "is not", null)
    .where("ended_at", ">", since)
    .where("state", "in", [sql.lit("refused"), sql.lit("cancelled")])
    .where("ended_by", "in", ["operator", "system"])
    .where("told_at", "is", null)
    .where("erased_at", "is", null),
);

type Beginning = { from: string; below: string };

/** Requests of which a reference begins so. */
const listByReference = listing((requests, { from, below }: Beginning) =>
  requests
    .innerJoin("submissions", "submissions.request_id", "requests.id")
    .where("submissions.reference", ">=", from)
    .where("submissions.reference", "<", below)
    .orderBy("submissions.reference"),
);

/** Open ones of which the address begins so. */
const listByAddress = listing((requests, { from, below }: Beginning) =>
  requests
    .where("email_match", ">=", from)
    .where("email_match", "<", below)
    .where("state", "in", openNames)
    .orderBy("email_match"),
);

/** What a row says beside its date: somebody wrote something, a mail did not arrive, the account system is at it. */
export type Mark = "wrote" | "undelivered" | "system";

/** The marks of a stretch of the queue, by the ids of its requests. */
export async function readMarks(
  database: Read,
  stretch: readonly StoredRequest[],
): Promise<ReadonlyMap<number, ReadonlySet<Mark>>> {
  const marks = new Map<number, Set<Mark>>();
  const working = stretch.filter(isWorking);
  const [from, until] = [working.at(0)?.dueOn, working.at(-1)?.dueOn];
  if (!from || !until) return marks;
  const ids = working.map(({ id }) => id);
  const owners = { first: Math.min(...ids), last: Math.max(...ids) };
  const add = (id: number, mark: Mark) => marks.set(id, (marks.get(id) ?? new Set()).add(mark));
  for (const one of await markedByOthers(database, { from, until, ...owners })) {
    if (one.wrote !== undefined) add(one.id, "wrote");
    if (one.handOver !== undefined) add(one.id, "system");
  }
  for (const id of await listTroubledOwners(database, owners)) add(id, "undelivered");
  return marks;
}

type Stretch = Record<"from" | "until", Temporal.PlainDate> & Record<"first" | "last", number>;

/** Whose person wrote something, and which the account system has, while nobody took it from there. */
const markedByOthers = reading((tables, { from, until, first, last }: Stretch) =>
  tables
    .selectFrom("requests")
    .leftJoin("submissions", (join) =>
      join.onRef("submissions.request_id", "=", "requests.id").on("submissions.feedback", "<>", ""),
    )
    .leftJoin("hand_overs", (join) =>
      join
        .onRef("hand_overs.request_id", "=", "requests.id")
        .on("hand_overs.state", "in", [sql.lit("asked"), sql.lit("started")])
        .on("requests.owner", "is", null),
    )
    .select(["requests.id as id", "submissions.id as wrote", "hand_overs.id as handOver"])
    .where("requests.state", "in", workingNames)
    .where("requests.due_on", ">=", from)
    .where("requests.due_on", "<=", until)
    .where("requests.id", ">=", first)
    .where("requests.id", "<=", last),
);
