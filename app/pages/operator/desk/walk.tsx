import type { ReactNode } from "react";
import { foundThere, whyKept } from "../../../../server/operator-desk/act-names.ts";
import { describedBy } from "../../../ui/field.tsx";
import { useWords } from "../../../words.ts";
import styles from "./desk.module.css";
import type { Unfinished } from "./desk-answer.ts";
import { problemOf, Wrong } from "./wrong.tsx";

/** A place to go through, or somebody to tell. */
export type PlaceView = {
  key: string;
  place: string;
  isTold: boolean;
  kinds: { key: string; kind: string }[];
  /** The place's own page of each account, by its address, where the campus says where that is. */
  links: { address: string; url: string }[];
};

export type WalkView = {
  places: PlaceView[];
  /** The places where it goes by itself. */
  byItself: string[];
};

type Said = Pick<Unfinished, "typed" | "problems">;

/**
 * The walk from place to place: what was there, one after the other, and in the end whose account it was. The next place shows
 * as soon as something was said of the one before; where something is wrong, all of them do.
 */
export function Walk({
  walk: { places, byItself },
  typed,
  problems,
  children,
}: Said & {
  walk: WalkView;
  /** What is asked for after the last place. */
  children: ReactNode;
}) {
  const { form } = useWords().operator.desk;
  return (
    <div className={styles.walk} data-whole={problems.length > 0 || undefined}>
      <p className={styles.hint}>{form.walkHint}</p>
      {places.map((one) => (
        <Place key={one.key} place={one} {...{ typed, problems }} />
      ))}
      <div className={styles.fields}>{children}</div>
      {byItself.length > 0 ? (
        <p className={styles.hint}>
          {form.byItself} {byItself.join(", ")}
        </p>
      ) : null}
    </div>
  );
}

function Place({
  place: { key, place, isTold, kinds, links },
  typed,
  problems,
}: Said & { place: PlaceView }) {
  const { operator, say } = useWords();
  const { form } = operator.desk;
  const said = typed[`at-${key}`]?.[0];
  const answers = isTold ? (["done"] as const) : foundThere;
  const words = { done: isTold ? form.told : form.done, none: form.none, kept: form.kept };
  const problem = problemOf(problems, `at-${key}`);
  return (
    <fieldset className={styles.place} data-place={key}>
      <legend>{isTold ? say(form.tell, { place }) : place}</legend>
      <div className={styles.there}>
        <p className={styles.hint}>{kinds.map(({ kind }) => kind).join(", ")}</p>
        {links.map(({ address, url }) => (
          <p key={address}>
            <a href={url} target="_blank" rel="noreferrer">
              {say(form.openPlace, { address })}
            </a>
          </p>
        ))}
      </div>
      <Wrong name={`at-${key}`} words={problem} />
      <div className={styles.answers}>
        {answers.map((answer, index) => (
          <label key={answer}>
            <input
              id={index === 0 ? `at-${key}` : undefined}
              type="radio"
              name={`at-${key}`}
              value={answer}
              aria-describedby={describedBy(`at-${key}`, { problem })}
              aria-invalid={problem !== "" || undefined}
              defaultChecked={said === answer}
            />
            <span>{words[answer]}</span>
          </label>
        ))}
      </div>
      {isTold ? null : <Kept {...{ name: key, kinds, typed, problems }} />}
    </fieldset>
  );
}

/** What of a place stays, why and until when. */
function Kept({
  name,
  kinds,
  typed,
  problems,
}: Said & { name: string; kinds: PlaceView["kinds"] }) {
  const { form } = useWords().operator.desk;
  const until = `until-${name}`;
  const problem = problemOf(problems, until);
  return (
    <div className={styles.kept}>
      <div className={styles.answers}>
        {kinds.map(({ key, kind }) => (
          <label key={key}>
            <input
              type="checkbox"
              name={`kept-${name}`}
              value={key}
              defaultChecked={typed[`kept-${name}`]?.includes(key) ?? true}
            />
            <span>{kind}</span>
          </label>
        ))}
      </div>
      <select
        name={`why-${name}`}
        aria-label={form.reason}
        defaultValue={typed[`why-${name}`]?.[0]}
      >
        {whyKept.map((why) => (
          <option key={why} value={why}>
            {form[why]}
          </option>
        ))}
      </select>
      <label htmlFor={until}>{form.until}</label>
      <Wrong name={until} words={problem} />
      <input
        id={until}
        name={until}
        type="date"
        aria-describedby={describedBy(until, { problem })}
        aria-invalid={problem !== "" || undefined}
        defaultValue={typed[until]?.[0]}
      />
    </div>
  );
}

/** Whether the account was one of a user, of a rider, or both. */
export function AccountKinds({ typed, problems }: Said) {
  const { form } = useWords().operator.desk;
  const problem = problemOf(problems, "account");
  return (
    <fieldset
      className={styles.answers}
      id="account"
      tabIndex={-1}
      aria-describedby={describedBy("account", { problem })}
    >
      <legend>{form.account}</legend>
      <Wrong name="account" words={problem} />
      {(["user", "rider", "both"] as const).map((kind) => (
        <label key={kind}>
          <input
            type="radio"
            name="account"
            value={kind}
            required
            defaultChecked={typed.account?.[0] === kind}
          />
          <span>{form[kind]}</span>
        </label>
      ))}
    </fieldset>
  );
}
