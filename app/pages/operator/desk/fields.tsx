import type { ComponentProps, ReactNode } from "react";
import {
  accountKinds,
  accountsAt,
  type DataList,
  foundThere,
  placesToTick,
  recipientsToNotify,
} from "../../../../server/deletion-requests/state-machine/checklist.ts";
import { whyKept } from "../../../../server/deletion-requests/state-machine/completion.ts";
import type {
  ChecklistAnswers,
  StoredRequest,
} from "../../../../server/deletion-requests/state-machine/request.ts";
import type { FormValues } from "../../../../server/platform/forms/form-values.ts";
import { Button } from "../../../components/button.tsx";
import {
  Field,
  FieldProblem,
  fieldState,
  type Problem,
  TickField,
} from "../../../components/field.tsx";
import { InLanguage } from "../../../components/in-language.tsx";
import { WithAddresses } from "../../../components/line-breaks.tsx";
import { Text } from "../../../components/text.tsx";
import { type PageWords, useWords } from "../../../words.ts";
import styles from "./desk.module.css";
import { nameIn } from "./request-detail.ts";

/** The operator desk's form fields. Forms declare their fields; this module renders each kind. */

/**
 * The values and problems of a submitted form. `prefix` is prepended to each field's id on pages
 * where several forms share field names.
 */
export type Filled = { typed: FormValues; problems: readonly Problem[]; prefix?: string };

/** Converts a checklist's stored answers to field values. */
export const toTyped = (kept: ChecklistAnswers | undefined): FormValues =>
  Object.fromEntries(Object.entries(kept ?? {}).map(([name, values]) => [name, [...values]]));

export const untouched: Filled = { typed: {}, problems: [] };

export type FieldView = {
  name: string;
  label: string;
  hint?: string | undefined;
  value?: string | undefined;
  optional?: true;
} & (
  | { kind: "email" | "text" }
  | { kind: "tick"; isTicked?: boolean }
  | { kind: "date"; min?: string; max?: string }
  /** Multiline text of at most `most` characters. `lang` is the recipient's language. */
  | { kind: "lines"; most?: number; lang?: string }
  /** One of several options, as radio buttons (`choices`) or a select (`list`). */
  | { kind: "choices"; options: readonly Option[] }
  | { kind: "list"; options: readonly Option[] }
);

/** Option of a select or radio group. `group` is its heading in a select. */
type Option = { value: string; words: string; lang?: string | undefined; group?: string };

/** Returns one option per value, labeled with the value's text. */
export const toOptions = <Value extends string>(
  values: readonly Value[],
  words: Readonly<Record<Value, string>>,
): Option[] => values.map((value) => ({ value, words: words[value] }));

const stateOf = ({ problems, prefix = "" }: Filled, name: string, hint?: string) =>
  fieldState(problems, name, hint, prefix + name);

/** Renders hidden fields, with one field per entry of a list. */
export function Hidden({
  fields,
}: {
  fields: Record<string, OptionValue | readonly OptionValue[]>;
}) {
  return Object.entries(fields).flatMap(([name, values]) =>
    [values]
      .flat()
      .map((value) => <input key={`${name} ${value}`} type="hidden" name={name} value={value} />),
  );
}

type OptionValue = string | number;

export function Fields({
  fields,
  filled = untouched,
}: {
  fields: readonly FieldView[];
  filled?: Filled | undefined;
}) {
  return fields.map((field) => <OneField key={field.name} {...{ field, filled }} />);
}

