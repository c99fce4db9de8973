import type { Campus } from "../../../campus-reader/campus.ts";
import { createBorrowedMarks } from "../../platform/i18n/borrowed-words.ts";
import { directionOf } from "../../platform/i18n/direction.ts";
import { createWriteText, escapeHtml, type WriteText } from "../../platform/i18n/html-text.ts";
import { createSplitRuns } from "../../platform/i18n/text-runs.ts";
import { describeEvent, type HistoryWords } from "./history.ts";
import type { Subject, SubjectRequest } from "./personal-data.ts";
import { toReceipt } from "./receipt.ts";

export type SubjectWords = Pick<Campus, "settings" | "mail" | "deletion"> & HistoryWords;

/** Renders the data export as a static page for reading or printing. */
export function renderPersonalDataPage(subject: Subject, words: SubjectWords): string {
  const { heldData } = words.mail;
  const title = words.dates.say(heldData.title, { address: subject.address });
  const about = words.dates.say(heldData.about, { date: formatTime(subject.writtenOn, words) });
  const { language, firstLanguage } = words.settings;
  const borrowed = createBorrowedMarks(language, firstLanguage);
  const write = createWriteText({ borrowed, split: createSplitRuns(words.settings) });
  const parts = subject.requests.map((request) => writeRequest(request, words, write));
  return `<!doctype html>
<html lang="${escapeHtml(language)}" dir="${directionOf(language)}">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>${escapeHtml(title)}</title>
<style>
body { max-width: 50rem; margin: 2rem auto; padding: 0 1rem; font: 1rem/1.6 system-ui, sans-serif; }
table { width: 100%; border-collapse: collapse; }
th, td { padding: 0.3rem 0.5rem; border: 1px solid #888; text-align: start; vertical-align: top; overflow-wrap: anywhere; }
</style>
<h1>${write(title)}</h1>
<p>${write(about)}</p>
${parts.length === 0 ? `<p>${write(heldData.nothing)}</p>` : parts.join("\n")}
</html>
`;
}

function writeRequest(request: SubjectRequest, words: SubjectWords, write: WriteText): string {
  const { mail, operator } = words;
  const { heldData } = mail;
  const { columns, titles } = heldData;
  const labels = { ...mail.facts, ...heldData.labels };
  const { desk } = operator;
  const whose = { ...desk.story, ...heldData.who };
  const { dates, trail, mails } = request;
  const { entered, completion, ...codes } = request.facts;
  const facts: (readonly [string, string])[] = [
    ["state", lookUp(mail.shared.states, request.state)],
    ["address", request.address ?? heldData.erased],
    ["contact", request.contact],
    ...Object.entries(dates).map(([name, date]) => [name, formatTime(date, words)] as const),
    ...Object.entries(codes).map(
      ([name, code]) => [name, translateCode(name, code, words)] as const,
    ),
    ["entered", entered ? heldData.yes : ""],
    ...listOutcomes(completion, words),
  ];
  const forms = listForms(request, words);
  const shown: unknown[] = [
    ...[request.language, request.state, JSON.stringify(completion)],
    ...[dates, codes, ...trail].flatMap((record) => Object.values(record)),
    ...[...facts, ...forms.rows].flat(),
  ];
  const rest = Object.values(request.held)
    .flatMap((rows) => rows.flatMap((row) => Object.entries(row)))
    .filter(([, value]) => value !== "" && !shown.includes(value));
  return [
    `<h2>${write(words.dates.say(heldData.request, { reference: request.reference }))}</h2>`,
    writeFacts(facts, labels, write),
    `<h3>${write(titles.forms)}</h3>`,
    writeTable(forms.head, forms.rows, write),
    `<h3>${write(titles.trail)}</h3>`,
    writeTable(
      [columns.when, columns.who, columns.what, columns.why],
      trail.map((line) => {
        const { what, details } = describeEvent(words, line);
        const why = [
          line.reason && translateCode(line.what, line.reason, words),
          ...details,
          line.note,
        ];
        return [formatTime(line.at, words), whose[line.who], what, why.filter(Boolean).join(" · ")];
      }),
      write,
    ),
    `<h3>${write(titles.mails)}</h3>`,
    mails.length === 0
      ? `<p>${write(heldData.none)}</p>`
      : writeTable(
          [columns.mail, mail.facts.state, columns.written],
          mails.map(({ kind, state, written }) => [
            lookUp(mail.mailKinds, kind),
            lookUp(desk.request.mailStates, state),
            formatTime(written, words),
          ]),
          write,
        ),
    ...(rest.length > 0
      ? [`<h3>${write(titles.rest)}</h3>`, writeFacts(rest, heldData.stored, write)]
      : []),
  ].join("\n");
}

