import type { Block } from "../../delivery/blocks.ts";
import { describeDeliveryCure, describeDeliveryProblem } from "../../delivery/delivery-problem.ts";
import type { State } from "../state-machine/request.ts";
import { mail, type NewsOf, strong } from "./mail-kind.ts";
import type { Wording } from "./wording.ts";

/**
 * Every kind of email to the team. To add a kind, add an entry here and its text to
 * `words/LANGUAGE/mail.yaml`.
 */
export const teamMails = {
  "operator-new": mail<{ reference: string; dueOn: string; daysLeft: number }>({
    isOptional: true,
    values: dueIn,
    samples: ({ reference, dueOn }) => [{ reference, dueOn, daysLeft: 10 }],
  }),

  "operator-due-soon": mail<{
    reference: string;
    dueOn: string;
    daysLeft: number;
    state: State;
  }>({
    isOptional: true,
    values: dueIn,
    rows: ({ state }, { words }) => [[words.facts.state, words.shared.states[state]]],
    samples: ({ reference, dueOn }) =>
      [2, 1, 0, -1, -2].map((daysLeft) => ({ reference, dueOn, state: "confirmed", daysLeft })),
  }),

  "operator-digest": mail<Digest>({
    values: ({ date, open, openCount, overdue, unconfirmed, troubledCount }, wording) => {
      const { words, inWords, number } = wording;
      const first = open[0] && Temporal.PlainDate.from(open[0].dueOn);
      return {
        // Without its year, the date fits on one line of a phone's screen.
        date: inWords.dayNearInMail(Temporal.PlainDate.from(date)),
        standing: inWords.standing(
          { open: openCount, late: overdue, first },
          words.shared.standing,
          inWords.dayNearInMail,
        ),
        unconfirmed: number(unconfirmed),
        troubledCount: number(troubledCount),
      };
    },
    details({ open, openCount, troubled, troubledCount, ...notices }, wording, { hasPages }) {
      const { title } = wording.words["operator-trouble"];
      return [
        ...listNotices(notices, wording),
        ...listOpen(open, openCount, wording, hasPages),
        ...(troubled.length > 0 ? [{ kind: "title", text: title } as const] : []),
        ...listTroubled(troubled, troubledCount, wording, hasPages),
      ];
    },
    samples: ({ reference, at, dueOn }) => {
      const sample = { reference, dueOn };
      return [
        {
          date: dueOn,
          open: [
            { ...sample, daysLeft: -2, state: "in-progress", owner: "Nadia", heldUntil: dueOn },
            { ...sample, daysLeft: 1, state: "confirmed", owner: "", heldUntil: "" },
          ],
          openCount: 60,
          unconfirmed: 3,
          troubled: [{ reference, kind: "confirm", problem: "recipient refused (550)" }],
          troubledCount: 2,
          overdue: 1,
          waitingSince: at,
          silentSince: at,
          freed: [reference],
          calendarEnd: "2026-12-25",
          nobodyOn: dueOn,
        },
        {
          date: dueOn,
          open: [],
          openCount: 0,
          unconfirmed: 0,
          overdue: 0,
          troubled: [],
          troubledCount: 0,
          waitingSince: "",
          calendarEnd: "none",
        },
      ];
    },
  }),

  "operator-trouble": mail<Troubled>({
    values: countTroubled,
    details: ({ troubled, troubledCount }, wording, { hasPages }) =>
      listTroubled(troubled, troubledCount, wording, hasPages),
    samples: ({ reference }) => [
      {
        troubled: [{ reference, kind: "completed", problem: "mail server too slow" }],
        troubledCount: 1,
      },
    ],
  }),

  "operator-full": mail<{ unconfirmed: number }>({
    values: ({ unconfirmed }, { number }) => ({ unconfirmed: number(unconfirmed) }),
    samples: () => [{ unconfirmed: 100_000 }],
  }),

  /**
   * An entered request expires within two business days unless an operator approves or refuses it.
   */
  "operator-second-look": mail<{ reference: string; fadesAt: string }>({
    values: ({ fadesAt }, { deadline }) => ({ fadesAt: deadline(fadesAt) }),
    samples: ({ reference, soon }) => [{ reference, fadesAt: soon }],
  }),

  /** Someone who reads the closed mailbox stopped the request. */
  "operator-stopped": mail<{ reference: string }>({
    samples: ({ reference }) => [{ reference }],
  }),

  /** To a new operator, with the sign-in link and its expiry. */
  "operator-invitation": mail<{
    name: string;
    link: string;
    validUntil: string;
    /** The operator who sent the invitation. */
    by?: string;
  }>({
    isUrgent: true,
    link: ({ link }) => link,
    variant: ({ by }) => !by && "unnamed",
    values: ({ name, by: inviter, validUntil }, { deadline }) => ({
      name,
      inviter,
      validUntil: deadline(validUntil),
    }),
    samples: ({ soon: validUntil }) => {
      const link = "https://example.org/operator/enrol#sample";
      return [
        { name: "Nadia", link, validUntil, by: "Kabir" },
        { name: "Nadia", link, validUntil },
      ];
    },
  }),

  /** To an operator's previous email address, after an invitation was sent to a new one. */
  "operator-moved": mail<{ name: string; before: string }>({
    values: ({ name }) => ({ name }),
    samples: () => [{ name: "Nadia", before: "nadia@uni.example" }],
  }),

  /**
   * To the admins and the owner of a recovery code: someone used the code after losing a device.
   */
  "operator-recovery": mail<{ name: string; device: string }>({
    isUrgent: true,
    values: ({ name, device }) => ({ name, device }),
    samples: () => [{ name: "Nadia", device: "Firefox, Android" }],
  }),

  /** The account system deleted an account although its request is on hold or has ended. */
  "operator-deleted-held": mail<{ reference: string; ended?: boolean }>({
    variant: ({ ended }) => ended && "ended",
    samples: ({ reference }) => [{ reference }, { reference, ended: true }],
  }),

  /** Calls to the account system failed or went unanswered. */
  "operator-account-system": mail<Troubled>({
    values: countTroubled,
    details: ({ troubled, troubledCount }, wording, { hasPages }) =>
      listTroubled(troubled, troubledCount, wording, hasPages),
    samples: ({ reference, dueOn }) => {
      const event = { reference, kind: "account.deletion.requested" };
      const troubled = [
        { ...event, problem: "no answer", dueOn },
        { ...event, problem: "did not believe the signature (401)" },
      ];
      return [{ troubled, troubledCount: 60 }];
    },
  }),
};

