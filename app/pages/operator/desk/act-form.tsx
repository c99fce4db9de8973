import { Fragment } from "react";
import {
  type DeskAct,
  forms,
  longestAgoDays,
  readChoice,
  toChoice,
} from "../../../../server/deletion-requests/commands/acts.ts";
import {
  createFormKey,
  isWorking,
  ownerOf,
  reasonCodes,
} from "../../../../server/deletion-requests/state-machine/request.ts";
import type { Chosen, OperatorDesk } from "../../../../server/operator-desk/desk-queries.ts";
import type { Draft } from "../../../../server/operator-desk/drafts.ts";
import type { FieldDeclaration } from "../../../../server/platform/forms/form-values.ts";
import { paths } from "../../../../server/platform/http/paths.ts";
import { nameLanguage } from "../../../../server/platform/i18n/texts.ts";
import { Button, ButtonLink } from "../../../components/button.tsx";
import { InLanguage } from "../../../components/in-language.tsx";
import { BorrowedText, Text } from "../../../components/text.tsx";
import { languages, type PageWords, useWords } from "../../../words.ts";
import { NoticeBox } from "../operator-frame.tsx";
import {
  type DeskAnswer,
  type DoneView,
  explanationIn,
  promiseStays,
  typedByHand,
} from "./answer.ts";
import styles from "./desk.module.css";
import {
  Checklist,
  Fields,
  type FieldView,
  type Filled,
  Hidden,
  toOptions,
  toTyped,
  untouched,
} from "./fields.tsx";
import { languageOf, nameIn } from "./request-detail.ts";

/**
 * Data for a form. `words` (the requesters' messages) and `suggested` are loaded only for a batch.
 */
type ActMatter = ReturnType<OperatorDesk["matterOf"]> &
  Partial<Pick<Chosen["matter"], "words" | "suggested">>;

/**
 * Renders an act's form. If the form has a checklist or a text to the requester, the button leads to
 * a page that previews and sends the email (`sending.tsx`). After an error, the form contains the
 * submitted values.
 */
export function DeskForm({
  act,
  matter,
  seen,
  about,
  isBare = false,
  answer,
  draft,
  variant,
}: {
  act: DeskAct;
  matter: ActMatter;
  /**
   * Id of the request's latest event when the page was rendered. `undefined` in the form for a new
   * request and in a batch form, even if the batch is down to one request.
   */
  seen?: number;
  /** Text about the consequences of the act. */
  about: string;
  /** Whether the form has no fields. */
  isBare?: boolean;
  answer: DeskAnswer | undefined;
  /** The operator's unsent draft of this form. */
  draft?: Draft | undefined;
  variant: "primary" | "plain" | "danger";
}) {
  const words = useWords();
  const { dates, say, to } = words;
  const { requests, dataList } = matter;
  const form = forms.get(act);
  const declared = isBare ? [] : (form?.fields ?? []);
  const ownAnswer = answer?.act === act ? answer : undefined;
  const [only] = seen === undefined ? [] : requests;
  // Resume a checklist that was started on another device or by another operator.
  const saved = form?.hasChecklist && only && isWorking(only) ? toTyped(only.checklist) : {};
  // A draft contains only free text, so merge it with the form's other values.
  const kept = draft && !answer && !isBare ? draft : undefined;
  const before = { ...untouched, typed: { ...saved, ...kept?.typed } };
  const filled = { ...(ownAnswer ?? before), prefix: `${act}-` };
  const fields =
    act === "enter"
      ? entryFields(words, matter)
      : fieldsOf(words, { act, declared, matter, isSeveral: seen === undefined });
  const [first] = requests;
  const isSeveral = seen === undefined && act !== "enter";
  const labels = words.operator.desk.form;
  const rest = (
    <>
      <Fields {...{ fields, filled }} />
      <SubmitButton {...{ act, variant, isSeveral }} fields={declared.map(({ name }) => name)} />
    </>
  );
  const { withoutMessage, withMessage } = partByWords(matter);
  return (
    <form
      method="post"
      className="stack"
      data-kept=""
      data-checklist={form?.hasChecklist && only ? labels.notSaved : undefined}
      data-draft={only && to(paths.operatorDraft(only.reference))}
    >
      {/* Idempotency key: even if the network delivers the form several times, it takes effect
          once. */}
      <Hidden
        fields={{
          act,
          formKey: createFormKey(),
          ...(act === "take" && first && { from: ownerOf(first) ?? "" }),
          ...(isSeveral && { r: withoutMessage.map(toChoice), of: requests.map(toChoice) }),
          ...(seen !== undefined && { seen }),
        }}
      />
      {form?.hasChecklist && only ? <OnEnter /> : null}
      <p className="soft">
        <Text>{about}</Text>
      </p>
      {kept ? (
        <p className="soft">
          <Text>{say(labels.draft, { time: dates.momentBriefly(kept.savedAt) })}</Text>
        </p>
      ) : null}
      {isSeveral ? <RequesterMessages {...{ withMessage, matter, filled }} /> : null}
      {form?.hasChecklist ? (
        <Checklist {...{ dataList, requests, filled }} keeps={only !== undefined}>
          {rest}
        </Checklist>
      ) : (
        rest
      )}
    </form>
  );
}