function listForms({ forms }: SubjectRequest, words: SubjectWords) {
  const { facts, heldData } = words.mail;
  const names = { ...facts, ...heldData.columns, email: facts.address };
  const say = (name: string, value: string) =>
    name === "received"
      ? formatTime(value, words)
      : name === "reason"
        ? lookUp(words.deletion.form.reasons, value)
        : value;
  return {
    head: Object.keys(forms[0] ?? {}).map((name) => lookUp(names, name)),
    rows: forms.map((form) => Object.entries(form).map(([name, value]) => say(name, value))),
  };
}

/**
 * Translates a code. `of` is the field or act that the code belongs to: a hold, a refusal, or
 * otherwise the requester's reason for leaving.
 */
function translateCode(of: string, code: string, { mail, deletion }: SubjectWords): string {
  return lookUp(/^(?:hold|refus)/.test(of) ? mail.reasons : deletion.form.reasons, code);
}

function listOutcomes(
  completion: SubjectRequest["facts"]["completion"],
  { dataKinds, dates, mail: { receipt } }: SubjectWords,
): [string, string][] {
  if (!completion) return [];
  const { groups, notices } = toReceipt(completion, dataKinds, receipt, dates);
  // Notified parties appear under "deleted", even if nothing else does.
  const { deletedTitle } = receipt;
  const recipientsOnly = { title: deletedTitle, items: [] };
  const isDeleted = groups.some(({ title }) => title === deletedTitle);
  return (isDeleted || notices.length === 0 ? groups : [recipientsOnly, ...groups]).map(
    ({ title, items }) => [
      title,
      [...items, ...(title === deletedTitle ? notices : [])].join("; "),
    ],
  );
}

function formatTime(text: string, { dates }: SubjectWords): string {
  return text.includes("T")
    ? dates.momentBriefly(Temporal.Instant.from(text))
    : dates.day(Temporal.PlainDate.from(text));
}

/** Returns the text for a code. Falls back to the code itself so that the export omits nothing. */
function lookUp(words: object, code: string): string {
  const found = Object.entries(words).find(([key]) => key === code)?.[1];
  return typeof found === "string" ? found : code;
}

function writeFacts(
  rows: readonly (readonly [string, string])[],
  names: object,
  write: WriteText,
): string {
  const lines = rows
    .filter(([, value]) => value !== "")
    .map(
      ([name, value]) =>
        `<tr><th scope="row">${write(lookUp(names, name))}</th><td>${write(value)}</td></tr>`,
    );
  return `<table><tbody>${lines.join("")}</tbody></table>`;
}

function writeTable(
  head: readonly string[],
  rows: readonly (readonly string[])[],
  write: WriteText,
): string {
  const titles = head.map((cell) => `<th scope="col">${write(cell)}</th>`).join("");
  const lines = rows.map(
    (row) => `<tr>${row.map((cell) => `<td>${write(cell)}</td>`).join("")}</tr>`,
  );
  return `<table><thead><tr>${titles}</tr></thead><tbody>${lines.join("")}</tbody></table>`;
}
