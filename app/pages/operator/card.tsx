import type { ReactNode } from "react";
import { Button } from "../../ui/button.tsx";
import { useWords } from "../../words.ts";
import { Hidden } from "./desk/fields.tsx";

/** A part of a page, found by the id of its heading. */
export function Card({ id, title, children }: { id: string; title: string; children: ReactNode }) {
  return (
    <section className="desk-card stack frame" aria-labelledby={id}>
      <h2 id={id}>{title}</h2>
      {children}
    </section>
  );
}

/** One of a list: its name, what is to be said of it, and behind a fold what can be changed of it. */
export function Row({
  name,
  says,
  children,
}: {
  name: string;
  says: readonly string[];
  children?: ReactNode;
}) {
  const { change } = useWords().operator.people;
  return (
    <li className="row">
      <div>
        <b>{name}</b>
        {says.filter(Boolean).map((text) => (
          <p key={text} className="soft">
            {text}
          </p>
        ))}
      </div>
      {children ? (
        <details>
          <summary>
            {change}
            <span className="visually-hidden"> {name}</span>
          </summary>
          {children}
        </details>
      ) : null}
    </li>
  );
}

/** A form that does one thing on its own page, with what goes with it and what is typed or ticked in it. */
export function CardForm({
  act,
  fields = {},
  label,
  look = "plain",
  children,
}: {
  act: string;
  fields?: Record<string, string | number>;
  label: string;
  look?: "plain" | "primary" | "danger";
  children?: ReactNode;
}) {
  return (
    <form data-kept="" method="post" className="desk-form stack">
      <Hidden fields={{ act, ...fields }} />
      {children}
      <Button type="submit" look={look}>
        {label}
      </Button>
    </form>
  );
}
