import { findHandOverOf, type HandOver } from "../account-system/hand-overs.ts";
import { type Calendar, dateAt } from "../calendar/business-days.ts";
import type { Database } from "../database/database.ts";
import type { DataList } from "../deletion-requests/checklist.ts";
import { type QueuedRequest, type Story, withDaysLeft } from "../deletion-requests/desk.ts";
import { countUnknown } from "../deletion-requests/ledger.ts";
import type { Refusal } from "../deletion-requests/life.ts";
import type { MailWriter } from "../deletion-requests/mail-writer.ts";
import { listAwayOn } from "../deletion-requests/presence.ts";
import type { StoredRequest } from "../deletion-requests/store/request.ts";
import { draftMail, type Office } from "../deletion-requests/transitions.ts";
import type { Sorting, View } from "./acts.ts";
import { isAtWork } from "./at-work.ts";
import { findHoldDays, listExtensions } from "./extensions.ts";
import { listView, sortingsOf } from "./lists.ts";
import type { Place } from "./places.ts";
import { findPossible } from "./possible.ts";
import { readToday } from "./today.ts";

/** What operators' pages read; what they do is done by `Desk`, like whatever the command line does. */
export type OperatorDesk = ReturnType<typeof createOperatorDesk>;

/** Whose page it is, which day, and who of the team is away until when, by name. */
export type Sight = {
  name: string;
  today: Temporal.PlainDate;
  away: ReadonlyMap<string, Temporal.PlainDate>;
};

/** A mail as it would be sent. */
export type Draft =
  | { ok: true; subject: string; text: string; language: string }
  | { ok: false; refusal: Refusal };

type DraftedAct = Parameters<typeof draftMail>[2];

/** Stands in a draft where the mail has its link. */
const noToken = "…";

export function createOperatorDesk(
  services: Office & {
    database: Database;
    clock: () => Temporal.Instant;
    dataList: DataList;
    writeMail: MailWriter;
  },
) {
  const { database, calendar, clock, dataList, keys } = services;
  const today = () => dateAt(calendar, clock());
  return {
    calendar: calendar as Calendar,
    dataList,
    now: clock,
    today,

    readToday: (name: string) => readToday(services, name),

    /** What makes the same request look otherwise to one operator than to another, and today than tomorrow. */
    sightOf: async (name: string): Promise<Sight> => ({
      name,
      today: today(),
      away: await listAwayOn(database.read, today()),
    }),

    withDaysLeft: (requests: readonly StoredRequest[]): QueuedRequest[] =>
      requests.map((request) => withDaysLeft(calendar, today(), request)),

    /** @param asked.name whose work `mine` means */
    list: (asked: {
      view: View;
      sorting?: Sorting | undefined;
      after?: Place | undefined;
      name: string;
      limit: number;
    }) => listView(database.read, { ...asked, today: today() }),

    possible: (story: Pick<Story, "request" | "mails">, name: string) =>
      findPossible(services, story, name, clock()),

    extensions: (request: StoredRequest) => listExtensions(services, request, clock()),

    /** On which days a hold may end. */
    holdDays: (request: StoredRequest) => findHoldDays(services, request, clock()),

    /** The mail that an act would send now, in the language of its reader. */
    draft(request: StoredRequest, act: DraftedAct, name: string): Draft {
      const by = { actor: "operator", name } as const;
      const draft = draftMail(services, request, act, by, noToken, clock());
      if (!draft.ok || !draft.message) {
        return { ok: false, refusal: draft.ok ? "not-yours-to-do" : draft.refusal };
      }
      const { language } = request;
      const to = { toContact: request.contact !== undefined };
      const { subject, text } = services.writeMail(draft.message, language, to);
      return { ok: true, subject, text, language };
    },

    /** What the account system was told of a request, and what it said. */
    handOver: (requestId: number): Promise<HandOver | undefined> =>
      findHandOverOf(database.read, requestId),

    /** The ids of those begun ones that the account system works on. */
    async atSystem(requests: readonly StoredRequest[]): Promise<ReadonlySet<number>> {
      const found = new Set<number>();
      for (const request of requests) {
        if (request.state !== "in-progress" || request.owner !== undefined) continue;
        const handOver = await findHandOverOf(database.read, request.id);
        if (handOver && isAtWork(request, handOver)) found.add(request.id);
      }
      return found;
    },

    /** In which orders a view can be shown, its usual one first. */
    sortingsOf,

    /** How many ended requests no address can be compared with, because their key is missing. */
    countUnknown: () => countUnknown(database.read, keys),
  };
}
