import { type ReactNode, useEffect, useRef, useState } from "react";
import { foundThere, whyKept } from "../../../../server/operator-desk/act-names.ts";
import { Button } from "../../../ui/button.tsx";
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
 * The walk from place to place: what was there, one after the other, and in the end whose account it was. Without script, and
 * where something is wrong, all of it stands in its order.
 */
export function Walk({
  walk,
  typed,
  problems,
  children,
}: Said & {
  walk: WalkView;
  /** What is asked for after the last place. */
  children: ReactNode;
}) {
  const { form } = useWords().operator.desk;
  const { places, byItself } = walk;
  const [at, setAt] = useState<number>();
  const steps = useRef<HTMLDivElement>(null);
  const isWrong = problems.length > 0;
  useEffect(() => setAt(isWrong ? undefined : 0), [isWrong]);
  const moved = useRef(false);
  function goTo(step: number): void {
    moved.current = true;
    setAt(step);
  }
  // Whoever goes on without seeing hears where they are.
  useEffect(() => {
    if (moved.current && at !== undefined) {
      steps.current?.querySelector<HTMLElement>(`[data-step="${at}"]`)?.focus();
    }
  }, [at]);
  const phase = (step: number) =>
    at === undefined || at === step ? undefined : at > step ? "past" : "ahead";
  return (
    <div
      ref={steps}
      className={styles.walk}
      data-walking={(at !== undefined && at < places.length) || undefined}
    >
      <p className={styles.hint}>{form.walkHint}</p>
      {places.map((one, step) => (
        <Place
          key={one.key}
          place={one}
          step={step}
          phase={phase(step)}
          {...{ typed, problems }}
          onBack={() => goTo(step)}
          onNext={at === undefined ? undefined : () => goTo(step + 1)}
        />
      ))}
      <div data-step={places.length} data-phase={phase(places.length)} tabIndex={-1}>
        <div className={styles.fields}>{children}</div>
      </div>
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
  step,
  phase,
  typed,
  problems,
  onBack,
  onNext,
}: Said & {
  place: PlaceView;
  step: number;
  phase: "past" | "ahead" | undefined;
  onBack: () => void;
  onNext: (() => void) | undefined;
}) {
  const { form } = useWords().operator.desk;
  const [said, setSaid] = useState(typed[`at-${key}`]?.[0]);
  // Arrow keys look at one answer after the other; a finger means the one that it presses.
  const byFinger = useRef(false);
  const answers = isTold ? (["done"] as const) : foundThere;
  const words = { done: isTold ? form.told : form.done, none: form.none, kept: form.kept };
  const problem = problemOf(problems, `at-${key}`);
  const untilProblem = problemOf(problems, `until-${key}`);
  return (
    <fieldset
      className={styles.place}
      data-step={step}
      data-phase={phase}
      tabIndex={-1}
      onPointerDown={() => {
        byFinger.current = true;
      }}
      onKeyDown={(event) => {
        byFinger.current = false;
        // Enter goes on, and sends nothing before the end.
        if (event.key !== "Enter" || !(event.target instanceof HTMLInputElement) || !onNext) return;
        event.preventDefault();
        onNext();
      }}
    >
      <legend>
        {phase === "past" ? (
          <button type="button" onClick={onBack}>
            {place}: {answers.find((one) => one === said) ? words[said as "done"] : form.open}
          </button>
        ) : isTold ? (
          form.tell.replace("{place}", place)
        ) : (
          place
        )}
      </legend>
      <p className={styles.hint}>{kinds.map(({ kind }) => kind).join(", ")}</p>
      {links.map(({ address, url }) => (
        <p key={address}>
          <a href={url} target="_blank" rel="noreferrer">
            {form.openPlace.replace("{address}", address)}
          </a>
        </p>
      ))}
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
              onChange={() => setSaid(answer)}
              onClick={() => {
                if (byFinger.current && answer !== "kept") onNext?.();
              }}
            />
            <span>{words[answer]}</span>
          </label>
        ))}
      </div>
      {isTold ? null : (
        <div className={styles.kept}>
          <div className={styles.answers}>
            {kinds.map((one) => (
              <label key={one.key}>
                <input
                  type="checkbox"
                  name={`kept-${key}`}
                  value={one.key}
                  defaultChecked={typed[`kept-${key}`]?.includes(one.key) ?? true}
                />
                <span>{one.kind}</span>
              </label>
            ))}
          </div>
          <select
            name={`why-${key}`}
            aria-label={form.reason}
            defaultValue={typed[`why-${key}`]?.[0]}
          >
            {whyKept.map((why) => (
              <option key={why} value={why}>
                {form[why]}
              </option>
            ))}
          </select>
          <label htmlFor={`until-${key}`}>{form.until}</label>
          <Wrong name={`until-${key}`} words={untilProblem} />
          <input
            id={`until-${key}`}
            name={`until-${key}`}
            type="date"
            aria-describedby={describedBy(`until-${key}`, { problem: untilProblem })}
            aria-invalid={untilProblem !== "" || undefined}
            defaultValue={typed[`until-${key}`]?.[0]}
          />
        </div>
      )}
      {onNext ? (
        <p className={styles.goOn}>
          <Button type="button" onClick={onNext}>
            {form.next}
          </Button>
        </p>
      ) : null}
    </fieldset>
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
