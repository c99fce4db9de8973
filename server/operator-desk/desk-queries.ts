import { type Compilable, type SelectQueryBuilder, sql } from "kysely";
import { type DeletionJob, findJobOf } from "../account-system/deletion-jobs.ts";
import {
  type ActSurroundings,
  type DeskAct,
  declarations,
  findWhyNot,
  isAct,
  mostAtOnce,
  type PageAct,
  readAct,
  readChoice,
} from "../deletion-requests/commands/acts.ts";
import { draftMail, type RequestServices } from "../deletion-requests/commands/apply-act.ts";
import type { MailWriter } from "../deletion-requests/mails/mail-writer.ts";
import { collectPersonalData } from "../deletion-requests/presenters/personal-data.ts";
import {
  findTyped,
  listQueue,
  lookUp,
  type QueryServices,
  withDaysLeft,
} from "../deletion-requests/queries/request-queries.ts";
import { findLastEvent, listEvents, recordAct } from "../deletion-requests/repository/audit-log.ts";
import { listAwayOn } from "../deletion-requests/repository/presence.ts";
import { findListed } from "../deletion-requests/repository/request-lists.ts";
import {
  countByState,
  findOpenRequest,
  openNames,
} from "../deletion-requests/repository/requests.ts";
import {
  countGraces,
  findGrace,
  type Grace,
} from "../deletion-requests/repository/restore-letters.ts";
import { listSubmissions } from "../deletion-requests/repository/submissions.ts";
import {
  holdOf,
  isWorking,
  ownerOf,
  parseReferenceBeginning,
  type StoredRequest,
} from "../deletion-requests/state-machine/request.ts";
import {
  type Act,
  isSameName,
  type Refusal,
  transition,
} from "../deletion-requests/state-machine/state-machine.ts";
import { listMessages } from "../delivery/outbox.ts";
import { undoMinutes } from "../periods.ts";
import { dateAt } from "../platform/calendar/business-days.ts";
import type { Tables } from "../platform/database/schema.ts";
import { counting, everything, listing, reading } from "../platform/database/statement.ts";
import type { FieldError, FormValues } from "../platform/forms/form-values.ts";
import { createDrafts } from "./drafts.ts";
import { fitDate, listDates, suggestDate } from "./later-dates.ts";

/**
 * Queries for the operators' pages, and the operators' drafts. Changes to requests go through
 * `Desk`, which the command line also uses.
 */
export type OperatorDesk = ReturnType<typeof createDeskQueries>;

/** The requests selected for an act, with the choices of its form. */
export type Chosen = Awaited<ReturnType<OperatorDesk["readChosen"]>>;

export type Viewer = Awaited<ReturnType<OperatorDesk["viewerOf"]>>;

/** A request with the details that are shown in lists. */
export type ListedRequest = Awaited<ReturnType<typeof listWithDetails>>[number];

/** Placeholder for the secret link in the preview of an email. */
const dots = "…";

/**
 * Result of a preview: how an act would change a request and which email it would send, or why the
 * act is impossible.
 */
export type Preview =
  | { kind: "wrong"; wrong: FieldError[] }
  | { kind: "refused"; refusal: Refusal; request: StoredRequest; grace?: Grace | undefined }
  | { kind: "unexplained" | "not-found" }
  | { kind: "another-address"; reference: string | undefined }
  | {
      kind: "ready";
      before: StoredRequest;
      after: StoredRequest;
      /** The email that the act would send, or `undefined` if it would send none. */
      mail: { subject: string; text: string } | undefined;
    };

