import { findHandOverOf, type HandOver } from "../account-system/hand-overs.ts";
import { dateAt } from "../calendar/business-days.ts";
import type { Database } from "../database/database.ts";
import type { DataList } from "../deletion-requests/life/checklist.ts";
import { isWorking, type StoredRequest } from "../deletion-requests/life/request.ts";
import { enterAct } from "../deletion-requests/store/audit-log.ts";
import { readStanding } from "../deletion-requests/store/finding.ts";
import type { MailWriter } from "../deletion-requests/telling/mail-writer.ts";
import { listAwayOn } from "../deletion-requests/telling/presence.ts";
import { collectSubject } from "../deletion-requests/telling/subject.ts";
import type { Office } from "../deletion-requests/working/acts.ts";
import { draftMail } from "../deletion-requests/working/apply-act.ts";
import {
  createReading,
  type QueuedRequest,
  withDaysLeft,
} from "../deletion-requests/working/reading.ts";
import { mostAtOnce } from "./act-names.ts";
import { acts, findWhyNot, isUnknown, type Look, listExtensions, type Ready } from "./acts.ts";
import { type Mark, readMarks, readToday, search } from "./today.ts";

/** What operators' pages read; what they do is done by `Desk`, like whatever the command line does. */
export type OperatorDesk = ReturnType<typeof createOperatorDesk>;

/** Several requests to which one thing is to be done. */
export type Chosen = Awaited<ReturnType<OperatorDesk["readChosen"]>>;

/** What makes the same request look otherwise to one operator than to another. */
export type Sight = {
  /** Whose page it is. */
  name: string;
  /** Who of the team is away until when, by name. */
  away: ReadonlyMap<string, Temporal.PlainDate>;
  /** By the ids of requests. */
  marks: ReadonlyMap<number, ReadonlySet<Mark>>;
};

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
  const { database, calendar, clock, dataList } = services;
  const today = () => dateAt(calendar, clock());

  /** A request as somebody of the team looks at it now, for saying or doing what is possible. */
  const look = ({ request, mails }: Pick<Look, "request" | "mails">, name: string): Look => ({
    ...{ office: services, dataList, request, mails, name },
    now: clock(),
  });

  /** What the form of an act is made from, for some requests: the dates that may be promised to all of them among it. */
  const matterOf = (requests: readonly StoredRequest[]) => ({
    ...{ acts, requests, dataList },
    extensions: listExtensions(services, requests, clock()),
  });

  return {
    dataList,
    now: clock,
    today,

    readToday: (after?: string) => readToday(services, after),
    search: (typed: string) => search(services, typed),

    /** Of those with these references what can be worked on, whether something can be done to each, and the matter of its form. */
    async readChosen(act: "complete" | "later", references: readonly string[], name: string) {
      const { find } = createReading(services);
      const requests: QueuedRequest[] = [];
      for (const reference of new Set(references.slice(0, mostAtOnce))) {
        const request = await find(reference);
        if (request && isWorking(request)) requests.push(withDaysLeft(services, request));
      }
      const whyNot = new Map(
        requests.map((request) => [
          request.reference,
          acts[act].whyNot(look({ request, mails: [] }, name)),
        ]),
      );
      const matter = matterOf(requests.filter(({ reference }) => !whyNot.get(reference)));
      return { act, requests, whyNot, matter };
    },

    standing: () => readStanding(database.read, { today: today() }),

    /** @param stretch of the queue, of which each request's marks are wanted */
    sightOf: async (name: string, stretch: readonly StoredRequest[] = []): Promise<Sight> => ({
      name,
      away: await listAwayOn(database.read, today()),
      marks: await readMarks(database.read, stretch),
    }),

    ...{ acts, findWhyNot, isUnknown, look, matterOf },

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
