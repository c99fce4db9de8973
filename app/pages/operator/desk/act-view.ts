import {
  placesToTick,
  recipientsToTell,
} from "../../../../server/deletion-requests/life/checklist.ts";
import { createFormKey } from "../../../../server/deletion-requests/life/form-key.ts";
import { maxExplanation, refusalReasons } from "../../../../server/deletion-requests/life/life.ts";
import {
  isWorking,
  type StoredRequest,
} from "../../../../server/deletion-requests/store/request.ts";
import { type DeskAct, laterReasons, maxNote } from "../../../../server/operator-desk/act-names.ts";
import type { OperatorDesk } from "../../../../server/operator-desk/operator-desk.ts";
import { languages, type Words } from "../../../words.ts";
import type { FieldView, Option } from "./fields.tsx";

/** The form of an act as a page shows it, for one request or for several, made from the act's declaration. */
export type ActView = {
  act: DeskAct;
  /** What comes of it. */
  about: string;
  fields: FieldView[];
  /** The places to go through before the fields; undefined where there are none. */
  walk: WalkView | undefined;
  hasDraft: boolean;
  /** Of the form, which is sent once however often the network lets it be. */
  formKey: string;
};

/** A place to go through, or somebody to tell. */
export type PlaceView = {
  key: string;
  place: string;
  isTold: boolean;
  kinds: { key: string; kind: string }[];
  /** The place's own page of each account, by its address, where the campus says where that is. */
  links: { address: string; url: string }[];
};

export type WalkView = { places: PlaceView[] /** Where it goes by itself. */; byItself: string[] };

export function toActView(
  words: Words,
  operatorDesk: OperatorDesk,
  asked: {
    act: DeskAct;
    requests: readonly StoredRequest[];
    about: string;
    /** It is a form for several, however many are left. */
    several?: true;
    withoutFields?: boolean;
  },
): ActView {
  const { act, requests, about, several, withoutFields } = asked;
  const { fields, drafted } = operatorDesk.acts[act];
  const shown = withoutFields ? [] : fields;
  const known = fieldsOf(words, operatorDesk, act, requests, several);
  return {
    ...{ act, about, formKey: createFormKey(), hasDraft: drafted === true },
    fields: shown.flatMap((name) => known[name] ?? []),
    walk: shown.includes("walk") ? walkOf(words, operatorDesk, requests) : undefined,
  };
}

/** What can be asked for, by the names that declarations have for it. */
function fieldsOf(
  words: Words,
  operatorDesk: OperatorDesk,
  act: DeskAct,
  requests: readonly StoredRequest[],
  several = false,
): Record<string, FieldView> {
  const { form, request: labels } = words.operator.desk;
  const [first] = requests;
  const { tag, name } = languageOf(first?.language ?? "");
  const reasons: readonly Option[] =
    act === "refuse"
      ? refusalReasons.map((code) => ({ value: code, words: labels.refusals[code] }))
      : laterReasons.map((code) => ({
          value: code,
          words: code === "time" ? labels.noTime : labels.holds[code],
        }));
  const account = (["user", "rider", "both"] as const).map((kind) => ({
    value: kind,
    words: form[kind],
  }));
  const hint = `${form.explanationHint} ${words.say(form.languageHint, { language: name })}`;
  const fields: FieldView[] = [
    { kind: "hidden", name: "from", label: "", value: ownerOf(first) },
    { kind: "choices", name: "reason", label: form.reason, options: reasons },
    {
      kind: "list",
      name: "days",
      label: form.newDate,
      options: datesOf(words, operatorDesk, requests),
    },
    {
      ...{ kind: "lines", name: "explanation", label: form.explanation, hint },
      ...{ most: maxExplanation, lang: tag },
      ...(act !== "undo" && { optional: true, label: `${form.explanation} ${form.optional}` }),
    },
    { kind: "lines", name: "note", label: form.note, most: maxNote },
    several
      ? { kind: "lines", name: "address", label: form.addresses, hint: form.addressHint }
      : { kind: "email", name: "address", label: form.address, hint: form.addressHint },
    { kind: "choices", name: "account", label: form.account, options: account },
  ];
  return Object.fromEntries(fields.map((field) => [field.name, field]));
}

function ownerOf(request: StoredRequest | undefined): string {
  return (request && isWorking(request) && request.owner) || "";
}

/** The dates that may be promised: of one request by their days, of several by how much later they are. */
function datesOf(
  { dates, say, operator }: Words,
  operatorDesk: OperatorDesk,
  requests: readonly StoredRequest[],
): Option[] {
  const lawful = requests.map((request) => operatorDesk.extensions(request));
  const [first = [], ...others] = lawful;
  return first
    .filter(({ businessDays }) =>
      others.every((own) => own.some((one) => one.businessDays === businessDays)),
    )
    .map(({ businessDays, dueOn }) => ({
      value: String(businessDays),
      words:
        others.length === 0
          ? dates.day(dueOn)
          : say(operator.desk.form.daysLater, { count: businessDays }),
    }));
}

/** The walk from place to place; each place's own page of these accounts stands beside it. */
function walkOf(
  words: Words,
  { dataList }: OperatorDesk,
  requests: readonly StoredRequest[],
): WalkView {
  const addresses = requests.flatMap(({ email }) => email ?? []);
  const toTell = recipientsToTell(dataList);
  const toWalk = placesToTick(dataList);
  return {
    places: dataList.stores
      .filter(({ key }) => toWalk.includes(key))
      .map((store) => ({
        key: store.key,
        place: nameIn(words, store),
        isTold: toTell.includes(store.key),
        kinds: words.dataKinds.flatMap(({ key, kind, store: place }) =>
          place === store.key ? [{ key, kind }] : [],
        ),
        links: store.adminPage === undefined ? [] : linksTo(store.adminPage, addresses),
      })),
    byItself: dataList.stores
      .filter(({ key }) => !toWalk.includes(key))
      .map((store) => nameIn(words, store)),
  };
}

function linksTo(page: string, addresses: readonly string[]): PlaceView["links"] {
  return addresses.map((address) => ({
    address,
    url: page.replace("{address}", encodeURIComponent(address)),
  }));
}

/** What the language of a request is called in itself. Empty is the campus's first. */
export function languageOf(tag: string): { tag: string; name: string } {
  const spoken = languages.find(({ settings }) => settings.language === tag) ?? languages[0];
  const found = spoken?.settings.language ?? tag;
  const names = new Intl.DisplayNames([found], { type: "language" });
  return { tag: found, name: names.of(found) ?? found };
}

/** What a line of the list of data is called. */
export function nameIn(
  { settings }: Words,
  { key, words }: { key: string; words: Readonly<Record<string, string>> },
): string {
  return words[settings.language] ?? Object.values(words)[0] ?? key;
}
