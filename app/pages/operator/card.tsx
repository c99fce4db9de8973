import type { ReactNode } from "react";
import { Button } from "../../components/button.tsx";
import { Text } from "../../components/text.tsx";
import { useWords } from "../../words.ts";
import { Hidden } from "./desk/fields.tsx";

/** Renders a section of a page. URL fragments can link to its heading. */
export function Card({ id, title, children }: { id: string; title: string; children: ReactNode }) {
  return (
    <section className="desk-card stack frame" aria-labelledby={id}>
      <h2 id={id}>
        <Text>{title}</Text>
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
          <Text>{name}</Text>
        </b>
        {says.filter(Boolean).map((text) => (
          <p key={text} className="soft">
            <Text>{text}</Text>
          </p>
        ))}
      </div>
      {children ? (
        <details>
          <summary>
            <Text>{change}</Text>
            <span className="visually-hidden">
              {" "}
              <Text>{name}</Text>
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
  variant = "plain",
  children,
}: {
  act: string;
  fields?: Record<string, string | number>;
  label: string;
  variant?: "plain" | "primary" | "danger";
  children?: ReactNode;
}) {
  return (
    <form data-kept="" method="post" className="desk-form stack">
      <Hidden fields={{ act, ...fields }} />
      {children}
      <Button type="submit" variant={variant}>
        <Text>{label}</Text>
      </Button>
    </form>
  );
}
