import { readEnglish } from "../../campus-reader/product-words.ts";
import { recipientsToTell } from "../deletion-requests/life/checklist.ts";
import {
  isEnded,
  isWorking,
  type StoredRequest,
  undoMinutes,
  waitOf,
} from "../deletion-requests/life/request.ts";
import { createDesk, type DeskResult } from "../deletion-requests/working/desk.ts";
import { withDaysLeft } from "../deletion-requests/working/reading.ts";
import type { Typed, Wrong } from "../forms/typed.ts";
import { formatMessage, type Text } from "../language/texts.ts";
import {
  acts,
  type DeskAct,
  deskActs,
  isDeskAct,
  type Look,
  type WhyNot,
} from "../operator-desk/acts.ts";
import type { CommandServices } from "./program.ts";
import { tellDaysLeft, tellNotFound, tellState } from "./request-views.ts";
import { done, failed, notUnderstood, type Outcome, toPrintable, toTime } from "./sentences.ts";

/** `act`: what an operator does to one request, by the declarations that the pages are made from. */

/** How a field is written, where its name does not say so. */
const fieldLines: Record<string, string> = {
  walk: "at-PLACE=done | none | kept",
  from: "[from=NAME]",
  address: "address=ADDRESS",
  account: "account=user | rider | both",
  days: "days=N",
  reason: "reason=CODE",
  explanation: 'explanation="TEXT"',
  note: 'note="TEXT"',
};

/** The acts with their fields, a line each. */
export const actLines = deskActs
  .map((act) => {
    const fields = acts[act].fields.map((field) => fieldLines[field] ?? `${field}=...`);
    return `      ${[act.padEnd(9), ...fields].join(" ").trimEnd()}\n`;
  })
  .join("");

type Asked = { services: CommandServices; words: readonly string[]; name: string };

/** Its words are the act, the request's reference, and the fields as NAME=VALUE; a field may stand several times. */
export async function runAct({ services, words, name }: Asked): Promise<Outcome> {
  const desk = createDesk(services);
  const [act = "", reference = "", ...pairs] = words;
  if (!isDeskAct(act) || act === "enter") {
    return notUnderstood(`There is no act ${toPrintable(act)}. There are:\n${actLines}`);
  }
  const typed = readPairs(pairs);
  if (typeof typed === "string") {
    return notUnderstood(`${toPrintable(typed)} is no field: write NAME=VALUE, such as days=5.`);
  }
  const story = await desk.tell(reference);
  if (!story) return tellNotFound(desk, reference);
  const { request, mails, seen } = story;
  const { dataList, languages, clock } = services;
  const now = clock();
  const look: Look = { office: services, dataList, languages, request, mails, name, now };
  const stranger = findStranger(look, act, typed);
  if (stranger !== undefined) {
    return notUnderstood(`${act} asks for nothing called ${toPrintable(stranger)}.`);
  }
  const because = acts[act].whyNot(look);
  if (because) return failed(tellWhyNot(because, request));
  const asked = acts[act].read(typed, look);
  if (!("type" in asked)) return tellWrong(look, act, asked);
  const result = await desk.act(reference, asked, name, { seen });
  return result.kind === "not-found"
    ? tellNotFound(desk, reference)
    : tell(services, look, act, result);
}

/** Everything that was typed by the names of the fields, or what is no field. */
function readPairs(pairs: readonly string[]): Typed | string {
  const typed: Typed = {};
  for (const pair of pairs) {
    const [, field, value] = /^([a-z][a-z\d-]*)=(.*)$/s.exec(pair) ?? [];
    if (field === undefined || value === undefined) return pair;
    typed[field] = [...(typed[field] ?? []), value];
  }
  return typed;
}

function findStranger({ dataList }: Look, act: DeskAct, typed: Typed): string | undefined {
  const { fields } = acts[act];
  const asked: string[] = fields.filter((field) => field !== "walk");
  if (fields.includes("walk")) {
    for (const { key } of dataList.stores) {
      asked.push(...["at", "kept", "why", "until"].map((of) => `${of}-${key}`));
    }
  }
  return Object.keys(typed).find((field) => !asked.includes(field));
}

