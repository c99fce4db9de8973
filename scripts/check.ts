/**
 * npm run check: is this campus ready to go online? Tells what is still to be done, each with how, and ends with 1 where
 * something is. It reads the campus and the settings of this shell, and asks nobody: what only another machine knows, such as
 * the records of a mail domain, is explained and not guessed.
 */

import { type Campus, CampusError, loadCampus } from "../campus/load.ts";
import { calendarWarning } from "../server/calendar/business-days.ts";
import { type Config, readConfig } from "../server/config.ts";
import { readPromises } from "../server/open.ts";
import { checkCampus } from "../vite/check-campus.ts";

export type Finding = { what: string; todo: string };

/** What stands in the way, as of a day. */
export function findUnready(
  campus: Campus,
  today: Temporal.PlainDate,
  calendar: Parameters<typeof calendarWarning>[0],
): Finding[] {
  return [
    ...placeholdersIn(campus),
    ...storePolicy(campus),
    ...datesOf(campus, today),
    ...[calendarWarning(calendar, today)]
      .filter((warning) => warning !== undefined)
      .map((what) => ({ what, todo: "Enter the coming holidays in the calendar." })),
  ];
}

/** What is invented, and sentences that ask to be replaced. */
function placeholdersIn({ settings, legal }: Campus): Finding[] {
  const { links, stores, social, email, security } = settings;
  const addresses = [
    ...Object.values(links),
    ...[...stores, ...social].map(({ url }) => url),
    email,
    security.contact,
  ];
  const invented = addresses
    .filter((address) => /\.example(?:\/|$)/.test(address))
    .map((address) => ({
      what: `${address} is an invented address.`,
      todo: "Put the real one into the campus's settings, or leave it empty where there is none yet.",
    }));
  const unfinished = Object.entries(settings.legal)
    .filter(([, text]) => /\((?:example|Beispiel|enter|ask)\b/i.test(text) || /\b0000\b/.test(text))
    .map(([field, text]) => ({
      what: `legal.${field} is not filled in: "${text}".`,
      todo: "Enter what is true; docs/legal-notes.md says why each of them is asked for.",
    }));
  const drafts = Object.entries(legal)
    .filter(([, { intro }]) => intro.includes("a beginning, not advice"))
    .map(([name]) => ({
      what: `The document "${name}" still says that it is a beginning.`,
      todo: "Have somebody who knows your law read it, then take that sentence out.",
    }));
  return [...invented, ...unfinished, ...drafts];
}

/** What the stores ask of the page on which an account can be deleted. */
function storePolicy({ settings, deletion, dataKinds }: Campus): Finding[] {
  const page = JSON.stringify(deletion);
  const { product, developer, deletionBusinessDays: days } = settings;
  const findings: Finding[] = [];
  for (const [field, name] of Object.entries({ product, developer })) {
    if (page.includes(name)) continue;
    findings.push({
      what: `The deletion page does not name "${name}".`,
      todo: `The stores want the names of the listing there: write {${field}} into a text of deletion.yaml.`,
    });
  }
  if (!page.includes(String(days.limit))) {
    findings.push({
      what: "The deletion page does not say how long it takes.",
      todo: "Write {deletionDays} into a text of deletion.yaml.",
    });
  }
  if (!dataKinds.some(({ onDeletion }) => onDeletion === "kept")) {
    findings.push({
      what: "The list of data says that nothing at all is kept.",
      todo: "Look again: backups and the proof of a deletion are kept for a time, and the stores want it named.",
    });
  }
  return findings;
}

function datesOf({ settings }: Campus, today: Temporal.PlainDate): Finding[] {
  const { expires } = settings.security;
  if (Temporal.PlainDate.compare(today.add({ days: 60 }), expires) <= 0) return [];
  return [
    {
      what: `security.txt ends on ${expires}.`,
      todo: "See that its contact still holds, then give security.expires a day within the next year.",
    },
  ];
}

/** Settings without which a public site cannot do what it promises. */
export function findMissingSettings(
  config: Pick<Config, "publicUrl" | "secretKeys" | "smtpUrl" | "mailFrom" | "operatorMail">,
): Finding[] {
  const wants: [boolean, string, string][] = [
    [
      config.publicUrl.startsWith("https://"),
      "PUBLIC_URL",
      "the https address that visitors use; links in mails are made from it",
    ],
    [
      config.secretKeys !== undefined,
      "SECRET_KEYS",
      "the keys for links and ledger; docs/operations.md says how they are made",
    ],
    [
      config.smtpUrl !== undefined,
      "SMTP_URL",
      "your mail server; without it nobody can confirm a request",
    ],
    [config.mailFrom !== undefined, "MAIL_FROM", "the sender of your mails"],
    [
      config.operatorMail !== undefined,
      "OPERATOR_MAIL",
      "where the team is told of new requests and of trouble",
    ],
  ];
  return wants
    .filter(([there]) => !there)
    .map(([, name, meaning]) => ({ what: `${name} is not set.`, todo: `Set it to ${meaning}.` }));
}

/** How a mailbox elsewhere decides whether to believe your mails. */
export function explainMail(mailFrom: string | undefined): string {
  const domain = mailFrom?.split("@")[1] ?? "YOUR-DOMAIN";
  return `Mail from ${domain} is believed by others when its domain says so. Look at three records:
  SPF    dig +short TXT ${domain}               names the servers that may send, such as "v=spf1 include:... -all"
  DKIM   dig +short TXT SELECTOR._domainkey.${domain}   the key of your mail server's signature; it tells the SELECTOR
  DMARC  dig +short TXT _dmarc.${domain}        what to do with the rest, such as "v=DMARC1; p=quarantine; rua=mailto:..."
Your mail provider says what to enter. Then send yourself a request from the site to a mailbox elsewhere, open "show
original" there, and see that all three say "pass".
`;
}

if (import.meta.main) {
  const read = readConfig(process.env);
  const shown = read.ok ? read : readConfig({ CAMPUS_DIR: process.env.CAMPUS_DIR });
  if (!shown.ok) throw new Error(shown.problems.join("\n"));
  const { config } = shown;
  try {
    await checkCampus(config.campusDir);
    const campus = loadCampus(config.campusDir);
    const promises = readPromises(config.campusDir);
    const today = Temporal.Now.plainDateISO(campus.settings.timeZone);
    const findings = [
      ...(read.ok ? [] : read.problems.map((what) => ({ what, todo: "Set it right." }))),
      ...findMissingSettings(config),
      ...(promises.ok ? findUnready(campus, today, promises.promises.calendar) : []),
    ];
    for (const { what, todo } of findings) console.log(`- ${what}\n  ${todo}`);
    console.log(`\n${explainMail(config.mailFrom)}`);
    console.log(findings.length === 0 ? "Nothing is in the way." : `${findings.length} to do.`);
    process.exitCode = findings.length === 0 ? 0 : 1;
  } catch (error) {
    if (!(error instanceof CampusError)) throw error;
    console.error(`${config.campusDir} has mistakes:\n${error.seenIn(config.campusDir)}`);
    process.exitCode = 2;
  }
}
