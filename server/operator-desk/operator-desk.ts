import { type Compilable, type SelectQueryBuilder, sql } from "kysely";
import { type DeletionJob, findJobOf } from "../account-system/deletion-jobs.ts";
import { dateAt } from "../calendar/business-days.ts";
import type { Tables } from "../database/schema.ts";
import { counting, everything, listing, reading } from "../database/statement.ts";
import { type By, decide, isSameName, type Refusal } from "../deletion-requests/life/life.ts";
import {
  isWorking,
  ownerOf,
  parseReferenceBeginning,
  type StoredRequest,
  waitOf,
} from "../deletion-requests/life/request.ts";
import { enterAct, findLastEvent, listEvents } from "../deletion-requests/store/audit-log.ts";
import { listSubmissions } from "../deletion-requests/store/forms.ts";
import { findListed } from "../deletion-requests/store/lists.ts";
import { findOpenRequest, openNames, readStanding } from "../deletion-requests/store/requests.ts";
import { findGrace, type Grace } from "../deletion-requests/store/restore-letters.ts";
import type { MailWriter } from "../deletion-requests/telling/mail-writer.ts";
import { listAwayOn } from "../deletion-requests/telling/presence.ts";
import { collectSubject } from "../deletion-requests/telling/subject.ts";
import {
  type DeskAct,
  declarations,
  findWhyNot,
  isAct,
  type LookAround,
  mostAtOnce,
  type PageAct,
  readAct,
  readChoice,
} from "../deletion-requests/working/acts.ts";
import { draftMail, type RequestServices } from "../deletion-requests/working/apply-act.ts";
import {
  findTyped,
  listQueue,
  lookUp,
  type Services,
  withDaysLeft,
} from "../deletion-requests/working/reading.ts";
import type { Typed, Wrong } from "../forms/typed.ts";
import { listMessages } from "../outbox/outbox.ts";
import { undoMinutes } from "../terms.ts";
import { createDrafts } from "./drafts.ts";
import { fitDate, listDates, suggestDate } from "./later-dates.ts";

/** What operators' pages read; what they do is done by `Desk`, like whatever the command line does. */
export type OperatorDesk = ReturnType<typeof createOperatorDesk>;

/** Several requests to which one thing is to be done. */
export type Chosen = Awaited<ReturnType<OperatorDesk["readChosen"]>>;

export type Sight = Awaited<ReturnType<OperatorDesk["sightOf"]>>;

/** A request as a list shows it. */
export type ListedRequest = Awaited<ReturnType<typeof listOnes>>[number];

/** Takes the place of the secret link in a previewed email. */
const dots = "…";

/** What an act would make of a request and the email it would send; or why it can't be done. */
export type Preview =
  | { kind: "wrong"; wrong: Wrong[] }
  | { kind: "refused"; refusal: Refusal; request: StoredRequest; grace?: Grace | undefined }
  | { kind: "unexplained" | "not-found" }
  | { kind: "another-address"; reference: string | undefined }
  | {
      kind: "ready";
      before: StoredRequest;
      after: StoredRequest;
      /** Undefined if the act sends none. */
      mail: { subject: string; text: string } | undefined;
    };

