import type { ReactNode } from "react";
import { foundThere, whyKept } from "../../../../server/operator-desk/act-names.ts";
import { useWords } from "../../../words.ts";
import type { PlaceView, WalkView } from "./act-view.ts";
import styles from "./desk.module.css";
import { type Filled, told, Wrong } from "./fields.tsx";

/**
 * The walk from place to place: what was there, one after the other, and in the end whose account it was. The next place shows
 * as soon as something was said of the one before; where something is wrong, all of them do.
 */
export function Walk({
  walk: { places, byItself },
  filled,
  children,
}: {
  walk: WalkView;
  filled: Filled;
  /** What is asked for after the last place. */
  children: ReactNode;
}) {
  const { form } = useWords().operator.desk;
  return (
    <div className={styles.walk} data-whole={filled.problems.length > 0 || undefined}>
      <p className={styles.hint}>{form.walkHint}</p>
      {places.map((one) => (
        <Place key={one.key} place={one} filled={filled} />
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
  filled,
}: {
  place: PlaceView;
  filled: Filled;
}) {
  const { operator, say } = useWords();
  const { form } = operator.desk;
  const said = filled.typed[`at-${key}`]?.[0];
  const answers = isTold ? (["done"] as const) : foundThere;
  const words = { done: isTold ? form.told : form.done, none: form.none, kept: form.kept };
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
      <Wrong filled={filled} id={`at-${key}`} />
      <div className={styles.answers}>
        {answers.map((answer, index) => (
          <label key={answer}>
            <input
              id={index === 0 ? `at-${key}` : undefined}
              type="radio"
              name={`at-${key}`}
              value={answer}
              {...told(filled, `at-${key}`)}
              defaultChecked={said === answer}
            />
            <span>{words[answer]}</span>
          </label>
        ))}
      </div>
      {isTold ? null : <Kept {...{ name: key, kinds, filled }} />}
    </fieldset>
  );
}

/** What of a place stays, why and until when. */
function Kept({
  name,
  kinds,
  filled,
}: {
  name: string;
  kinds: PlaceView["kinds"];
  filled: Filled;
}) {
  const { form } = useWords().operator.desk;
  const until = `until-${name}`;
  const { typed } = filled;
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
      <Wrong filled={filled} id={until} />
      <input
        id={until}
        name={until}
        type="date"
        {...told(filled, until)}
        defaultValue={typed[until]?.[0]}
      />
    </div>
  );
}
