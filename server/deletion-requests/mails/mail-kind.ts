import type { Attached, Block } from "../../delivery/blocks.ts";
import type { Calendar, SkippedDay } from "../../platform/calendar/business-days.ts";
import type { Text } from "../../platform/i18n/texts.ts";
import type { EndedRequest } from "../state-machine/request.ts";
import type { Wording } from "./wording.ts";

/**
 * Declares one kind of email. Its text is in `mail.yaml` under the same name. `News` contains the
 * facts known when the email is queued, with dates and instants as ISO strings.
 */
export interface MailKind<News> {
  /** The final state that the email reports. If that outcome is undone, the email isn't sent. */
  end?: EndedRequest["state"];
  /**
   * Whether the email goes to the account's own mailbox even if there is a contact. A confirmation
   * link must, because a contact can't prove that the account is theirs. A notice must, because
   * anyone who reads a mailbox reported as closed must learn of the request.
   */
  toAccount?: true;
  /**
   * Whether the email goes only to operators who chose to get more than the digest and problem
   * reports.
   */
  isOptional?: true;
  /** Whether the email goes to an operator even at night. */
  isUrgent?: true;
  /** Key of the text that explains why the recipient gets the email. Defaults to `why`. */
  why?: "whyNotice";
  /** Returns the button's URL. Defaults to the request's page or the operator pages. */
  link?(news: News): string;
  /** Returns the key of the variant in `mail.yaml` that overrides some of the text. */
  variant?(news: News): string | undefined | false;
  /** Placeholder values in addition to `reference`. */
  values?(news: News, wording: Wording): Values;
  /** Blocks below the button. */
  details?(news: News, wording: Wording, pages: { hasPages: boolean }): Block[];
  /** Blocks below the `after` text. */
  ending?(news: News, wording: Wording): Block[];
  /** Facts at the end of the email, above the reference. */
  rows?(news: News, wording: Wording): Rows;
  attachment?(news: News & { reference: string }, wording: Wording): Attached;
  /** Sample news for every variant. The build renders them to check a campus's text. */
  samples(facts: SampleFacts): News[];
}

export type Values = Readonly<Record<string, string | undefined>>;

export type Rows = readonly (readonly [label: string, value: string])[];

/** Identity function that infers `News`. */
export const mail = <News extends object>(kind: MailKind<News>): MailKind<News> => kind;

/** Union of the news of all given kinds, tagged by `kind`. */
export type NewsOf<Kinds> = {
  [Name in keyof Kinds]: Kinds[Name] extends MailKind<infer News> ? { kind: Name } & News : never;
}[keyof Kinds];

export type SampleFacts = {
  reference: string;
  /** An instant in the past. `soon` is two days later. */
  at: string;
  soon: string;
  dueOn: string;
  /**
   * A later due date. `skippedDays` lists the days skipped in computing it, including a holiday.
   */
  later: string;
  skippedDays: readonly SkippedDay[];
  /** A due date that has passed. */
  passed: string;
  holdUntil: string;
  /** Explanations by an operator, one empty and one of two paragraphs. */
  explanations: readonly string[];
  contact: string;
};

/** Text of one kind of email, as in `mail.yaml`. */
export type MailTexts = {
  subject: Text;
  preview: Text;
  title: Text;
  /**
   * Above the button: what happened or what to do. Must be short enough to keep the button above
   * the fold.
   */
  before: readonly Text[];
  button?: Text;
  /** Deadline, shown below the button. */
  by?: Text;
  /** Everything else, shown below the deadline. */
  after: readonly Text[];
  /** Replaces the button for a team without operator pages. */
  byCommand?: readonly Text[];
};

export const strong = (text: string): Block => ({ kind: "paragraph", text: `**${text}**` });

/** Quotes an operator's explanation. Returns no blocks if it is empty. */
export function quoted({ words }: Wording, explanation: string): Block[] {
  if (explanation === "") return [];
  return [
    { kind: "paragraph", text: words.shared.note },
    { kind: "quote", text: explanation },
  ];
}

export function listSkipped(wording: Wording, days: readonly SkippedDay[]): Block[] {
  const { skippedTitle, skippedWeekend } = wording.words.shared;
  if (days.length === 0) return [];
  return [
    { kind: "title", text: skippedTitle },
    {
      kind: "list",
      items: wording.inWords.skipped(days, skippedWeekend, wording.inWords.dayInMail),
    },
  ];
}

/**
 * Lists the days that were skipped when a date was moved. Returns no blocks if all of these days
 * are on weekends.
 */
export function listSkippedLater(wording: Wording, days: readonly SkippedDay[]): Block[] {
  return days.some(({ holiday }) => holiday !== undefined) ? listSkipped(wording, days) : [];
}

/** Creates the facts for samples, with a promised date that skips one of the campus's holidays. */
export function createSampleFacts(
  holidays: Calendar["holidays"],
  explanation: string,
): SampleFacts {
  const from = Temporal.PlainDate.from("2026-11-22");
  const inDays = (days: number) => from.add({ days }).toString();
  const dueOn = inDays(14);
  const next = holidays.find(({ date }) => date > dueOn) ?? { date: inDays(24), name: "holiday" };
  const holiday = Temporal.PlainDate.from(next.date);
  return {
    reference: "K7RM-4XQP",
    at: "2026-11-22T04:00:00.000Z",
    soon: "2026-11-24T04:00:00.000Z",
    dueOn,
    later: holiday.add({ days: 3 }).toString(),
    skippedDays: [
      { date: holiday.subtract({ days: 2 }).toString() },
      { date: holiday.subtract({ days: 1 }).toString() },
      { date: next.date, holiday: next.name },
    ],
    passed: inDays(-1),
    holdUntil: inDays(5),
    explanations: ["", explanation],
    contact: "a•••••@home.example",
  };
}