export function createOperatorDesk(
  services: RequestServices & LookAround["services"] & { writeMail: MailWriter },
) {
  const { database, calendar, clock, dataList } = services;
  const today = () => dateAt(calendar, clock());

  /** Somebody of the team as they look now at a request, or at none, for saying or doing what is possible. */
  const look = <Of extends object>(of: Of, name: string) => ({
    ...of,
    services,
    name,
    now: clock(),
  });

  /** What the form of an act is made from, for some requests or none. */
  const matterOf = (requests: readonly ListedRequest[]) => ({
    requests,
    dataList,
    today: today(),
    dates: listDates(services, requests, clock()),
    /** Whether one operator may approve what they entered. */
    isAlone: services.secondPerson === false,
  });

  return {
    dataList,
    drafts: createDrafts(services),
    list: (ones: readonly { reference: string }[]) => listOnes(services, ones),
    readToday: (after?: string) => readToday(services, after),
    search: (typed: string) => searchByBeginning(services, typed),

    /** Of those that were chosen what can be worked on, why something cannot be done to each, and the matter of its form. */
    async readChosen(act: PageAct, choices: readonly string[], name: string) {
      const chosen = [...new Set(choices)].slice(0, mostAtOnce).map(readChoice);
      const requests = (await listOnes(services, chosen)).filter(isWorking);
      const whyNot = new Map<string, { because: Refusal; grace: Grace | undefined }>();
      for (const request of requests) {
        const grace = await findGrace(database.read, request.id, clock());
        const because = findWhyNot(act, look({ request, mails: [], events: [], grace }, name));
        if (because) whyNot.set(request.reference, { because, grace });
      }
      const able = requests.filter(({ reference }) => !whyNot.has(reference));
      const matter = {
        ...matterOf(able),
        words: await readWords(services, able),
        suggested: act === "later" ? await suggestDate(services, able, clock()) : undefined,
      };
      return { act, requests, whyNot, matter };
    },

    /** The first day by which the team can do a request and all that is due before it. */
    suggestDate: (request: ListedRequest) =>
      isWorking(request) ? suggestDate(services, [request], clock()) : undefined,

    fitDate: (request: StoredRequest, target: Temporal.PlainDate) =>
      fitDate(services, request, target, clock()),

    /** The next request in Today's order that this operator can work on, other than those just dealt with. */
    async findNext(name: string, dealtWith: readonly string[]) {
      const { requests = [] } = (await listQueue(services, ["working"], pageSize)) ?? {};
      return (await listOnes(services, requests)).find((request) => {
        const owner = ownerOf(request);
        const isFree = owner === undefined || isSameName(owner, name);
        const isOpen = isWorking(request) && !request.done && !waitOf(request);
        return isOpen && isFree && !request.marks.system && !dealtWith.includes(request.reference);
      });
    },

    standing: () => readStanding(database.read, { today: today() }),

    /** What makes the same request look otherwise to one operator, whose page it is, than to another. */
    sightOf: async (name: string) => ({
      name,
      away: await listAwayOn(database.read, today()),
      isAlone: services.secondPerson === false,
    }),

    look,
    matterOf,

    /** What the form of an act would do and send, without doing it. */
    async preview(act: DeskAct, typed: Typed, reference: string, name: string): Promise<Preview> {
      const request = await findTyped(services, reference);
      if (!request || !isAct(act)) return { kind: "not-found" };
      const mails = await listMessages(database.read, { requestId: request.id });
      const events = await listEvents(database.read, {
        requestId: request.id,
        limit: everything,
        id: 0,
      });
      const grace = await findGrace(database.read, request.id, clock());
      const seen = look({ request, mails, events, grace }, name);
      const refusal = findWhyNot(act, seen);
      if (refusal) return { kind: "refused", refusal, request, grace };
      const asked = readAct(act, typed, seen);
      if (!("type" in asked)) return { kind: "wrong", wrong: asked };
      const declared = declarations[act];
      if (!("makes" in declared)) return { kind: "not-found" };
      const made = declared.makes(asked, seen);
      if ("ok" in made) return { kind: "refused", refusal: made.refusal, request };
      if ("kind" in made) {
        if (made.kind === "unexplained") return { kind: "unexplained" };
        const meant = made.email && (await findOpenRequest(database.read, made.email));
        return { kind: "another-address", reference: meant?.reference };
      }
      const asOperator = { actor: "operator", name } as const;
      let by: By = asOperator;
      let from: StoredRequest = request;
      if (made.type === "complete") {
        const done = decide(services, request, made, asOperator, clock());
        if (!done.ok) return { kind: "refused", refusal: done.refusal, request };
        // The clock ends a request that was called done, and sends the receipt.
        by = { actor: "system" };
        from = done.after;
      }
      const decision = decide(services, from, made, by, clock());
      if (!decision.ok) return { kind: "refused", refusal: decision.refusal, request };
      const message = draftMail(services, from, made, by, dots, clock());
      const toContact = request.contact !== undefined;
      const mail = message && services.writeMail(message, request.language, { toContact });
      return {
        kind: "ready",
        before: request,
        after: decision.after,
        mail: mail && { subject: mail.subject, text: mail.text },
      };
    },

    /** Everything that is held about an address, to be handed out; entered with the references alone. */
    async takeSubject(address: string, name: string) {
      const found = await lookUp(services, address);
      const subject = await collectSubject(services, address, found);
      const about = found.map(({ reference }) => reference).join(" ");
      const entry = { at: clock(), name, act: "subject-file", about } as const;
      await database.write((transaction) => enterAct(transaction, entry));
      return subject;
    },

    /** What the account system was told of a request, and what it said. */
    job: (requestId: number): Promise<DeletionJob | undefined> =>
      findJobOf(database.read, { requestId }),
  };
}

