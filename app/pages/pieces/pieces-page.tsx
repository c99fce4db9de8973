import { campus, theme } from "virtual:campus";
import { pictures } from "virtual:pictures";
import { postsIn } from "virtual:posts";
import type { CSSProperties, ReactNode } from "react";
import { paths } from "../../../server/http/paths.ts";
import { Badge } from "../../ui/badge.tsx";
import { Button, ButtonLink } from "../../ui/button.tsx";
import { Chips } from "../../ui/chips.tsx";
import { DataKindsTable } from "../../ui/data-kinds-table.tsx";
import { ErrorSummary } from "../../ui/error-summary.tsx";
import { FaqList } from "../../ui/faq-list.tsx";
import { Field, TickField } from "../../ui/field.tsx";
import fringe from "../../ui/fringe.module.css";
import { HoodFringe } from "../../ui/hood-fringe.tsx";
import { ImportantNotice, Notice } from "../../ui/notice.tsx";
import { Picture } from "../../ui/picture.tsx";
import prose from "../../ui/prose.module.css";
import { Ribbon } from "../../ui/ribbon.tsx";
import { TableOfContents } from "../../ui/table-of-contents.tsx";
import { PostCard } from "../blog/post-card.tsx";
import { postLists } from "../blog/posts.ts";
import styles from "./pieces-page.module.css";

/**
 * Every shared piece of `app/ui/` in all its states, in both schemes side by side, for whoever changes them next.
 * Only the development server has this page.
 */
export default function PiecesPage() {
  return (
    <div className={`page-width ${styles.page}`}>
      <h1>Pieces</h1>
      <div className={styles.schemes}>
        {(["light", "dark"] as const).map((scheme) => (
          // The development server sends no policy that forbids the attribute.
          <div key={scheme} className={styles.scheme} style={coloursOf(scheme)}>
            <Pieces scheme={scheme} />
          </div>
        ))}
      </div>
      <h2>Drawings</h2>
      <p>
        Each beside its alternative, 160 px wide and as large as there is room. They follow the
        scheme of the system. Switch it to see the other one.
      </p>
      <ul className={styles.drawings}>
        {Object.keys(pictures)
          .filter((name) => pictures[name]?.url.endsWith(".svg"))
          .map((name) => (
            <li key={name} data-picture={name}>
              <Picture name={name} alt="" />
              <p>
                <b>{name}</b>
                <br />
                {alternatives.get(name) ?? "(accompanies its words: no alternative)"}
              </p>
              <Picture name={name} alt="" />
            </li>
          ))}
      </ul>
    </div>
  );
}

/** What screen readers are told instead of a drawing, by its name. */
const { landing } = campus;
const posts = postsIn[campus.settings.language] ?? [];
const alternatives = new Map<string, string>([
  ["hero", landing.hero.pictureAlt],
  ["phone", landing.hero.phoneAlt],
  ...landing.services.items.map(({ id, alt }) => [`service-${id}`, alt] as const),
  ...landing.features.tiles.map(({ id, alt }) => [`tile-${id}`, alt] as const),
  ...landing.steps.items.map(({ alt }, index) => [`step-${index + 1}`, alt] as const),
  ["safety", landing.safety.alt],
  ["join-user", landing.registration.user.alt],
  ["join-rider", landing.registration.rider.alt],
  ["about", landing.about.pictureAlt],
  ["store-0", landing.registration.codeAlt],
  ...posts.map(({ picture, imageAlt }) => [picture, imageAlt] as const),
  ...posts.map(({ picture, imageAlt }) => [`post-${picture}`, imageAlt] as const),
]);

/** The colours of a scheme, whatever the system's own is. */
function coloursOf(scheme: "light" | "dark"): CSSProperties {
  const colours = Object.entries(theme[scheme]).map(([name, value]) => [`--${name}`, value]);
  return { colorScheme: scheme, ...Object.fromEntries(colours) };
}

function Pieces({ scheme }: { scheme: string }) {
  const id = (name: string) => `${scheme}-${name}`;
  return (
    <>
      <Piece title="Buttons">
        {(["plain", "primary", "marigold", "danger"] as const).map((look) => (
          <p key={look}>
            <Button look={look}>{look}</Button>
          </p>
        ))}
        <p>
          <ButtonLink href={paths.landing}>A link that looks like one</ButtonLink>
        </p>
      </Piece>
      <Piece title="Chips, badge, ribbon">
        <Chips
          label={id("chips")}
          chips={[
            { name: "Chosen", href: paths.blog, current: true },
            { name: "Not chosen", href: paths.blog, current: false },
            { name: "With a ground", href: paths.blog, current: false, className: fringe.rani },
          ]}
        />
        <Badge>Badge</Badge>
        <Ribbon>Ribbon</Ribbon>
      </Piece>
      <Piece title="Fields">
        <Field name={id("text")} label="Text" hint="A hint below the label.">
          <input id={id("text")} type="text" />
        </Field>
        <Field name={id("wrong")} label="Refused" problem="What is wrong and how to mend it.">
          <input id={id("wrong")} type="text" aria-invalid="true" defaultValue="typed" />
        </Field>
        <Field name={id("select")} label="Choice">
          <select id={id("select")}>
            <option>One</option>
            <option>Two</option>
          </select>
        </Field>
        <Field name={id("area")} label="Long text">
          <textarea id={id("area")} rows={4} />
        </Field>
        <TickField name={id("tick")} label="A box to tick">
          <input id={id("tick")} type="checkbox" />
        </TickField>
      </Piece>
      <Piece title="Notices">
        <Notice tone="know">Something to know.</Notice>
        <Notice tone="danger">Something went wrong.</Notice>
        <ImportantNotice id={id("important")} title="Read this first">
          <p>What cannot be undone.</p>
        </ImportantNotice>
        <ErrorSummary
          id={id("summary")}
          title={campus.deletion.problems.summaryTitle}
          problems={[
            { field: id("wrong"), words: "What is wrong." },
            { words: "Without a field." },
          ]}
        />
      </Piece>
      <Piece title="Accordion">
        <FaqList
          items={campus.faq.slice(0, 2).map((item) => ({ ...item, id: id(item.id) }))}
          headingLevel={3}
        />
      </Piece>
      <Piece title="Table of contents">
        <TableOfContents
          title={id("contents")}
          sections={[
            { id: id("text"), title: "A section" },
            { id: id("area"), title: "Another section" },
          ]}
        />
      </Piece>
      <Piece title="Card">
        <ul>
          {postLists.listed.slice(0, 1).map((post) => (
            <PostCard key={post.id} post={post} list={post.category} />
          ))}
        </ul>
      </Piece>
      <Piece title="Table">
        <DataKindsTable />
      </Piece>
      <Piece title="Long text">
        <div className={prose.prose}>
          <p>
            A paragraph with <a href={paths.landing}>a link to the home page</a> and{" "}
            <strong>strong words</strong>.
          </p>
          <ul>
            <li>One point</li>
            <li>Another point</li>
          </ul>
          <blockquote>
            <p>A sentence taken out of the text.</p>
          </blockquote>
        </div>
      </Piece>
      <Piece title="Edges">
        <HoodFringe />
        <div data-field="peacock" className={`${styles.field} ${fringe.fringe}`}>
          A field of colour
        </div>
      </Piece>
    </>
  );
}

function Piece({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className={styles.piece}>
      <h2>{title}</h2>
      {children}
    </section>
  );
}
