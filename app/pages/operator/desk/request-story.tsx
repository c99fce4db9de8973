import type { ReactNode } from "react";
import type { HandOver } from "../../../../server/account-system/hand-overs.ts";
import { isEnded } from "../../../../server/deletion-requests/life/request.ts";
import { tellOutcomes, toReceipt } from "../../../../server/deletion-requests/telling/receipt.ts";
import {
  type Fact,
  pickFacts,
  tellFacts,
} from "../../../../server/deletion-requests/telling/tell-request.ts";
import type { Story } from "../../../../server/deletion-requests/working/reading.ts";
import { tellDeliveryProblem } from "../../../../server/mail/delivery-problem.ts";
import { languages, useWords, type Words } from "../../../words.ts";
import { languageOf } from "./act-form.tsx";
import styles from "./desk.module.css";
import type { StoryLine } from "./story.ts";

/** What is known of a request, section by section. */
export function RequestStory({
  story,
  handOver,
  lines,
  children,
}: {
  story: Story;
  handOver: HandOver | undefined;
  /** Of its history, in their order. */
  lines: readonly StoryLine[];
  /** What can be done with the notes. */
  children: ReactNode;
}) {
  const labels = useWords().operator.desk.request;
  const isNote = (_: unknown, index: number) => story.events[index]?.type === "note";
  const notes = lines.filter(isNote);
  return (
    <>
      <Section name="facts">
        <Facts {...story} />
      </Section>
      <Outcome {...story} />
      <Section name="notes">
        {notes.length > 0 ? <History lines={notes} /> : <p>{labels.noNotes}</p>}
        {children}
      </Section>
      <Section name="history">
        <History lines={lines.filter((line, index) => !isNote(line, index))} />
      </Section>
      <Section name="mails">
        <Mails {...story} />
      </Section>
      {handOver ? (
        <Section name="system">
          <Standing {...handOver} />
        </Section>
      ) : null}
    </>
  );
}

function Section({
  name,
  children,
}: {
  name: "facts" | "data" | "notes" | "history" | "mails" | "system";
  children: ReactNode;
}) {
  const labels = useWords().operator.desk.request;
  return (
    <section aria-labelledby={`${name}-title`}>
      <h2 id={`${name}-title`}>{labels[name]}</h2>
      {children}
    </section>
  );
}

const shown = ["contact", "reason", "references", "firstDue", "expires"] as const;

function Facts({ request, submissions }: Story) {
  const words = useWords();
  const labels = words.operator.desk.request;
  const references = submissions.map(({ reference }) => reference);
  const isMoved = "firstDueOn" in request && !request.firstDueOn.equals(request.dueOn);
  const facts = pickFacts(tellFacts(request, "team", { references }), shown)
    .filter(({ name }) => name !== "firstDue" || isMoved)
    .map((fact) => [labels[fact.name as (typeof shown)[number]], tellFact(words, fact)]);
  if (languages.length > 1) facts.push([labels.language, languageOf(request.language).name]);
  const written = submissions.filter(({ feedback }) => feedback !== "");
  return (
    <>
      <dl className={styles.facts}>
        {facts.map(([label, value]) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      {written.length > 0 ? <h3>{labels.feedback}</h3> : null}
      {written.map(({ reference, feedback }) => (
        <blockquote key={reference} className={styles.quote}>
          {feedback}
        </blockquote>
      ))}
    </>
  );
}

function tellFact({ dates, deletion }: Words, { text = "", code, on, at }: Fact): string {
  const { reasons } = deletion.form;
  if (code !== undefined) return reasons[code as keyof typeof reasons] ?? reasons.other ?? "";
  if (on) return dates.day(on);
  return at ? dates.moment(at) : text;
}

/** What became of each kind of data in each place, by what it was; nothing while nothing has. */
function Outcome({ request }: Story) {
  const { dates, mail, dataKinds, say } = useWords();
  const completion = isEnded(request) ? request.completion : undefined;
  if (!completion) return null;
  const day = (date: string) => dates.day(Temporal.PlainDate.from(date));
  const { lines } = toReceipt(completion, dataKinds, mail.receipt, { day, say });
  return (
    <Section name="data">
      {tellOutcomes(lines, mail.receipt).map(({ title, lines }) => (
        <div key={title} className={styles.said}>
          <h3>{title}</h3>
          <ul>
            {lines.map(({ row, when, why }) => (
              <li key={`${row.store} ${row.key}`}>
                <b>{row.kind}</b> {row.place}
                {when || why ? <small>{[when, why].filter(Boolean).join(", ")}</small> : null}
              </li>
            ))}
          </ul>
        </div>
      ))}
    </Section>
  );
}

function History({ lines }: { lines: readonly StoryLine[] }) {
  return (
    <ol className={styles.story}>
      {lines.map((line, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a history only grows at its end.
        <li key={index} data-by={line.by}>
          <p>
            <b>{line.who}</b> {line.what} <time>{line.when}</time>
          </p>
          {line.details.map((detail) => (
            <p key={detail} className={styles.hint}>
              {detail}
            </p>
          ))}
          {line.quote ? <blockquote className={styles.quote}>{line.quote}</blockquote> : null}
        </li>
      ))}
    </ol>
  );
}

function Mails({ request, mails }: Story) {
  const { dates, mail, operator } = useWords();
  const { mailKept, mailsErased, mailStates } = operator.desk.request;
  if (mails.length === 0) return <p>{request.email ? mailKept : mailsErased}</p>;
  return (
    <ul className={styles.mails}>
      {mails.map(({ kind, state, createdAt, lastProblem }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: mails are only added at the end.
        <li key={index} data-trouble={state === "needs-person" || undefined}>
          <b>{mail.mailKinds[kind] ?? kind}</b> <span>{mailStates[state]}</span>{" "}
          <time>{dates.momentBriefly(createdAt)}</time>
          {lastProblem ? <p>{tellDeliveryProblem(mail.deliveryProblems, lastProblem)}</p> : null}
        </li>
      ))}
    </ul>
  );
}

/** How it stands with the account system. */
function Standing({ state, askedAt, accountId }: HandOver) {
  const { dates, operator, say } = useWords();
  const { systemStates, systemAsked, systemAccount } = operator.desk.request;
  return (
    <>
      <p>{systemStates[state]}</p>
      <p>{say(systemAsked, { time: dates.momentBriefly(askedAt) })}</p>
      {accountId === undefined ? null : <p>{say(systemAccount, { account: accountId })}</p>}
    </>
  );
}
