import type { ReactNode } from "react";
import {
  type DataList,
  placesToTick,
  recipientsToTell,
} from "../../../../server/deletion-requests/life/checklist.ts";
import type { StoredRequest } from "../../../../server/deletion-requests/life/request.ts";
import { foundThere, whyKept } from "../../../../server/operator-desk/act-names.ts";
import { FieldProblem } from "../../../ui/field.tsx";
import { useWords, type Words } from "../../../words.ts";
import styles from "./desk.module.css";
import { Fields, type Filled, problemOf, told } from "./fields.tsx";
import { nameIn } from "./story.ts";

type Matter = { dataList: DataList; requests: readonly StoredRequest[]; filled: Filled };

/**
 * The walk from place to place: what was there, one after the other, and in the end whose account it was. The next place shows
 * as soon as something was said of the one before; where something is wrong, all of them do.
 */
export function Walk({ children, ...matter }: Matter & { children: ReactNode }) {
  const words = useWords();
  const { form } = words.operator.desk;
  const { dataList, filled } = matter;
  const toWalk = placesToTick(dataList);
  const isWalked = ({ key }: Store) => toWalk.includes(key);
  const byItself = dataList.stores.filter((store) => !isWalked(store));
  return (
    <div className={`${styles.walk} stack`} data-whole={filled.problems.length > 0 || undefined}>
      <p className="soft">{form.walkHint}</p>
      {dataList.stores.filter(isWalked).map((store) => (
        <Place key={store.key} store={store} {...matter} />
      ))}
      <div className="stack">{children}</div>
      {byItself.length > 0 ? (
        <p className="soft">
          {form.byItself} {byItself.map((store) => nameIn(words, store)).join(", ")}
        </p>
      ) : null}
    </div>
  );
}

type Store = DataList["stores"][number];

/** A place to go through, or somebody to tell; the place's own page of each account stands beside it. */
function Place({ store, dataList, requests, filled }: Matter & { store: Store }) {
  const words = useWords();
  const { operator, say } = words;
  const { form } = operator.desk;
  const { key, adminPage } = store;
  const name = `at-${key}`;
  const place = nameIn(words, store);
  const isTold = recipientsToTell(dataList).includes(key);
  const kinds = words.dataKinds.filter((row) => row.store === key);
  const addresses = adminPage === undefined ? [] : requests.flatMap(({ email }) => email ?? []);
  const answers = isTold ? (["done"] as const) : foundThere;
  const labels = { done: isTold ? form.told : form.done, none: form.none, kept: form.kept };
  return (
    <fieldset className={`${styles.place} frame`} data-place={key} id={name} tabIndex={-1}>
      <legend>{isTold ? say(form.tell, { place }) : place}</legend>
      <div className={styles.there}>
        <p className="soft">{kinds.map(({ kind }) => kind).join(", ")}</p>
        {addresses.map((address) => (
          <p key={address}>
            <a
              href={adminPage?.replace("{address}", encodeURIComponent(address))}
              target="_blank"
              rel="noreferrer"
            >
              {say(form.openPlace, { address })}
            </a>
          </p>
        ))}
      </div>
      <FieldProblem name={name} words={problemOf(filled, name)} />
      <div className="row">
        {answers.map((answer) => (
          <label key={answer} className="target">
            <input
              type="radio"
              name={name}
              value={answer}
              {...told(filled, name)}
              defaultChecked={filled.typed[name]?.[0] === answer}
            />
            <span>{labels[answer]}</span>
          </label>
        ))}
      </div>
      {isTold ? null : <Kept {...{ of: key, kinds, filled }} />}
    </fieldset>
  );
}

/** What of a place stays, why and until when: only where something stays is anything asked. */
function Kept({ of, kinds, filled }: { of: string; kinds: Words["dataKinds"]; filled: Filled }) {
  const { form } = useWords().operator.desk;
  const name = `kept-${of}`;
  const options = whyKept.map((value) => ({ value, words: form[value] }));
  return (
    <div className={`${styles.kept} stack`}>
      <div className="row">
        {kinds.map(({ key, kind }) => (
          <label key={key} className="target">
            <input
              type="checkbox"
              {...{ name, value: key }}
              defaultChecked={filled.typed[name]?.includes(key) ?? true}
            />
            <span>{kind}</span>
          </label>
        ))}
      </div>
      <Fields
        fields={[
          { kind: "list", name: `why-${of}`, label: form.reason, options, optional: true },
          { kind: "date", name: `until-${of}`, label: form.until, optional: true },
        ]}
        filled={filled}
      />
    </div>
  );
}