/**
 * Renders the submit button. If the form has a checklist or a text to the requester, the button leads
 * to a preview of the email.
 */
function SubmitButton({
  act,
  variant,
  isSeveral,
  fields,
}: {
  act: DeskAct;
  variant: "primary" | "plain" | "danger";
  isSeveral: boolean;
  fields: readonly string[];
}) {
  const { acts, form: labels } = useWords().operator.desk;
  if (forms.get(act)?.hasChecklist || fields.includes("explanation")) {
    return (
      <Button type="submit" variant={variant} name="preview" value="1">
        {isSeveral ? labels.previewSeveral : labels.preview}
      </Button>
    );
  }
  return (
    <Button type="submit" variant={variant}>
      {fields.includes("reply") ? labels.decide : acts[act]}
    </Button>
  );
}

/**
 * Renders a hidden submit button at the start of a checklist, because Enter activates a form's
 * first submit button. It previews the email so that Enter never records a data store as deleted.
 */
function OnEnter() {
  const preview = { type: "submit", name: "preview", value: "1" } as const;
  return <input {...preview} className="visually-hidden" tabIndex={-1} aria-hidden="true" />;
}

/** Splits the requests into those with and without a message from the requester. */
function partByWords({ requests, words }: ActMatter) {
  const hasMessage = ({ reference }: { reference: string }) => words?.has(reference) === true;
  return {
    withMessage: requests.filter(hasMessage),
    withoutMessage: requests.filter((request) => !hasMessage(request)),
  };
}

/**
 * Renders the requests whose requesters wrote a message. Each has its own checkbox below the full
 * message.
 */
function RequesterMessages({
  withMessage,
  matter,
  filled,
}: {
  withMessage: ActMatter["requests"];
  matter: ActMatter;
  filled: Filled;
}) {
  const { operator, say } = useWords();
  const { together, list } = operator.desk;
  if (withMessage.length === 0) return null;
  const chosen = new Set((filled.typed.r ?? []).map((choice) => readChoice(choice).reference));
  return (
    <fieldset className={`${styles.wrote} stack`}>
      <legend>
        <Text>{say(together.wroteTitle, { count: withMessage.length })}</Text>
      </legend>
      {withMessage.map((request) => (
        <div key={request.reference} className={`${styles.words} frame`}>
          {matter.words?.get(request.reference)?.map((text) => (
            <blockquote key={text} lang={request.language || undefined} dir="auto">
              <InLanguage language={request.language}>
                <Text>{text}</Text>
              </InLanguage>
            </blockquote>
          ))}
          <label className="target">
            <input
              type="checkbox"
              name="r"
              value={toChoice(request)}
              defaultChecked={chosen.has(request.reference)}
            />
            <span>
              <b>
                <Text>{request.reference}</Text>
              </b>{" "}
              <Text>{request.email ?? list.erased}</Text>
            </span>
          </label>
        </div>
      ))}
    </fieldset>
  );
}

/**
 * Returns the fields that the act declares, each with its label. Omits fields that have no label on
 * this page.
 */
function fieldsOf(
  words: PageWords,
  {
    act,
    declared,
    matter,
    isSeveral,
  }: { act: DeskAct; declared: readonly FieldDeclaration[]; matter: ActMatter; isSeveral: boolean },
): FieldView[] {
  const { operator, say, settings } = words;
  const { form, request: labels } = operator.desk;
  const called: Partial<Record<string, string>> = {
    reason: form.reason,
    days: form.newDate,
    until: form.waitUntil,
    explanation: form.explanation,
    note: form.note,
    reply: say(form.reply, { email: settings.email }),
    address: isSeveral ? form.addresses : form.address,
  };
  const choices = {
    ...labels.reasons,
    time: labels.noTime,
    no: form.replyNo,
    yes: form.replyYes,
  };
  return declared.flatMap(({ name, options, text }): FieldView[] => {
    // The checklist renders this field.
    if (name === "account") return [];
    const label = called[name];
    if (label === undefined) return [];
    if (options) return [{ kind: "choices", name, label, options: toOptions(options, choices) }];
    if (name === "days") return [dateField(words, matter, { isSeveral })];
    if (name === "until") return holdFields(words, matter);
    if (name === "explanation") {
      return ownWordsFields(words, matter, {
        isSeveral,
        isOptional: act !== "undo",
        most: text?.most,
      });
    }
    if (name === "address")
      return [{ kind: isSeveral ? "lines" : "email", name, label, hint: form.addressHint }];
    return [{ kind: "lines", name, label, most: text?.most }];
  });
}

