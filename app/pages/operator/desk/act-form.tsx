import { Fragment } from "react";
import {
  createFormKey,
  ownerOf,
  reasonCodes,
} from "../../../../server/deletion-requests/life/request.ts";
import {
  type DeskAct,
  forms,
  longestAgoDays,
  toChoice,
} from "../../../../server/deletion-requests/working/acts.ts";
import type { FieldAsked } from "../../../../server/forms/typed.ts";
import { paths } from "../../../../server/http/paths.ts";
import type { OperatorDesk } from "../../../../server/operator-desk/operator-desk.ts";
import { Button } from "../../../ui/button.tsx";
import { languages, useWords, type Words } from "../../../words.ts";
import { ToldBox } from "../operator-frame.tsx";
import { type Answer, type DoneView, typedByHand } from "./answer.ts";
import styles from "./desk.module.css";
import { Fields, type FieldView, Hidden, toOptions, untouched, Walk } from "./fields.tsx";
import { languageOf, nameIn } from "./request-detail.ts";

type ActMatter = ReturnType<OperatorDesk["matterOf"]>;

/**
 * The form of an act. What was typed comes back where it was not done. Long as a drawing is: its fields, its preview and its
 * buttons stand around one another in two ways, with the places of a walk and without.
 */
export function DeskForm({
  act,
  matter,
  seen,
  about,
  isBare = false,
  answer,
  look,
}: {
  act: DeskAct;
  matter: ActMatter;
  /** What the page has told of a single request; undefined where it is a form for several, however many are left, or none. */
  seen?: number;
  /** What comes of it. */
  about: string;
  /** Nothing is asked for. */
  isBare?: boolean;
  answer: Answer | undefined;
  look: "primary" | "plain" | "danger";
}) {
  const words = useWords();
  const { requests, dataList } = matter;
  const form = forms.get(act);
  const asked = isBare ? [] : (form?.fields ?? []);
  // What its person reads of it can be read before it is sent.
  const isDrafted = form?.walks || asked.some(({ name }) => name === "explanation");
  const own = answer?.act === act ? answer : undefined;
  const filled = { ...(own ?? untouched), prefix: `${act}-` };
  const fields =
    act === "enter"
      ? entryFields(words, matter)
      : fieldsOf(words, act, asked, matter, seen === undefined);
  const [first] = requests;
  const rest = (
    <>
      <Fields {...{ fields, filled }} />
      {isDrafted ? <Draft draft={own?.draft} id={`draft-${act}`} /> : null}
      <div className={`row ${styles.send}`}>
        {isDrafted ? (
          <Button type="submit" name="preview" value="1" formNoValidate>
            {words.operator.desk.form.preview}
          </Button>
        ) : null}
        <Button type="submit" look={look}>
          {words.operator.desk.acts[act]}
        </Button>
      </div>
    </>
  );
  return (
    <form method="post" className="stack" data-kept="" data-draft={isDrafted ? "" : undefined}>
      {/* It is sent once however often the network lets it be. */}
      <Hidden
        fields={{
          act,
          formKey: createFormKey(),
          ...(act === "take" && first && { from: ownerOf(first) ?? "" }),
          ...(seen === undefined ? { r: requests.map(toChoice) } : { seen }),
        }}
      />
      <p className="soft">{about}</p>
      {form?.walks ? <Walk {...{ dataList, requests, filled }}>{rest}</Walk> : rest}
    </form>
  );
}

/** How what is asked for looks, by its declaration, and what it is called; what has no name here no page asks for. */
function fieldsOf(
  { dates, deletion, say, operator }: Words,
  act: DeskAct,
  asked: readonly FieldAsked[],
  { requests, extensions }: ActMatter,
  isSeveral: boolean,
): FieldView[] {
  const { form, problems, request: labels } = operator.desk;
  const { User: user, Rider: rider } = deletion.table.accounts;
  const [first] = requests;
  const { tag, name } = languageOf(first?.language ?? "");
  const isOptional = act !== "undo";
  const called: Partial<Record<string, string>> = {
    reason: form.reason,
    account: problems.account,
    days: form.newDate,
    explanation: isOptional ? `${form.explanation} ${form.optional}` : form.explanation,
    note: form.note,
    address: isSeveral ? form.addresses : form.address,
  };
  const choices = { ...labels.reasons, time: labels.noTime, user, rider, both: form.both };
  const days = extensions.map(({ businessDays: count, dueOn }) => ({
    value: String(count),
    words: requests.length === 1 ? dates.day(dueOn) : say(form.daysLater, { count }),
  }));
  const hint = `${form.explanationHint} ${say(form.languageHint, { language: name })}`;
  const toPerson = { hint, lang: tag, ...(isOptional && { optional: true as const }) };
  return asked.flatMap(({ name, options, text }): FieldView[] => {
    const label = called[name];
    if (label === undefined) return [];
    if (options) return [{ kind: "choices", name, label, options: toOptions(options, choices) }];
    if (name === "days") return [{ kind: "list", name, label, options: days }];
    if (name === "address")
      return [{ kind: isSeveral ? "lines" : "email", name, label, hint: form.addressHint }];
    return [
      { kind: "lines", name, label, most: text?.most, ...(name === "explanation" && toPerson) },
    ];
  });
}