function OneField({ field, filled }: { field: FieldView; filled: Filled }) {
  const { kind, name, label, hint, value, optional } = field;
  const { id, problem, aria } = stateOf(filled, name, hint);
  if (kind === "tick") {
    const isTicked = field.isTicked || name in filled.typed;
    return (
      <TickField name={id} label={label}>
        <input id={id} name={name} type="checkbox" defaultChecked={isTicked} />
      </TickField>
    );
  }
  if (kind === "choices") {
    return (
      <fieldset className={styles.choices} id={id} tabIndex={-1} {...aria}>
        <legend>
          <Text>{label}</Text>
        </legend>
        <FieldProblem name={id} words={problem} />
        <Options type="radio" {...{ name, filled, value, options: field.options }} required />
      </fieldset>
    );
  }
  const defaultValue = filled.typed[name]?.[0] ?? value;
  const shared = { id, name, required: !optional, ...aria, defaultValue };
  return (
    <Field name={id} {...{ label, problem }} hint={hint && <WithAddresses text={hint} />}>
      {kind === "lines" ? (
        <textarea {...shared} rows={3} maxLength={field.most} lang={field.lang} dir="auto" />
      ) : kind === "list" ? (
        <select {...shared}>
          <Listed options={field.options} />
        </select>
      ) : kind === "date" ? (
        <input {...shared} type="date" min={field.min} max={field.max} />
      ) : (
        <input
          {...shared}
          type={kind}
          dir={kind === "email" ? "ltr" : "auto"}
          autoComplete="off"
          spellCheck={false}
        />
      )}
    </Field>
  );
}

/** Renders the options of a select in groups. */
function Listed({ options }: { options: readonly Option[] }) {
  const groups = [...new Set(options.map(({ group }) => group))];
  return groups.map((group) => {
    const entries = options
      .filter((option) => option.group === group)
      .map(({ value, words }) => (
        <option key={value} value={value}>
          {words}
        </option>
      ));
    return group === undefined ? (
      entries
    ) : (
      <optgroup key={group} label={group}>
        {entries}
      </optgroup>
    );
  });
}

/**
 * Renders labeled radio buttons or checkboxes.
 * @param value initial choice
 */
function Options({
  options,
  filled,
  name,
  value: first,
  ...input
}: Omit<ComponentProps<"input">, "value"> & {
  options: readonly Option[];
  filled: Filled;
  name: string;
  value?: string | readonly string[] | undefined;
}) {
  const { inLanguage } = useWords();
  const chosen = filled.typed[name] ?? [first].flat();
  return options.map(({ value, words, lang }) => (
    <label key={value} className="target">
      <input {...{ ...input, name, value }} defaultChecked={chosen.includes(value)} />
      <span {...inLanguage(lang)}>
        <InLanguage language={lang}>
          <Text>{words}</Text>
        </InLanguage>
      </span>
    </label>
  ));
}

// The checklist of data stores

type Matter = {
  dataList: DataList;
  requests: readonly StoredRequest[];
  filled: Filled;
  /** Whether the server saves each answer immediately. */
  keeps: boolean;
};

/**
 * Renders the checklist for deleting an account: the kind of account, then the result in each data
 * store. Answering a store reveals the next. Stores that don't apply to the account are hidden.
 * After a validation error, all stores are visible.
 */
export function Checklist({ children, ...matter }: Matter & { children: ReactNode }) {
  const { dataList, filled } = matter;
  const toTick = placesToTick(dataList);
  const isToTick = ({ key }: Store) => toTick.includes(key);
  return (
    <div
      className={`${styles.checklist} stack`}
      data-whole={filled.problems.length > 0 || undefined}
    >
      <Account {...matter} />
      {dataList.stores.filter(isToTick).map((store) => (
        <Place key={store.key} store={store} {...matter} />
      ))}
      <div className="stack">{children}</div>
    </div>
  );
}

type Store = DataList["stores"][number];

/**
 * Renders the choice of account kind. It comes first, because it decides which data stores apply.
 */
function Account({ filled, keeps }: Matter) {
  const { deletion, operator } = useWords();
  const { form, problems } = operator.desk;
  const { User: user, Rider: rider } = deletion.table.accounts;
  const { id, problem, aria } = stateOf(filled, "account");
  const options = toOptions(accountKinds, { user, rider, both: form.both });
  return (
    <fieldset
      className={`${styles.place} frame`}
      data-place="account"
      id={id}
      tabIndex={-1}
      {...aria}
    >
      <legend>
        <Text>{problems.account}</Text>
      </legend>
      <FieldProblem name={id} words={problem} />
      <div className="row">
        <Options type="radio" name="account" {...{ filled, options }} required />
        {keeps ? <Save place="account" /> : null}
      </div>
    </fieldset>
  );
}