/**
 * Returns the field for a new due date. No day is preselected. If the law allows it, the first day
 * in the list is the earliest on which the team can finish.
 */
function dateField(
  { dates, operator, say }: PageWords,
  matter: ActMatter,
  { isSeveral }: { isSeveral: boolean },
): FieldView {
  const { dates: lawful, suggested } = matter;
  const { form } = operator.desk;
  const toOption = (day: Temporal.PlainDate, group?: string) => ({
    value: day.toString(),
    words: dates.day(day),
    ...(group !== undefined && { group }),
  });
  const { compare } = Temporal.PlainDate;
  const [earliest, latest] = [lawful[0], lawful.at(-1)];
  // Suggest a day only if the team can't meet the current due dates.
  const isLater = suggested && earliest && compare(suggested.day, earliest) >= 0;
  const isLawful = isLater && latest && compare(suggested.day, latest) <= 0;
  const canDo = isLater && say(form.canDo, { ...suggested, day: dates.dayNear(suggested.day) });
  const otherDays = lawful.filter((day) => !(isLawful && suggested.day.equals(day)));
  return {
    kind: "list",
    name: "by",
    label: form.newDate,
    hint: [canDo, isSeveral ? form.ownLatest : undefined].filter(Boolean).join(" ") || undefined,
    options: [
      { value: "", words: form.chooseDate },
      ...(isLawful ? [toOption(suggested.day, form.canDoTitle)] : []),
      ...otherDays.map((day) => toOption(day, isLawful ? form.otherDays : undefined)),
      ...(lastHoldDay(matter) ? [{ value: promiseStays, words: form.promiseStays }] : []),
    ],
  };
}

/** Returns the day before the earliest due date, or undefined if that day has passed. */
function lastHoldDay({ requests, today }: ActMatter): Temporal.PlainDate | undefined {
  const { compare } = Temporal.PlainDate;
  const dueDates = requests.flatMap((request) => (isWorking(request) ? [request.dueOn] : []));
  const lastDay = dueDates.sort(compare)[0]?.subtract({ days: 1 });
  return lastDay && compare(lastDay, today) >= 0 ? lastDay : undefined;
}

/**
 * Returns the field for the last day of a hold. That day must be before the due date, so there is
 * no field if a request is due today or late.
 */
function holdFields({ operator }: PageWords, matter: ActMatter): FieldView[] {
  const { waitUntil: label, waitUntilHint: hint } = operator.desk.form;
  const lastDay = lastHoldDay(matter);
  if (!lastDay) return [];
  const limits = { min: `${matter.today}`, max: `${lastDay}` };
  return [{ kind: "date", name: "until", label, hint, optional: true, ...limits }];
}

/** Returns a field for the operator's text. In a batch, returns one such field per language. */
function ownWordsFields(
  { mail, operator, say }: PageWords,
  { requests }: ActMatter,
  {
    isSeveral,
    isOptional,
    most,
  }: { isSeveral: boolean; isOptional: boolean; most?: number | undefined },
): FieldView[] {
  const { form } = operator.desk;
  const optional = isOptional ? ({ optional: true } as const) : {};
  const field = (name: string, label: string, lang: string, hint: string): FieldView => ({
    kind: "lines",
    name,
    label: isOptional ? `${label} ${form.optional}` : label,
    hint,
    most,
    lang,
    ...optional,
  });
  if (!isSeveral) {
    const { tag, name } = languageOf(requests[0]?.language ?? "");
    const hint = `${form.explanationHint} ${say(form.languageHint, { language: name })}`;
    return [field("explanation", form.explanation, tag, hint)];
  }
  const tags = requests.map(({ language }) => languageOf(language).tag);
  return [...new Set(tags)].map((tag) => {
    const language = nameLanguage(mail.locale, tag);
    const count = tags.filter((candidate) => candidate === tag).length;
    const label = say(form.explanationIn, { language, count });
    return field(explanationIn(tag), label, tag, form.explanationHint);
  });
}