export function createDeskQueries(
  services: RequestServices & ActSurroundings["services"] & { writeMail: MailWriter },
) {
  const { database, calendar, clock, dataList } = services;
  const today = () => dateAt(calendar, clock());

  /** Adds the context that the guards of acts need. */
  const contextOf = <Of extends object>(of: Of, name: string) => ({
    ...of,
    services,
    name,
    now: clock(),
  });

  /** Collects the choices that an act's form offers for the given requests. */
  const matterOf = (requests: readonly ListedRequest[]) => ({
    requests,
    dataList,
    today: today(),
    dates: listDates(services, requests, clock()),
    /** Whether the operator who entered a request may also approve it. */
    isAlone: services.secondPerson === false,
  });

  return {
    dataList,
    drafts: createDrafts(services),
    list: (requests: readonly { reference: string }[]) => listWithDetails(services, requests),
    readToday: (after?: string) => readToday(services, after),
    search: (typed: string) => searchByBeginning(services, typed),

    /**
     * Splits the selected requests into those that the act can change and those that it can't, with
     * the reasons. Also collects the choices for the act's form.
     */
    async readChosen(act: PageAct, choices: readonly string[], name: string) {
      const chosen = [...new Set(choices)].slice(0, mostAtOnce).map(readChoice);
      const requests = (await listWithDetails(services, chosen)).filter(isWorking);
      const whyNot = new Map<string, { because: Refusal; grace: Grace | undefined }>();
      for (const request of requests) {
        const grace = await findGrace(database.read, request.id, clock());
        const because = findWhyNot(act, contextOf({ request, mails: [], events: [], grace }, name));
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

    /**
     * Returns the earliest day by which the team can complete a request and all requests due before
     * it.
     */
    suggestDate: (request: ListedRequest) =>
      isWorking(request) ? suggestDate(services, [request], clock()) : undefined,

    fitDate: (request: StoredRequest, target: Temporal.PlainDate) =>
      fitDate(services, request, target, clock()),

    /**
     * Finds the next request that an operator can work on, in the order of the Today page. Skips
     * the requests in `dealtWith`.
     */
    async findNext(name: string, dealtWith: readonly string[]) {
      const { requests = [] } = (await listQueue(services, ["working"], pageSize)) ?? {};
      return (await listWithDetails(services, requests)).find((request) => {
        const owner = ownerOf(request);
        const isFree = owner === undefined || isSameName(owner, name);
        const isOpen = isWorking(request) && !request.done && !holdOf(request) && !request.grace;
        return isOpen && isFree && !request.marks.system && !dealtWith.includes(request.reference);
      });
    },

    standing: () => countByState(database.read, { today: today() }),

    /** Returns the details that determine how a request is shown to an operator. */
    viewerOf: async (name: string) => ({
      name,
      away: await listAwayOn(database.read, today()),
      isAlone: services.secondPerson === false,
    }),

    contextOf,
    matterOf,

    /** Previews an act's changes and its email without performing the act. */
    async preview(
      act: DeskAct,
      typed: FormValues,
      reference: string,
      name: string,
    ): Promise<Preview> {
      const request = await findTyped(services, reference);
      if (!request || !isAct(act)) return { kind: "not-found" };
      const mails = await listMessages(database.read, { requestId: request.id });
      const events = await listEvents(database.read, {
        requestId: request.id,
        limit: everything,
        id: 0,
      });
      const grace = await findGrace(database.read, request.id, clock());
      const seen = contextOf({ request, mails, events, grace }, name);
      const refusal = findWhyNot(act, seen);
      if (refusal) return { kind: "refused", refusal, request, grace };
      const read = readAct(act, typed, seen);
      if (read.kind === "wrong") return read;
      const declared = declarations[act];
      if (declared.kind === "effect") return { kind: "not-found" };
      const made = declared.makes(read.fields, seen);
      if (made.kind === "unexplained") return made;
      if (made.kind === "refused") return { ...made, request };
      if (made.kind === "another-address") {
        const openRequest = made.email && (await findOpenRequest(database.read, made.email));
        return { kind: made.kind, reference: openRequest?.reference };
      }
      return previewAct(services, request, made.act, name);
    },

    /**
     * Exports all data about an email address. The history records only the references of the
     * exported requests.
     */
    async takeSubject(address: string, name: string) {
      const found = await lookUp(services, address);
      const subject = await collectPersonalData(services, address, found);
      const about = found.map(({ reference }) => reference).join(" ");
      const entry = { at: clock(), name, act: "subject-file", about } as const;
      await database.write((transaction) => recordAct(transaction, entry));
      return subject;
    },

    /** Finds a request's deletion job, with the account system's answers. */
    job: (requestId: number): Promise<DeletionJob | undefined> =>
      findJobOf(database.read, { requestId }),
  };
}

/**
 * Previews an act. A completion takes effect only after the undo period, so its preview shows the
 * state after that period.
 */
function previewAct(
  { writeMail, ...services }: RequestServices & { writeMail: MailWriter },
  request: StoredRequest,
  act: Act,
  name: string,
): Preview {
  const now = services.clock();
  let how: Parameters<typeof draftMail>[0] = {
    rules: services,
    by: { actor: "operator", name },
    now,
  };
  let before = request;
  if (act.type === "complete") {
    const done = transition(request, act, how);
    if (!done.ok) return { kind: "refused", refusal: done.refusal, request };
    // After the undo period, the system closes a request that is marked as done and sends the
    // receipt.
    how = { ...how, by: { actor: "system" } };
    before = done.after;
  }
  const decision = transition(before, act, how);
  if (!decision.ok) return { kind: "refused", refusal: decision.refusal, request };
  const message = draftMail(how, before, act, dots);
  const toContact = request.contact !== undefined;
  const mail = message && writeMail(message, request.language, { toContact });
  return {
    kind: "ready",
    before: request,
    after: decision.after,
    mail: mail && { subject: mail.subject, text: mail.text },
  };
}

// The Today page and the search

const pageSize = 50;

/**
 * Reads the Today page: requests whose last act can still be undone, then the queue by date. The
 * page is the same for every operator.
 * @param after reference of the last request on the previous page. If it is unknown, the first page
 * is returned
 */
export async function readToday(services: QueryServices, after?: string) {
  const { read } = services.database;
  const behind = after && (await findTyped(services, after)) ? after : undefined;
  const shown = (listed: readonly Named[]) => (behind ? [] : listWithDetails(services, listed));
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
    /**
     * Requests whose accounts were deleted despite a hold, according to the account system. The
     * page shows them first.
     */
    deletedHeld: await shown(deletedHeld),
    /** Requests whose last act can still be undone. The page shows them above the queue. */
    undoable: await shown(undoable),
    /** References of the undoable requests, grouped by the form submission that changed them. */
    batches: behind ? [] : await findBatches(services, undoable),
    toApprove: await shown(toApprove),
    /** One page of the queue by date, for all owners. */
    queue: (await listWithDetails(services, requests)).filter(
      (request) => isWorking(request) && !request.done && !isAbove.has(request.id),
    ),
    /** Reference of the last request on this page, or `undefined` if there are no more pages. */
    next: hasMore ? requests.at(-1)?.reference : undefined,
    unconfirmed: await countSilent(read),
  };
}

/**
 * Groups requests by the form submission that caused their last event. Omits submissions that
 * changed only one request.
 */
async function findBatches(
  { database }: QueryServices,
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
 * Searches by email address or reference. A complete address or reference finds requests in any
 * state. The beginning of an address finds only open requests.
 * @returns one page of requests, and whether there are more
 */
export async function searchByBeginning(
  services: QueryServices,
  typed: string,
): Promise<{ requests: ListedRequest[]; more: boolean }> {
  const whole = await lookUp(services, typed);
  const address = typed.trim().toLowerCase();
  if (whole.length > 0 || address.length < 2) {
    return { requests: await listWithDetails(services, whole), more: false };
  }
  const { read } = services.database;
  const reference = parseReferenceBeginning(typed);
  // Both databases compare text by code unit, so `\uffff` sorts after any continuation of the
  // prefix.
  const beginning = (from: string) => ({ from, below: `${from}\uffff`, limit: pageSize + 1 });
  const rows = [
    ...(reference ? await listByReference(read, beginning(reference)) : []),
    ...(await listByAddress(read, beginning(address))),
  ];
  const matches = [...new Map(rows.map((row) => [row.id, row])).values()];
  return {
    requests: await listWithDetails(services, matches.slice(0, pageSize)),
    more: matches.length > pageSize,
  };
}

/** Loads the details that a list shows for each request. */
async function listWithDetails(
  services: QueryServices,
  requests: readonly { reference: string }[],
) {
  const { read } = services.database;
  const rows = await Promise.all(requests.map(({ reference }) => findListed(read, { reference })));
  const now = services.clock();
  const { waiting } = await countGraces(read, { now });
  const listed = rows.filter((row) => row !== undefined);
  return Promise.all(
    listed.map(async ({ request, seen, hasMessage, undelivered, isHandedOver }) => {
      // The account system is responsible for the request until an operator takes it over.
      const system = isHandedOver && ownerOf(request) === undefined;
      const canCheck =
        request.state === "received" &&
        request.approvableAt !== undefined &&
        Temporal.Instant.compare(request.approvableAt, now) <= 0;
      const marks = { wrote: hasMessage, undelivered, system };
      // After a restore, the requester has a day to cancel.
      const grace = waiting > 0 ? await findGrace(read, request.id, now) : undefined;
      return { ...withDaysLeft(services, request), seen, canCheck, marks, grace };
    }),
  );
}

/** Reads the messages that requesters sent with their requests, keyed by reference. */
async function readWords(
  { database }: QueryServices,
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

/**
 * Creates a query for a limited number of requests.
 * @param narrow adds the conditions and the order
 */
function narrowing<Values = unknown>(
  narrow: (requests: RequestRows, values: Values) => { limit(most: number): Compilable<Named> },
) {
  return reading((tables, values: Values & { limit: number }) => {
    const requests = tables.selectFrom("requests").select(["requests.id", "requests.reference"]);
    return narrow(requests, values).limit(values.limit);
  });
}

/**
 * Lists requests that were entered for a closed mailbox and need an operator's approval, earliest
 * expiry first.
 */
const listToApprove = listing("requests", { state: ["=", "received"], enteredBy: "is not null" }, [
  "expiresAt",
]);

/** Counts requests that only their requesters can confirm. */
const countSilent = counting("requests", { state: ["=", "received"], enteredBy: "is null" });

/**
 * Lists requests whose accounts were deleted despite a hold, according to the account system. They
 * are the most urgent requests.
 */
const listDeletedHeld = narrowing((requests) =>
  requests
    .innerJoin("hand_overs", "hand_overs.request_id", "requests.id")
    .where("hand_overs.state", "=", sql.lit("deleted-held"))
    .where("requests.ended_at", "is", null)
    .orderBy("hand_overs.id"),
);

/** Lists requests that are marked as done and can still be undone, oldest first. */
const listCalledDone = listing("requests", { doneAt: "is not null", endedAt: "is null" }, [
  "doneAt",
]);

/**
 * Lists requests that were refused or cancelled since the given time and whose final email hasn't
 * been sent yet, oldest first.
 */
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

/**
 * Lists open requests that an operator has extended or put on hold since the given time, oldest
 * first.
 */
const listPromised = narrowing((requests, { since }: { since: Temporal.Instant }) =>
  requests
    .innerJoin("request_events", "request_events.request_id", "requests.id")
    .where("request_events.at", ">", since)
    .where("request_events.actor", "=", sql.lit("operator"))
    .where("request_events.type", "in", postponing)
    .where("requests.ended_at", "is", null)
    .where("requests.done_at", "is", null)
    // Matches the order of the index on operators' events, so the query reads no older rows.
    .orderBy("request_events.at")
    .orderBy("request_events.id"),
);

const postponing: readonly string[] = ["hold", "extend"];

/** Lists requests whose most recent event is an extension or a hold since the given time. */
async function listPutOff(services: QueryServices, since: Temporal.Instant): Promise<Named[]> {
  const { read } = services.database;
  const found = await listPromised(read, { since, limit: pageSize });
  const once = [...new Map(found.map((row) => [row.id, row])).values()];
  const last = await Promise.all(once.map(({ id }) => findLastEvent(read, { requestId: id })));
  return once.filter((_, index) => postponing.includes(last[index]?.type ?? ""));
}

type Beginning = { from: string; below: string };

/** Lists requests whose reference starts with a prefix. */
const listByReference = narrowing((requests, { from, below }: Beginning) =>
  requests
    .innerJoin("submissions", "submissions.request_id", "requests.id")
    .where("submissions.reference", ">=", from)
    .where("submissions.reference", "<", below)
    .orderBy("submissions.reference"),
);

/** Lists open requests whose email address starts with a prefix. */
const listByAddress = narrowing((requests, { from, below }: Beginning) =>
  requests
    .where("email_match", ">=", from)
    .where("email_match", "<", below)
    .where("state", "in", openNames)
    .orderBy("email_match"),
);
