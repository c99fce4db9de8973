import { findHandOverOf, type HandOver } from "../account-system/hand-overs.ts";
import { type Calendar, dateAt } from "../calendar/business-days.ts";
import type { Database } from "../database/database.ts";
import { countUnknown } from "../deletion-requests/ledger/returned-accounts.ts";
import { completionOf, type DataList } from "../deletion-requests/life/checklist.ts";
import type { Refusal } from "../deletion-requests/life/life.ts";
import { parseReferenceBeginning } from "../deletion-requests/life/reference.ts";
import type { StoredRequest } from "../deletion-requests/life/request.ts";
import { readStanding } from "../deletion-requests/store/standing.ts";
import type { MailWriter } from "../deletion-requests/telling/mail-writer.ts";
import { listAwayOn } from "../deletion-requests/telling/presence.ts";
import type { Office } from "../deletion-requests/working/acts.ts";
import { draftMail, draftReceipt } from "../deletion-requests/working/apply-act.ts";
import { type QueuedRequest, withDaysLeft } from "../deletion-requests/working/reading.ts";
import { acts, findPossible, isUnknown, type Look, type Ready } from "./acts.ts";
import { listExtensions } from "./extensions.ts";
import { findByBeginning, type Mark, readMarks } from "./lists.ts";
import { pageSize, readToday } from "./today.ts";

/** What operators' pages read; what they do is done by `Desk`, like whatever the command line does. */
export type OperatorDesk = ReturnType<typeof createOperatorDesk>;

/** What makes the same request look otherwise to one operator than to another, and today than tomorrow. */
export type Sight = {
  /** Whose page it is. */
  name: string;
  today: Temporal.PlainDate;
  /** Who of the team is away until when, by name. */
  away: ReadonlyMap<string, Temporal.PlainDate>;
  /** By the ids of requests. */
  marks: ReadonlyMap<number, ReadonlySet<Mark>>;
};

/** A mail as it would be sent. */
export type Draft =
  | { ok: true; subject: string; text: string; language: string }
  | { ok: false; refusal: Refusal };

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

    readToday: (after?: string) => readToday(services, after),

    standing: () => readStanding(database.read, { today: today() }),

    /** @param stretch of the queue, of which each request's marks are wanted */
    sightOf: async (name: string, stretch: readonly StoredRequest[] = []): Promise<Sight> => ({
      name,
      today: today(),
      away: await listAwayOn(database.read, today()),
      marks: await readMarks(database.read, stretch),
    }),

    withDaysLeft: (request: StoredRequest) => withDaysLeft(services, request),

    /** What a search finds that knows only how a reference or an address begins; one more than a page tells that there are. */
    async findByBeginning(typed: string): Promise<{ requests: QueuedRequest[]; more: boolean }> {
      const address = typed.trim().toLowerCase();
      if (address.length < 2) return { requests: [], more: false };
      const beginning = { reference: parseReferenceBeginning(typed), address };
      const found = await findByBeginning(database.read, beginning, pageSize + 1);
      return {
        requests: found.slice(0, pageSize).map((request) => withDaysLeft(services, request)),
        more: found.length > pageSize,
      };
    },

    acts,
    findPossible,
    isUnknown,

    /** A request as somebody of the team looks at it now, for saying or doing what is possible. */
    look: ({ request, mails }: Pick<Look, "request" | "mails">, name: string): Look => ({
      office: services,
      ...{ dataList, request, mails, name },
      now: clock(),
    }),

    /** What the form of an act is made from, for some requests: the dates that may be promised to all of them among it. */
    matterOf: (requests: readonly StoredRequest[]) => ({
      ...{ acts, requests, dataList },
      extensions: listExtensions(services, requests, clock()),
    }),

    /** The mail that an act would send now, in the language of its reader. */
    draft(request: StoredRequest, ready: Ready, look: Look): Draft {
      const by = { actor: "operator", name: look.name } as const;
      const act = ready.toAct?.(look);
      const draft = ready.found
        ? draftReceipt(request, completionOf(dataList, ready.found, today()), noToken, clock())
        : act && act.type !== "approve"
          ? draftMail(services, request, act, by, noToken, clock())
          : undefined;
      if (!draft?.ok || !draft.message) {
        return { ok: false, refusal: draft && !draft.ok ? draft.refusal : "not-yours-to-do" };
      }
      const { language } = request;
      const to = { toContact: request.contact !== undefined };
      const { subject, text } = services.writeMail(draft.message, language, to);
      return { ok: true, subject, text, language };
    },

    /** What the account system was told of a request, and what it said. */
    handOver: (requestId: number): Promise<HandOver | undefined> =>
      findHandOverOf(database.read, { requestId }),

    /** How many ended requests no address can be compared with, because their key is missing. */
    countUnknown: () => countUnknown(database.read, keys),
  };
}