function entryFields(words: PageWords, { dataList, today }: ActMatter): FieldView[] {
  const { operator, deletion } = words;
  const { enter, request } = operator.desk;
  const proofs = dataList.ownershipProofs.map((proof) => ({
    value: proof.key,
    words: nameIn(words, proof),
  }));
  const spoken = languages.map(({ settings }) => {
    const { tag: value, name } = languageOf(settings.language);
    return { value, words: name, lang: value };
  });
  const reasons = toOptions(reasonCodes, deletion.form.reasons);
  const none = { value: "", words: deletion.form.reasonPlaceholder };
  const days = { min: `${today.subtract({ days: longestAgoDays })}`, max: `${today}` };
  const language = { kind: "choices", name: "language", label: enter.language } as const;
  return [
    { kind: "email", name: "old", label: enter.old },
    { kind: "email", name: "contact", label: enter.contact },
    // Omits the field if the campus has only one language.
    ...(spoken.length > 1 ? [{ ...language, options: spoken, value: spoken[0]?.value }] : []),
    { kind: "date", name: "received", label: enter.received, ...days },
    {
      kind: "list",
      name: "reason",
      label: request.reason,
      options: [none, ...reasons.filter(({ words }) => words)],
    },
    { kind: "choices", name: "proof", label: enter.proof, options: proofs },
    { kind: "lines", name: "note", label: enter.note, most: 2000, optional: true },
  ];
}

/**
 * Renders the result of the last act, focused at the top of its page.
 * @param kept true if the submitted form is still on the page with its values
 */
export function DoneNotice({
  done,
  answer,
  kept = true,
}: {
  done?: DoneView | undefined;
  answer?: DeskAnswer | undefined;
  kept?: boolean;
}) {
  const { problems, together } = useWords().operator.desk;
  if (answer && answer.problems.length > 0) {
    const lost = kept ? [] : typedByHand(answer.typed);
    return (
      <NoticeBox tone="danger">
        <h2>
          <Text>{answer.done.length > 0 ? together.partly : problems.title}</Text>
        </h2>
        <ul>
          {answer.problems.map(({ field, words }) => (
            <li key={words}>
              {field ? (
                <a href={`#${answer.act}-${field}`}>
                  <Text>{words}</Text>
                </a>
              ) : (
                <Text>{words}</Text>
              )}
            </li>
          ))}
        </ul>
        {lost.length > 0 ? (
          <h3>
            <Text>{problems.typed}</Text>
          </h3>
        ) : null}
        {lost.map((text) => (
          <blockquote key={text}>
            <Text>{text}</Text>
          </blockquote>
        ))}
      </NoticeBox>
    );
  }
  return done && !answer ? <Done {...done} /> : null;
}

/**
 * Renders the success box: one Undo button for all requests, links to them, and a link to the next
 * request. The button comes before a batch's links, which can be longer than a phone's screen.
 */
function Done({ text, of, next }: DoneView) {
  const { operator, say, to } = useWords();
  const [only] = of.length === 1 ? of : [];
  const r = of.filter(({ canUndo }) => canUndo).map(toChoice);
  const names = of.map(({ reference }) => (
    <Fragment key={reference}>
      {only ? null : " "}
      <a className={styles.reference} href={to(paths.operatorRequest(reference))}>
        <Text>{reference}</Text>
      </a>
    </Fragment>
  ));
  const withLink = (words: string) => {
    const [before, after] = only ? words.split(only.reference) : [words];
    return (
      <>
        <Text>{before}</Text>
        {after === undefined ? null : names}
        <Text>{after}</Text>
      </>
    );
  };
  return (
    <NoticeBox tone={of.length > 0 ? "success" : "know"}>
      <p>{only ? <BorrowedText text={text} print={withLink} /> : <Text>{text}</Text>}</p>
      {r.length > 0 ? (
        <form method="post" action={to(paths.operator)} data-kept="">
          <Hidden fields={{ act: "undo", formKey: createFormKey(), r }} />
          <Button type="submit">
            {r.length > 1
              ? say(operator.desk.together.undo, { count: r.length })
              : operator.desk.acts.undo}
          </Button>
        </form>
      ) : null}
      {of.length > 1 ? <p>{names}</p> : null}
      {next ? <Next {...next} /> : null}
    </NoticeBox>
  );
}

/** Renders a link to the next request in the Today page's order. */
function Next({ request, isThisWeek }: NonNullable<DoneView["next"]>) {
  const { dates, operator, say, to } = useWords();
  const { next } = operator.desk;
  const { reference } = request ?? {};
  return (
    <p className={styles.onward}>
      {isThisWeek ? null : (
        <span>
          <Text>{request ? next.lastOfWeek : next.last}</Text>
        </span>
      )}{" "}
      {request && reference ? (
        <ButtonLink variant="primary" href={to(paths.operatorRequest(reference))}>
          {say(next.request, { reference, day: dates.dayNear(request.dueOn) })}
        </ButtonLink>
      ) : null}
    </p>
  );
}
