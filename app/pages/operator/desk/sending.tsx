import type { DeskAct } from "../../../../server/deletion-requests/commands/acts.ts";
import {
  dueDateOf,
  holdOf,
  isWorking,
} from "../../../../server/deletion-requests/state-machine/request.ts";
import { unwrap } from "../../../../server/delivery/wrap.ts";
import type { FormValues } from "../../../../server/platform/forms/form-values.ts";
import { nameLanguage } from "../../../../server/platform/i18n/texts.ts";
import { Button } from "../../../components/button.tsx";
import { InLanguage } from "../../../components/in-language.tsx";
import notice from "../../../components/notice.module.css";
import { Text } from "../../../components/text.tsx";
import { type PageWords, useWords } from "../../../words.ts";
import { OperatorPage } from "../operator-frame.tsx";
import type { ActPreview, DeskAnswer } from "./answer.ts";
import styles from "./desk.module.css";
import { Hidden } from "./fields.tsx";
import { languageOf } from "./request-detail.ts";

/**
 * Renders the preview of an act that sends emails: the email in full (in a batch, one example per
 * language), each date, and the send button at the end.
 */
export function SendingPage({
  answer,
  sendings,
}: {
  answer: DeskAnswer;
  sendings: readonly ActPreview[];
}) {
  const words = useWords();
  const { operator, say } = words;
  const { acts, sending } = operator.desk;
  const act = answer.act as DeskAct;
  const isSeveral = answer.typed.r !== undefined;
  const count = sendings.length;
  const label = nameSending(words, sendings, { act, isSeveral });
  return (
    <OperatorPage title={sending.title} about={say(sending.about, { act: acts[act], count })}>
      <div className={`${styles.sending} stack`}>
        {answer.problems.length > 0 ? (
          <section className={`frame ${notice.notice} ${notice.know}`} aria-labelledby="left-out">
            <h2 id="left-out">
              <Text>{sending.leftOut}</Text>
            </h2>
            <ul>
              {answer.problems.map(({ words: text }) => (
                <li key={text}>
                  <Text>{text}</Text>
                </li>
              ))}
            </ul>
          </section>
        ) : null}
        {isSeveral ? null : <Facts {...{ sendings }} />}
        {byLanguage(sendings).map((ofLanguage) => (
          <Letter key={ofLanguage[0]?.after.language} {...{ ofLanguage, isSeveral }} />
        ))}
        {isSeveral ? <Everyone {...{ sendings }} /> : null}
        <form method="post" className={`${styles.send} frame stack`} data-kept="">
          <Hidden fields={keep(answer.typed, sendings, { isSeveral })} />
          <p>
            <Text>
              {sendings.some(({ mail }) => mail) ? say(sending.leaves, { count }) : sending.none}
            </Text>
          </p>
          <div className="row">
            <Button type="submit" variant={act === "refuse" ? "danger" : "primary"}>
              {label}
            </Button>
            <Button type="submit" name="edit" value="1" formAction={`#${act}`}>
              {sending.edit}
            </Button>
          </div>
        </form>
      </div>
    </OperatorPage>
  );
}

/** Returns the values to submit with the send button, limited to the requests in the preview. */
function keep(
  { preview: _, edit: __, passkey: ___, ...typed }: FormValues,
  sendings: readonly ActPreview[],
  { isSeveral }: { isSeveral: boolean },
): FormValues {
  if (!isSeveral) return typed;
  const address = sendings.flatMap(({ before }) => before.email ?? []).join("\n");
  return {
    ...typed,
    r: sendings.map(({ choice }) => choice),
    ...(typed.address && { address: [address] }),
  };
}

function byLanguage(sendings: readonly ActPreview[]): ActPreview[][] {
  const tags = [...new Set(sendings.map(({ after }) => after.language))];
  return tags.map((tag) => sendings.filter(({ after }) => after.language === tag));
}

const dueOf = ({ before, after }: ActPreview) => {
  const [was, is] = [before, after].map(dueDateOf);
  return { was, is, isNew: was !== undefined && is !== undefined && !was.equals(is) };
};

