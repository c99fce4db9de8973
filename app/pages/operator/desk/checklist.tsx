import { useWords } from "../../../words.ts";
import styles from "./desk.module.css";
import type { Unfinished } from "./desk-answer.ts";
import type { RequestView } from "./request-view.ts";

/** What a completion says: where data lay, whose account it was, and what was otherwise than the campus's list. */
export function Checklist({
  checklist,
  typed,
}: {
  checklist: RequestView["checklist"];
  typed: Unfinished["typed"];
}) {
  const { form } = useWords().operator.desk;
  const isOtherwise = Object.entries(typed).some(
    ([name, [value]]) => name.startsWith("kind-") && value !== "listed",
  );
  return (
    <div className={styles.fields}>
      <Stores checklist={checklist} typed={typed} />
      <div className={styles.field}>
        <label htmlFor="address">{form.address}</label>
        <p id="address-hint" className={styles.hint}>
          {form.addressHint}
        </p>
        <input
          id="address"
          name="address"
          type="email"
          required
          autoComplete="off"
          spellCheck={false}
          aria-describedby="address-hint"
          defaultValue={typed.address?.[0]}
        />
      </div>
      <AccountKinds name="account" typed={typed} />
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
              <input
                id={`until-${key}`}
                name={`until-${key}`}
                type="date"
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
 * The places to go through, in their order. Whoever must be told is ticked once they are; the other boxes are for whoever
 * goes through them, and what goes by itself is ticked already.
 */
export function Stores({
  checklist,
  typed,
}: {
  checklist: RequestView["checklist"];
  typed: Unfinished["typed"];
}) {
  const { form } = useWords().operator.desk;
  const { told = [], gone = [] } = typed;
  return (
    <fieldset className={styles.choices}>
      <legend>{form.stores}</legend>
      <p className={styles.hint}>{form.storesHint}</p>
      <ul className={styles.stores}>
        {checklist.stores.map((store) => (
          <li key={store.key}>
            {store.told === "by-operator" ? (
              <label>
                <input
                  id={`told-${store.key}`}
                  type="checkbox"
                  name="told"
                  value={store.key}
                  required
                  defaultChecked={told.includes(store.key)}
                />
                <span>
                  <b>{form.tell.replace("{place}", store.place)}</b>
                  <small>{store.kinds}</small>
                </span>
              </label>
            ) : (
              <label>
                <input
                  type="checkbox"
                  name="gone"
                  value={store.key}
                  disabled={store.told === "by-itself"}
                  defaultChecked={store.told === "by-itself" || gone.includes(store.key)}
                />
                <span>
                  <b>{store.place}</b>{" "}
                  {store.told === "by-itself" ? <span>{form.byItself}</span> : null}
                  <small>{store.kinds}</small>
                </span>
              </label>
            )}
          </li>
        ))}
      </ul>
    </fieldset>
  );
}

/** Whether the account was one of a user, of a rider, or both. */
export function AccountKinds({
  name,
  typed,
  required = true,
}: {
  name: string;
  typed: Unfinished["typed"];
  required?: boolean;
}) {
  const { form } = useWords().operator.desk;
  return (
    <fieldset className={styles.kindsOfAccount} id={name} tabIndex={-1}>
      <legend>{form.account}</legend>
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
