import type { Typed } from "../../../../server/operator-desk/read-form.ts";
import { describedBy, Field, FieldProblem, TickField } from "../../../ui/field.tsx";
import { WithAddresses } from "../../../ui/line-breaks.tsx";
import styles from "./desk.module.css";

/** The fields of the desk's forms: a form says which it has, and here is what each kind looks like. */

/** What is wrong: with one field by its id, or with the whole. */
export type Problem = { field?: string | undefined; words: string };

/** A form as it was sent: what stood in it, and what was wrong with that. */
export type Filled = { typed: Typed; problems: readonly Problem[] };

export const untouched: Filled = { typed: {}, problems: [] };

export type FieldView = {
  name: string;
  label: string;
  hint?: string | undefined;
  /** What stands in it before anything was typed. */
  value?: string | undefined;
  optional?: true;
} & (
  | { kind: "email" | "text" }
  | { kind: "tick"; isTicked?: boolean }
  | { kind: "date"; min?: string; max?: string }
  /** Several lines, of so many signs at most, in the language in which they are read. */
  | { kind: "lines"; most?: number; lang?: string }
  /** One of several: each in view, or in a list that opens. */
  | { kind: "choices"; options: readonly Option[] }
  | { kind: "list"; options: readonly Option[] }
);

export type Option = { value: string; words: string; lang?: string | undefined };

export function problemOf({ problems }: Filled, field: string): string {
  return problems.flatMap((one) => (one.field === field ? [one.words] : [])).join(" ");
}

/** What every control says of itself where something is wrong with it. */
export function told(filled: Filled, id: string, hint?: string) {
  const problem = problemOf(filled, id);
  return {
    "aria-describedby": describedBy(id, { problem, ...(hint !== undefined && { hint }) }),
    "aria-invalid": problem !== "" || undefined,
  };
}

/** What a form says without being asked, by name; of a list each entry. */
export function Hidden({
  fields,
}: {
  fields: Record<string, string | number | readonly string[]>;
}) {
  return Object.entries(fields).flatMap(([name, values]) =>
    [values]
      .flat()
      .map((value) => <input key={`${name} ${value}`} type="hidden" name={name} value={value} />),
  );
}

/** @param prefix before each field's id, where a page has several forms with the same fields */
export function Fields({
  fields,
  filled = untouched,
  prefix = "",
}: {
  fields: readonly FieldView[];
  filled?: Filled | undefined;
  prefix?: string;
}) {
  return fields.map((field) => {
    const { kind, name, label, hint } = field;
    const id = prefix + name;
    if (kind === "tick") {
      const isTicked = field.isTicked || name in filled.typed;
      return (
        <TickField key={name} name={id} label={label}>
          <input id={id} name={name} type="checkbox" defaultChecked={isTicked} />
        </TickField>
      );
    }
    if (kind === "choices") return <Choices key={name} {...{ field, filled, id }} />;
    return (
      <Field
        key={name}
        name={id}
        label={label}
        hint={hint && <WithAddresses text={hint} />}
        problem={problemOf(filled, id)}
      >
        <Control
          field={field}
          shared={{
            ...{ id, name, required: !field.optional, ...told(filled, id, hint) },
            defaultValue: filled.typed[name]?.[0] ?? field.value,
          }}
        />
      </Field>
    );
  });
}

function Control({
  field,
  shared,
}: {
  field: FieldView;
  shared: { defaultValue?: string | undefined };
}) {
  switch (field.kind) {
    case "lines":
      return <textarea {...shared} rows={3} maxLength={field.most} lang={field.lang} />;
    case "list":
      return (
        <select {...shared}>
          {field.options.map(({ value, words }) => (
            <option key={value} value={value}>
              {words}
            </option>
          ))}
        </select>
      );
    case "date":
      return <input {...shared} type="date" min={field.min} max={field.max} />;
    default:
      return <input {...shared} type={field.kind} autoComplete="off" spellCheck={false} />;
  }
}

function Choices({
  field: { name, label, value: first, options },
  filled,
  id,
}: {
  field: Extract<FieldView, { kind: "choices" }>;
  filled: Filled;
  id: string;
}) {
  const chosen = filled.typed[name]?.[0] ?? first;
  return (
    <fieldset className={styles.choices} id={id} tabIndex={-1} {...told(filled, id)}>
      <legend>{label}</legend>
      <FieldProblem name={id} words={problemOf(filled, id)} />
      {options.map(({ value, words, lang }) => (
        <label key={value} className="target">
          <input
            type="radio"
            name={name}
            value={value}
            required
            defaultChecked={chosen === value}
          />
          <span lang={lang}>{words}</span>
        </label>
      ))}
    </fieldset>
  );
}