// What the one list shows: what there is to do, and what is looked for.

/** So many on a page. */
const pageSize = 50;

/**
 * What there is to do, the same for everybody: first what can be undone, then everything by its date.
 * @param after the reference behind which the page begins; one that there is not begins with the first page
 */
export async function readToday(services: Services, after?: string) {
  const { read } = services.database;
  const behind = after && (await findTyped(services, after)) ? after : undefined;
  const shown = (ones: readonly Named[]) => (behind ? [] : listOnes(services, ones));
  const deletedHeld = await listDeletedHeld(read, { limit: pageSize });
  const toApprove = await listToApprove(read, { limit: pageSize });
  const since = services.clock().subtract({ minutes: undoMinutes });
  const undoable = [
    ...(await listPutOff(services, since)),
    ...(await listCalledDone(read, { limit: pageSize })),
    ...(await listJustEnded(read, { since, limit: pageSize })),
  ];
  const page = await listQueue(services, ["working"], pageSize, behind);
  const { requests = [], hasMore = false } = page ?? {};
  const isAbove = new Set([...deletedHeld, ...undoable].map(({ id }) => id));
  return {
    /** What the account system says to have deleted although it is on hold: before everything else. */
    deletedHeld: await shown(deletedHeld),
    /** What can still be taken back: for ten minutes it stands before everything. */
    undoable: await shown(undoable),
    /** Of these, the references that one form dealt with together. */
    batches: behind ? [] : await findBatches(services, undoable),
    toApprove: await shown(toApprove),
    /** A page of the queue by date, whoever is at work on it. */
    queue: (await listOnes(services, requests)).filter(
      (request) => isWorking(request) && !request.done && !isAbove.has(request.id),
    ),
    /** The reference behind which the next page begins; undefined on the last. */
    next: hasMore ? requests.at(-1)?.reference : undefined,
    /** How many wait for their person, of whom nobody can do anything. */
    unconfirmed: await countSilent(read),
  };
}

/** Groups requests by the form of which their last event came; a form for a single request is no batch. */
async function findBatches(
  { database }: Services,
  requests: readonly Named[],
): Promise<string[][]> {
  const batches = new Map<string, string[]>();
  for (const { id, reference } of requests) {
    const { formKey } = (await findLastEvent(database.read, { requestId: id })) ?? {};
    if (formKey) batches.set(formKey, [...(batches.get(formKey) ?? []), reference]);
  }
  return [...batches.values()].filter(({ length }) => length > 1);
}

/**
 * By a whole reference or address whatever became of it, else by how one of them begins.
 * @returns a page of them, and whether there are more
 */
export async function searchByBeginning(
  services: Services,
  typed: string,
): Promise<{ requests: ListedRequest[]; more: boolean }> {
  const whole = await lookUp(services, typed);
  const address = typed.trim().toLowerCase();
  if (whole.length > 0 || address.length < 2) {
    return { requests: await listOnes(services, whole), more: false };
  }
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
    requests: await listOnes(services, begun.slice(0, pageSize)),
    more: begun.length > pageSize,
  };
}

/** Requests as a list shows them, each with what its row says beside its date. */
async function listOnes(services: Services, ones: readonly { reference: string }[]) {
  const { read } = services.database;
  const rows = await Promise.all(ones.map(({ reference }) => findListed(read, { reference })));
  return rows
    .filter((row) => row !== undefined)
    .map(({ request, seen, wrote, undelivered, asked }) => {
      // Nobody took it from the account system that has it.
      const system = asked && ownerOf(request) === undefined;
      const canCheck =
        request.state === "received" &&
        request.approvableAt !== undefined &&
        Temporal.Instant.compare(request.approvableAt, services.clock()) <= 0;
      const marks = { wrote, undelivered, system };
      return { ...withDaysLeft(services, request), seen, canCheck, marks };
    });
}