/** Returns the button's label: the act and the due date that its email promises. */
function nameSending(
  { dates, operator, say }: PageWords,
  sendings: readonly ActPreview[],
  { act, isSeveral }: { act: DeskAct; isSeveral: boolean },
): string {
  const { acts, sending } = operator.desk;
  const { send, sendSeveral } = sending;
  const count = sendings.length;
  const days = sendings
    .flatMap((preview) => (dueOf(preview).isNew ? (dueOf(preview).is ?? []) : []))
    .sort(Temporal.PlainDate.compare);
  const [from, to] = [days[0], days.at(-1)];
  if (isSeveral) {
    if (act === "complete") return say(sendSeveral.complete, { count });
    if (!from || !to) return say(sendSeveral.other, { count });
    return from.equals(to)
      ? say(sendSeveral.oneDate, { count, date: dates.dayNear(from) })
      : say(sendSeveral.dates, { count, from: dates.dayNear(from), to: dates.dayNear(to) });
  }
  if (!sendings.some(({ mail }) => mail)) return acts[act];
  if (from) return say(send.date, { date: dates.dayNear(from) });
  const [only] = sendings;
  const until = only && holdOf(only.after)?.until;
  if (act === "later" && until) return say(send.wait, { date: dates.dayNear(until) });
  const texts: Partial<Record<DeskAct, string>> = send;
  return texts[act] ?? acts[act];
}

/** Renders the email's recipient and the due date. */
function Facts({ sendings: [sending] }: { sendings: readonly ActPreview[] }) {
  const { dates, operator, say } = useWords();
  const { form, sending: labels } = operator.desk;
  if (!sending) return null;
  const { after } = sending;
  const { was, is, isNew } = dueOf(sending);
  const hold = isWorking(after) ? after.hold : undefined;
  return (
    <dl className={styles.facts}>
      <dt>
        <Text>{labels.to}</Text>
      </dt>
      <dd>
        <Text>{after.contact ?? after.email}</Text>{" "}
        <span className="soft">
          <Text>{after.reference}</Text>
        </span>
      </dd>
      {hold ? (
        <>
          <dt>
            <Text>{labels.until}</Text>
          </dt>
          <dd>
            <Text>{dates.day(hold.until)}</Text>
          </dd>
        </>
      ) : null}
      {isNew && was && is ? (
        <>
          <dt>
            <Text>{form.newDate}</Text>
          </dt>
          <dd>
            <b>
              <Text>{dates.day(is)}</Text>
            </b>{" "}
            <span className="soft">
              <Text>{say(labels.before, { date: dates.dayNear(was) })}</Text>
            </span>
          </dd>
        </>
      ) : null}
    </dl>
  );
}

/** Renders the email as its recipient will see it. In a batch, renders one example per language. */
function Letter({
  ofLanguage,
  isSeveral,
}: {
  ofLanguage: readonly ActPreview[];
  isSeveral: boolean;
}) {
  const { inLanguage, mail: mailWords, operator, say } = useWords();
  const { form, sending } = operator.desk;
  const [shown] = ofLanguage;
  if (!shown?.mail) return null;
  const { after, mail } = shown;
  const { tag } = languageOf(after.language);
  const language = nameLanguage(mailWords.locale, tag);
  const id = `email-${tag}`;
  return (
    <section className="stack" aria-labelledby={id}>
      <h2 id={id}>
        <Text>
          {isSeveral
            ? say(sending.inLanguage, { language, count: ofLanguage.length })
            : form.previewTitle}
        </Text>
      </h2>
      {isSeveral ? (
        <p className="soft">
          <Text>
            {say(sending.example, {
              reference: after.reference,
              address: after.contact ?? after.email ?? "",
            })}
          </Text>
        </p>
      ) : null}
      <article className={`${styles.letter} frame`} {...inLanguage(tag)}>
        <InLanguage language={tag}>
          <b>
            <Text>{mail.subject}</Text>
          </b>
          {/* Omits the characters that underline titles in plain-text emails. */}
          <pre>
            <Text>{unwrap(mail.text.replace(/^[=-]{3,}\n/gm, ""))}</Text>
          </pre>
        </InLanguage>
      </article>
    </section>
  );
}

/** Renders all recipients, each with the date in their email. */
function Everyone({ sendings }: { sendings: readonly ActPreview[] }) {
  const { dates, mail, operator, say } = useWords();
  const { sending } = operator.desk;
  return (
    <section aria-labelledby="everyone">
      <h2 id="everyone">
        <Text>{say(sending.everyone, { count: sendings.length })}</Text>
      </h2>
      <ul className={styles.everyone}>
        {sendings.map((preview) => {
          const { after, before } = preview;
          const { is, isNew } = dueOf(preview);
          return (
            <li key={after.reference}>
              <b>
                <Text>{after.reference}</Text>
              </b>{" "}
              <span>
                <Text>{after.contact ?? before.email}</Text>
              </span>
              <span className="soft">
                <Text>{nameLanguage(mail.locale, languageOf(after.language).tag)}</Text>
              </span>
              {isNew && is ? (
                <span>
                  <Text>{dates.dayNear(is)}</Text>
                </span>
              ) : null}
            </li>
          );
        })}
      </ul>
    </section>
  );
}
