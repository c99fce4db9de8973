import { createOperatorCommands } from "../deletion-requests/commands/operator-commands.ts";
import { countUnknown } from "../deletion-requests/ledger/returned-accounts.ts";
import type { QueuePart } from "../deletion-requests/queries/request-queries.ts";
import { isSealingKey } from "../platform/crypto/sealed-file.ts";
import { actLines, runAct } from "./act.ts";
import { writeCopy } from "./copies.ts";
import { recordCopy } from "./old-copies.ts";
import {
  type CommandInvocation,
  type CommandServices,
  createProgram,
  runOnData,
} from "./program.ts";
import { explainNotFound, formatQueue, toTable } from "./request-views.ts";
import { done, failed, notUnderstood, type Outcome, toPrintable } from "./sentences.ts";

/**
 * `npm run requests`: offers the work of the operator pages on the command line, and tasks that
 * need access to the machine. It also works while the server is running.
 */

const usage = `Deletion requests. REF is any reference of a request, such as K7RM-4XQP; NAME is yours, as the team knows it
(npm run operators). Days and times are the campus's.

  npm run requests -- list                     open requests: first those due soonest, then unconfirmed ones
                      --only PART              one of: confirmed, unconfirmed, ended
                      --after REF              the requests after that one
  npm run requests -- list REF | ADDRESS       one request by any of its references, or all requests of an address
  npm run requests -- act ACT REF [FIELD=VALUE ...] --as NAME
                      does what its page does. Leave out the fields, and the act lists them. ACT, with its fields:
${actLines.trimEnd()}
                      resend without REF sends all undelivered emails again; hand-over asks the account system
                      again; remove deletes an unconfirmed request, such as spam. Only the pages can show drafts of
                      emails and enter requests for a closed mailbox
  npm run requests -- backup FILE [--seal-for KEY]
                                               copy the database to a new file, sealed (npm run store -- backup makes keys)
  npm run requests -- trust-clock --as NAME    confirm that this machine's clock is right, although the server doubts it

Sent emails, the history, figures and data exports are on the operators' pages.
New here? Try it with one request: list, act take REF --as NAME, act complete REF --as NAME.
`;

const known = { as: "string", after: "string", only: "string", "seal-for": "string" } as const;

type Invocation = CommandInvocation<CommandServices, typeof known>;

const pageSize = 50;
const troubledShown = 20;

const partsByName = new Map<string, QueuePart>([
  ["confirmed", "working"],
  ["unconfirmed", "received"],
  ["ended", "ended"],
]);

export const runCommand = createProgram(usage, known, {
  list: { takes: ["[REF]"], run: list },
  act: { takes: ["ACT", "[REF]", "..."], signed: "operator", run: runAct },
  backup: { takes: ["FILE"], signed: "anybody", run: backUp },
  "trust-clock": { signed: "operator", run: trustClock },
});

async function list({ services, words: [word], options }: Invocation): Promise<Outcome> {
  if (word !== undefined) return find(services, word);
  const desk = createOperatorCommands(services);
  const { only, after } = options;
  const part = partsByName.get(only ?? "");
  if (only !== undefined && !part) {
    return notUnderstood(`--only takes one of: ${[...partsByName.keys()].join(", ")}.`);
  }
  const page = await desk.list(part ? [part] : ["working", "received"], pageSize, after);
  if (!page) return explainNotFound(desk, after ?? "");
  const out = formatQueue(services, only, page, {
    troubled: await desk.troubled(troubledShown),
    failing: await desk.failing(troubledShown),
  });
  return { code: 0, out };
}

async function find(services: CommandServices, typed: string): Promise<Outcome> {
  const desk = createOperatorCommands(services);
  const found = await desk.lookUp(typed);
  if (found.length > 0) return { code: 0, out: toTable(services, found) };
  if (!typed.includes("@")) return explainNotFound(desk, typed);
  const unknown = await countUnknown(services.database.read, services.keys);
  return unknown === 0
    ? failed(`There is no request from ${toPrintable(typed)}.`)
    : {
        code: 4,
        problem: `We can't tell whether there is a request from ${toPrintable(typed)}: ${unknown} ended ones were hashed with a key that is missing from SECRET_KEYS.\n`,
      };
}

async function backUp({
  services,
  words: [path = ""],
  options,
  name,
}: Invocation): Promise<Outcome> {
  const sealFor = options["seal-for"];
  if (sealFor !== undefined && !isSealingKey(sealFor)) {
    return notUnderstood(
      "--seal-for takes the 43 characters that npm run store -- backup new-key printed.",
    );
  }
  await createOperatorCommands(services).enter(name, "backup", "");
  const problem = await writeCopy(services.database, path, sealFor);
  if (problem) return failed(problem);
  const sealed = sealFor === undefined ? ". The copy is not sealed" : ", sealed";
  return recordCopy(services, "backup", path, `The database was copied to ${path}${sealed}.`);
}

async function trustClock({ services, name }: Invocation): Promise<Outcome> {
  await createOperatorCommands(services).trustClock(name);
  return done("You have confirmed the clock. A running server notices within a minute.");
}

if (import.meta.main) {
  await runOnData((services) => runCommand(process.argv.slice(2), services), usage);
}
