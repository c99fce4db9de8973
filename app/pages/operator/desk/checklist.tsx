import { describedBy } from "../../../ui/field.tsx";
import { useWords } from "../../../words.ts";
import styles from "./desk.module.css";
import type { Unfinished } from "./desk-answer.ts";
import type { RequestView } from "./request-view.ts";
import { problemOf, Wrong } from "./wrong.tsx";

/** What a completion says: where data lay, whose account it was, and what was otherwise than the campus's list. */
export function Checklist({
  checklist,
  typed,
  problems,
}: {
  checklist: RequestView["checklist"];
  typed: Unfinished["typed"];
  problems: Unfinished["problems"];
}) {
  const { form } = useWords().operator.desk;
  const wrong = (name: string) => problemOf(problems, name);
  const isOtherwise = Object.entries(typed).some(
    ([name, [value]]) => name.startsWith("kind-") && value !== "listed",
  );
  return (
    <div className={styles.fields}>
      <Stores checklist={checklist} typed={typed} problems={problems} />
      <div className={styles.field}>
        <label htmlFor="address">{form.address}</label>
        <p id="address-hint" className={styles.hint}>
          {form.addressHint}
        </p>
        <Wrong name="address" words={wrong("address")} />
        <input
          id="address"
          name="address"
          type="email"
          required
          autoComplete="off"
          spellCheck={false}
          aria-describedby={describedBy("address", {
            problem: wrong("address"),
            hint: form.addressHint,
          })}
          aria-invalid={wrong("address") !== "" || undefined}
          defaultValue={typed.address?.[0]}
        />
      </div>
      <AccountKinds name="account" typed={typed} problem={wrong("account")} />
      <details className={styles.otherwise} open={isOtherwise || undefined}>
        <summary>{form.otherwise}</summary>
        <div className={styles.kinds}>
          {checklist.kinds.map(({ key, kind, onDeletion }) => (
            <fieldset key={key}>
              <legend>{kind}</legend>
              <select
                name={`kind-${key}`}
                aria-label={kind}
                defaultValue={typed[`kind-${key}`]?.[0] ?? "listed"}
              >
                <option value="listed">{form.asListed[onDeletion]}</option>
                {(["none", "open-matter", "legal-duty"] as const).map((what) => (
                  <option key={what} value={what}>
                    {form[what]}
                  </option>
                ))}
              </select>
              <label htmlFor={`until-${key}`}>{form.until}</label>
              <Wrong name={`until-${key}`} words={wrong(`until-${key}`)} />
              <input
                id={`until-${key}`}
                name={`until-${key}`}
                type="date"
                aria-describedby={describedBy(`until-${key}`, { problem: wrong(`until-${key}`) })}
                aria-invalid={wrong(`until-${key}`) !== "" || undefined}
                defaultValue={typed[`until-${key}`]?.[0]}
              />
            </fieldset>
          ))}
        </div>
      </details>
    </div>
  );
}

/**
 * The places to go through, in their order, and who must be told: each is ticked by whoever has done it. What goes by itself
 * is ticked already.
 */
export function Stores({
  checklist,
  typed,
  problems,
}: {
  checklist: RequestView["checklist"];
  typed: Unfinished["typed"];
  problems: Unfinished["problems"];
}) {
  const { form } = useWords().operator.desk;
  const { place: ticked = [] } = typed;
  // One problem names all places, another everybody who is still to be told.
  const problem = [
    ...new Set(problems.filter(({ field }) => isOfPlace(field)).map(({ words }) => words)),
  ].join(" ");
  return (
    <fieldset className={styles.choices}>
      <legend>{form.stores}</legend>
      <p className={styles.hint}>{form.storesHint}</p>
      <Wrong name="place" words={problem} />
      <ul className={styles.stores}>
        {checklist.stores.map(({ key, place, kinds, told }) => (
          <li key={key}>
            <label>
              <input
                id={`place-${key}`}
                type="checkbox"
                name="place"
                value={key}
                required={told === "by-operator"}
                disabled={told === "by-itself"}
                {...(problem &&
                  told !== "by-itself" &&
                  !ticked.includes(key) && {
                    "aria-describedby": describedBy("place", { problem }),
                    "aria-invalid": true,
                  })}
                defaultChecked={told === "by-itself" || ticked.includes(key)}
              />
              <span>
                <b>{told === "by-operator" ? form.tell.replace("{place}", place) : place}</b>{" "}
                {told === "by-itself" ? <span>{form.byItself}</span> : null}
                <small>{kinds}</small>
              </span>
            </label>
          </li>
        ))}
      </ul>
    </fieldset>
  );
}

/** Whether what is wrong is about the places, which stand once for all requests that are completed together. */
export function isOfPlace(field: string | undefined): boolean {
  return field?.startsWith("place-") === true;
}

/** Whether the account was one of a user, of a rider, or both. */
export function AccountKinds({
  name,
  typed,
  problem,
  required = true,
}: {
  name: string;
  typed: Unfinished["typed"];
  /** What is wrong with it, said beside it. */
  problem: string;
  required?: boolean;
}) {
  const { form } = useWords().operator.desk;
  return (
    <fieldset
      className={styles.kindsOfAccount}
      id={name}
      tabIndex={-1}
      aria-describedby={describedBy(name, { problem })}
    >
      <legend>{form.account}</legend>
      <Wrong name={name} words={problem} />
      {(["user", "rider", "both"] as const).map((kind) => (
        <label key={kind}>
          <input
            type="radio"
            name={name}
            value={kind}
            required={required}
            defaultChecked={typed[name]?.[0] === kind}
          />
          <span>{form[kind]}</span>
        </label>
      ))}
    </fieldset>
  );
}