/** What people wrote to us with their requests, by reference. */
async function readWords(
  { database }: Services,
  requests: readonly ListedRequest[],
): Promise<ReadonlyMap<string, readonly string[]>> {
  const words = new Map<string, readonly string[]>();
  for (const { id, reference, marks } of requests) {
    if (!marks.wrote) continue;
    const forms = await listSubmissions(database.read, { requestId: id, limit: pageSize, id: 0 });
    words.set(
      reference,
      forms.map(({ feedback }) => feedback).filter((text) => text !== ""),
    );
  }
  return words;
}

type Named = { id: number; reference: string };
type RequestRows = SelectQueryBuilder<Tables, "requests", Named>;

/** @param narrow says which requests, and in which order */
function narrowing<Values = unknown>(
  narrow: (requests: RequestRows, values: Values) => { limit(most: number): Compilable<Named> },
) {
  return reading((tables, values: Values & { limit: number }) => {
    const requests = tables.selectFrom("requests").select(["requests.id", "requests.reference"]);
    return narrow(requests, values).limit(values.limit);
  });
}

/** Entered for closed mailboxes, waiting for the second person; the soonest to expire first. */
const listToApprove = listing("requests", { state: ["=", "received"], enteredBy: "is not null" }, [
  "expiresAt",
]);

/** Those whose person has not confirmed them, and nobody else can. */
const countSilent = counting("requests", { state: ["=", "received"], enteredBy: "is null" });

/** What the account system says to have deleted although an operator keeps it waiting: the first thing to look at. */
const listDeletedHeld = narrowing((requests) =>
  requests
    .innerJoin("hand_overs", "hand_overs.request_id", "requests.id")
    .where("hand_overs.state", "=", sql.lit("deleted-held"))
    .where("requests.ended_at", "is", null)
    .orderBy("hand_overs.id"),
);

/** What is called done and can still be taken back, the longest ago first. */
const listCalledDone = listing("requests", { doneAt: "is not null", endedAt: "is null" }, [
  "doneAt",
]);

/** What was refused or cancelled since then and nobody was told of: before, a mail has left. The longest ago first. */
const listJustEnded = narrowing((requests, { since }: { since: Temporal.Instant }) =>
  requests
    .where("ended_at", "is not", null)
    .where("ended_at", ">", since)
    .where("state", "<>", sql.lit("completed"))
    .where("ended_by", "in", ["operator", "system"])
    .where("told_at", "is", null)
    .where("erased_at", "is", null)
    .orderBy("ended_at"),
);

/** Open ones that an operator promised for later or put on hold since then, the longest ago first. */
const listPromised = narrowing((requests, { since }: { since: Temporal.Instant }) =>
  requests
    .innerJoin("request_events", "request_events.request_id", "requests.id")
    .where("request_events.at", ">", since)
    .where("request_events.actor", "=", sql.lit("operator"))
    .where("request_events.type", "in", putOff)
    .where("requests.ended_at", "is", null)
    .where("requests.done_at", "is", null)
    // In the order of the index of operators' events, so that nothing older is read.
    .orderBy("request_events.at")
    .orderBy("request_events.id"),
);

const putOff: readonly string[] = ["hold", "extend"];

/** Later dates and holds that nobody has undone or changed since. */
async function listPutOff(services: Services, since: Temporal.Instant): Promise<Named[]> {
  const { read } = services.database;
  const found = await listPromised(read, { since, limit: pageSize });
  const once = [...new Map(found.map((one) => [one.id, one])).values()];
  const last = await Promise.all(once.map(({ id }) => findLastEvent(read, { requestId: id })));
  return once.filter((_, index) => putOff.includes(last[index]?.type ?? ""));
}

type Beginning = { from: string; below: string };

/** Requests of which a reference begins so. */
const listByReference = narrowing((requests, { from, below }: Beginning) =>
  requests
    .innerJoin("submissions", "submissions.request_id", "requests.id")
    .where("submissions.reference", ">=", from)
    .where("submissions.reference", "<", below)
    .orderBy("submissions.reference"),
);

/** Open ones of which the address begins so. */
const listByAddress = narrowing((requests, { from, below }: Beginning) =>
  requests
    .where("email_match", ">=", from)
    .where("email_match", "<", below)
    .where("state", "in", openNames)
    .orderBy("email_match"),
);
