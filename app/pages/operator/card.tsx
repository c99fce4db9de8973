import type { ReactNode } from "react";
import { Button } from "../../components/button.tsx";
import { MixedText } from "../../components/mixed-text.tsx";
import { useWords } from "../../words.ts";
import { Hidden } from "./desk/fields.tsx";

/** Renders a section of a page. URL fragments can link to its heading. */
export function Card({ id, title, children }: { id: string; title: string; children: ReactNode }) {
  return (
    <section className="desk-card stack frame" aria-labelledby={id}>
      <h2 id={id}>
        <MixedText text={title} />
      </h2>
      {children}
    </section>
  );
}

/** Renders a list row: a name, details, and the row's forms in a collapsible section. */
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
        <b>
          <MixedText text={name} />
        </b>
        {says.filter(Boolean).map((text) => (
          <p key={text} className="soft">
            <MixedText text={text} />
          </p>
        ))}
      </div>
      {children ? (
        <details>
          <summary>
            {change}
            <span className="visually-hidden">
              {" "}
              <MixedText text={name} />
            </span>
          </summary>
          {children}
        </details>
      ) : null}
    </li>
  );
}

/** Renders the form of a single act, with hidden values and visible fields. */
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
        <MixedText text={label} />
      </Button>
    </form>
  );
}