export type OperatorMessage = NewsOf<typeof teamMails>;

export type OpenRequest = {
  reference: string;
  state: State;
  dueOn: string;
  daysLeft: number;
  /** The operator who took the request, or an empty string. */
  owner: string;
  /** Last day of the hold, or an empty string if the request isn't on hold. */
  heldUntil: string;
};

export type TroubledDelivery = {
  reference: string;
  kind: string;
  problem: string;
  /** The promised day. Set only for a request that the account system may not complete in time. */
  dueOn?: string;
};

type Troubled = { troubled: TroubledDelivery[]; troubledCount: number };

type Digest = {
  date: string;
  /**
   * The confirmed requests with the earliest due dates, except those marked done. `openCount` counts
   * all such requests.
   */
  open: OpenRequest[];
  openCount: number;
  unconfirmed: number;
  troubled: TroubledDelivery[];
  troubledCount: number;
  overdue: number;
  /** `since` from `findUnsent`. Empty if no email is overdue or failing. */
  waitingSince: string;
  /** When the account system's answer became overdue. Empty or missing if no answer is overdue. */
  silentSince?: string;
  /** References of open requests whose hold has ended by its date since the last digest. */
  freed?: string[];
  /** Result of `findCalendarEnd`. Empty if the calendar extends far enough. */
  calendarEnd: string;
  /** First due date on which no operator is present. Empty or missing if there is none. */
  nobodyOn?: string;
};

function dueIn(
  { dueOn, daysLeft }: { dueOn: string; daysLeft: number },
  { words, inWords, day }: Wording,
) {
  return { dueDate: day(dueOn), daysLeft: inWords.daysLeft(daysLeft, words.shared) };
}

function countTroubled({ troubledCount }: Troubled, { number }: Wording) {
  return { troubledCount: number(troubledCount) };
}

function listNotices(
  {
    nobodyOn,
    waitingSince,
    silentSince,
    freed,
    calendarEnd,
  }: Pick<Digest, "nobodyOn" | "waitingSince" | "silentSince" | "freed" | "calendarEnd">,
  { words, day, time, say, inWords }: Wording,
): Block[] {
  const digestTexts = words["operator-digest"];
  const references = freed && inWords.list(freed);
  const texts = [
    nobodyOn &&
      say(digestTexts.nobodyThere, {
        date: inWords.dayNearInMail(Temporal.PlainDate.from(nobodyOn)),
      }),
    waitingSince && say(digestTexts.waiting, { since: time(waitingSince) }),
    silentSince && say(digestTexts.silent, { since: time(silentSince) }),
    references && say(digestTexts.freed, { references }),
    calendarEnd === "none"
      ? digestTexts.noCalendar
      : calendarEnd && say(digestTexts.calendarEnd, { date: day(calendarEnd) }),
  ];
  return texts.flatMap((text) => (text ? [strong(text)] : []));
}

function listOpen(
  open: readonly OpenRequest[],
  openCount: number,
  wording: Wording,
  hasPages: boolean,
): Block[] {
  const { words, day, inWords, deskAt, say } = wording;
  const { shared } = words;
  if (open.length === 0) return [];
  const rows = open.map(({ reference, dueOn, daysLeft, state, owner, heldUntil }) => {
    const facts = [
      ...[day(dueOn), inWords.daysLeft(daysLeft, shared), shared.states[state], owner],
      heldUntil && say(shared.heldUntil, { date: day(heldUntil) }),
    ];
    const address = hasPages ? deskAt(reference) : undefined;
    return [reference, facts.filter(Boolean).join(", "), address] as const;
  });
  return [{ kind: "facts", rows }, ...countOthers(openCount - open.length, wording)];
}

function listTroubled(
  troubled: readonly TroubledDelivery[],
  troubledCount: number,
  wording: Wording,
  hasPages: boolean,
): Block[] {
  const { words, day, deskAt, say } = wording;
  if (troubled.length === 0) return [];
  const items = troubled.map(({ reference, kind, problem, dueOn }) => {
    const facts = [
      reference,
      words.mailKinds[kind] ?? kind,
      describeDeliveryProblem(words.deliveryProblems, problem),
      dueOn && say(words.operators.due, { date: day(dueOn) }),
    ];
    const cure = describeDeliveryCure(words.deliveryCures, problem);
    const problems = facts.filter(Boolean).join(", ");
    return say(words.shared.withCure, { problem: problems, cure }).trimEnd();
  });
  const addresses = troubled.map(({ reference }) =>
    hasPages && reference ? deskAt(reference) : undefined,
  );
  return [
    { kind: "list", items, addresses },
    ...countOthers(troubledCount - troubled.length, wording),
  ];
}

function countOthers(count: number, { words, say }: Wording): Block[] {
  return count > 0 ? [{ kind: "paragraph", text: say(words.shared.more, { count }) }] : [];
}