/** What is asked of a request that there is not yet. */
function entryFields(words: Words, { dataList, today }: ActMatter): FieldView[] {
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
    // Where there is one, nobody is asked for it.
    ...(spoken.length > 1 ? [{ ...language, options: spoken, value: spoken[0]?.value }] : []),
    { kind: "date", name: "received", label: enter.received, value: days.max, ...days },
    {
      kind: "list",
      name: "reason",
      label: request.reason,
      options: [none, ...reasons.filter(({ words }) => words)],
    },
    { kind: "choices", name: "proof", label: enter.proof, options: proofs },
  ];
}

/** The mail that an act would send. */
function Draft({ draft, id }: { draft: Answer["draft"]; id: string }) {
  const { form } = useWords().operator.desk;
  return (
    // biome-ignore lint/a11y/useSemanticElements: it is no group of fields.
    <div
      role="group"
      className={`${styles.draft} frame`}
      aria-labelledby={id}
      aria-live="polite"
      data-draft-of={id}
      tabIndex={draft ? 0 : undefined}
    >
      <h3 id={id} className="soft">
        {form.previewTitle}
      </h3>
      {draft ? (
        <div lang={draft.language}>
          <b>{draft.subject}</b>
          {/* The lines under a mail's titles are drawn otherwise here. */}
          <pre>{draft.text.replace(/^[=-]{3,}\n/gm, "")}</pre>
        </div>
      ) : (
        <p>{form.noPreview}</p>
      )}
    </div>
  );
}

/**
 * What came of the last act: it stands first and has the focus.
 * @param kept whether the form that was sent is still there with what was typed
 */
export function Told({
  done,
  answer,
  kept = true,
}: {
  done?: DoneView | undefined;
  answer?: Answer | undefined;
  kept?: boolean;
}) {
  const { problems, together } = useWords().operator.desk;
  if (answer && answer.problems.length > 0) {
    const lost = kept ? [] : typedByHand(answer.typed);
    return (
      <ToldBox tone="danger">
        <h2>{answer.done.length > 0 ? together.partly : problems.title}</h2>
        <ul>
          {answer.problems.map(({ field, words }) => (
            <li key={words}>{field ? <a href={`#${answer.act}-${field}`}>{words}</a> : words}</li>
          ))}
        </ul>
        {lost.length > 0 ? <h3>{problems.typed}</h3> : null}
        {lost.map((one) => (
          <blockquote key={one}>{one}</blockquote>
        ))}
      </ToldBox>
    );
  }
  return done && !answer ? <Done {...done} /> : null;
}

/** What was done, each request by its name, and Undo: of several all together; one by one they stand on Today. */
function Done({ text, of }: DoneView) {
  const { operator, to } = useWords();
  const [only] = of.length === 1 ? of : [];
  const [before, after] = only ? text.split(only.reference) : [text];
  const r = of.filter(({ canUndo }) => canUndo).map(toChoice);
  const names = of.map(({ reference }) => (
    <Fragment key={reference}>
      {only ? null : " "}
      <a href={to(paths.operatorRequest(reference))}>{reference}</a>
    </Fragment>
  ));
  return (
    <ToldBox tone={of.length > 0 ? "success" : "know"}>
      <p>
        {before}
        {only && after === undefined ? null : names}
        {after}
      </p>
      {r.length > 0 ? (
        <form method="post" action={to(paths.operator)} data-kept="">
          <Hidden fields={{ act: "undo", formKey: createFormKey(), r }} />
          <Button type="submit">{operator.desk.acts.undo}</Button>
        </form>
      ) : null}
    </ToldBox>
  );
}