/**
 * Renders the button that saves the answers so far. The operators' script saves each answer without
 * the button and announces the result next to it.
 */
function Save({ place }: { place: string }) {
  const { acts, form } = useWords().operator.desk;
  return (
    <>
      <Button type="submit" name="save" value={place} formNoValidate>
        {acts.tick}
      </Button>
      <span role="status" className="soft" data-says={form.saved} />
    </>
  );
}

/**
 * Renders a data store to check or a recipient to notify, with links to each account's admin page.
 */
function Place({ store, dataList, requests, filled, keeps }: Matter & { store: Store }) {
  const words = useWords();
  const { operator, say, dates } = words;
  const { form } = operator.desk;
  const { key, adminPage, how } = store;
  const name = `at-${key}`;
  const { id, problem, aria } = stateOf(filled, name);
  const place = nameIn(words, store);
  const isRecipient = recipientsToNotify(dataList).includes(key);
  const [of, ...otherAccounts] = accountsAt(dataList, key);
  const kinds = words.dataKinds.filter((row) => row.store === key);
  const isSearched = adminPage?.includes("{address}") === true;
  const addresses = isSearched ? requests.flatMap(({ email }) => email ?? []) : [];
  // With several links, keep the lines short so that the answers stay on screen.
  const isSeveral = addresses.length > 1;
  const language = words.settings.language;
  const howTo = how?.[language] ?? Object.values(how ?? {})[0];
  const answers = isRecipient ? [{ value: "done", words: form.told }] : toOptions(foundThere, form);
  return (
    <fieldset
      className={`${styles.place} frame`}
      data-place={key}
      data-only={of && !isRecipient && otherAccounts.length === 0 ? of : undefined}
      id={id}
      tabIndex={-1}
    >
      <legend>
        <Text>{isRecipient ? say(form.tell, { place }) : place}</Text>
      </legend>
      <div className={styles.there}>
        <p className="soft">
          <Text>{dates.list(kinds.map(({ kind }) => kind))}</Text>
        </p>
        {isSeveral ? (
          <p>
            <Text>{form.openAdmin}</Text>:
          </p>
        ) : null}
        {addresses.map((address) => (
          <p key={address}>
            <a
              href={adminPage?.replace("{address}", encodeURIComponent(address))}
              target="_blank"
              rel="noreferrer"
              aria-label={isSeveral ? say(form.openPlace, { address }) : undefined}
            >
              <Text>{isSeveral ? address : say(form.openPlace, { address })}</Text>
            </a>
          </p>
        ))}
        {adminPage === undefined || isSearched ? null : (
          <p>
            <a href={adminPage} target="_blank" rel="noreferrer">
              <Text>{form.openAdmin}</Text>
            </a>
          </p>
        )}
        {howTo ? (
          <p>
            <Text>{howTo}</Text>
          </p>
        ) : null}
      </div>
      <FieldProblem name={id} words={problem} />
      <div className="row">
        <Options type="radio" {...{ name, filled, options: answers, ...aria }} />
        {keeps ? <Save place={key} /> : null}
      </div>
      {isRecipient ? null : <Kept {...{ of: key, kinds, filled }} />}
    </fieldset>
  );
}

/**
 * Renders the fields for retained data: which data, why, and until when. They are required only if
 * the store retains data.
 */
function Kept({
  of,
  kinds,
  filled,
}: {
  of: string;
  kinds: PageWords["dataKinds"];
  filled: Filled;
}) {
  const { form } = useWords().operator.desk;
  const name = `kept-${of}`;
  const rows = kinds.map(({ key, kind }) => ({ value: key, words: kind }));
  const options = [{ value: "", words: form.chooseReason }, ...toOptions(whyKept, form)];
  const value = kinds.map(({ key }) => key);
  return (
    <div className={`${styles.kept} stack`}>
      <div className="row">
        <Options type="checkbox" {...{ name, filled, value, options: rows }} />
      </div>
      <Fields
        fields={[
          { kind: "list", name: `why-${of}`, label: form.reason, options, optional: true },
          { kind: "date", name: `until-${of}`, label: form.until, optional: true },
        ]}
        filled={filled}
      />
    </div>
  );
}