function tell(
  services: CommandServices,
  look: Look,
  act: DeskAct,
  result: Exclude<DeskResult, { kind: "not-found" }>,
): Outcome {
  const command = (next: DeskAct, reference: string) =>
    `npm run requests -- act ${next} ${reference} --as ${look.name}`;
  switch (result.kind) {
    case "overtaken":
      return failed("Something has happened to it meanwhile. Look again before you go on.");
    case "another-address":
      return failed(
        `STOP: that is not the account of this request. Nothing has changed and nobody was told. ${
          result.reference
            ? `That address asked with ${result.reference}.`
            : "Nobody has an open request for that address."
        }`,
      );
    case "unexplained":
      return failed('Its person knows of it. If it was a mistake, tell them: explanation="WHY".');
    case "refused":
      return failed(tellWhyNot(result.refusal, result.request));
    case "done": {
      const { calendar, clock } = services;
      const request = withDaysLeft(services, result.request);
      const { reference } = request;
      const due = isWorking(request)
        ? `, due ${request.dueOn}, ${tellDaysLeft(request.daysLeft)}`
        : "";
      const said = `${reference}: ${act} is done. It is ${tellState(services, request)}${due}.`;
      if (act === "take") return done(`${said} Next: ${command("complete", reference)}`);
      const isUndoable = acts[act].undoable && (isEnded(request) || isWorking(request));
      const leaves = toTime(calendar, clock().add({ minutes: undoMinutes }));
      return done(
        isUndoable ? `${said} Until ${leaves} nobody hears: ${command("undo", reference)}` : said,
      );
    }
  }
}

/** What is wrong with the fields, a line each, and for a completion whose account it is. */
function tellWrong(look: Look, act: DeskAct, wrong: readonly Wrong[]): Outcome {
  const lines = wrong.map((one) => `  ${tellField(one)}\n`).join("");
  if (act !== "complete") return notUnderstood(`${act} needs\n${lines.trimEnd()}`);
  const { request, dataList } = look;
  const toTell = recipientsToTell(dataList);
  const places = dataList.stores.map(({ key, holder }) => {
    const kinds = dataList.kinds.filter(({ store }) => store === key).map((kind) => kind.key);
    const todo = toTell.includes(key) ? " TELL THEM" : holder === "us" ? "" : " (by itself)";
    return `  [ ] ${key}${todo}: ${kinds.join(", ")}\n`;
  });
  return {
    code: 3,
    out: [
      `${request.reference} is the account of\n\n      ${request.email ?? "(erased)"}\n\n`,
      `Is that the account you deleted? What to go through:\n\n${places.join("")}\n`,
      `Nothing has changed yet. Say besides:\n${lines}`,
    ].join(""),
  };
}

function tellField({ what, field = "", most, known }: Wrong): string {
  switch (what) {
    case "unticked":
      return `${field}=done | none | kept   what was there`;
    case "untold":
      return `${field}=done   once you have told them that the account is gone`;
    case "keptUntil":
      return `${field}=DATE   a day after today, eleven years from now at most`;
    case "nothing":
      return "nothing was there: refuse it instead, with reason=no-account";
    default:
      if (known) return `${field}=${known.join(" | ")}`;
      return most === undefined
        ? (fieldLines[field] ?? `${field}=...`)
        : `${field}=... of ${most} characters at most`;
  }
}

/** Why something cannot be done, as the pages say it, and what can. */
function tellWhyNot(because: WhyNot, request: StoredRequest): string {
  const working = isWorking(request) ? request : undefined;
  const { owner = "The account system" } = working ?? {};
  const reasons: Partial<Record<WhyNot, Text>> = whyNot;
  const said = formatMessage("en", reasons[because] ?? whyNot.other, {
    name: owner,
    date: `${(working && waitOf(working)?.until) ?? ""}`,
  });
  return because === "already-taken" && working?.owner
    ? `${said} If you go on with it instead: from=${owner}`
    : said;
}

const { whyNot } = readEnglish("operator").desk;
