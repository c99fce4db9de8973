import { recordAct } from "../deletion-requests/repository/audit-log.ts";
import { toMinute } from "../platform/calendar/business-days.ts";
import { readFields, toFormValues } from "../platform/forms/form-values.ts";
import { invitationSchema, parseOperatorName } from "../team/roster/operator-name.ts";
import { addOperator } from "../team/roster/operators.ts";
import { createTeam } from "../team/sign-in/membership.ts";
import {
  type CommandInvocation,
  type CommandServices,
  createProgram,
  runOnData,
} from "./program.ts";
import { done, failed, notUnderstood, type Outcome, toPrintable } from "./sentences.ts";

/** `npm run operators`: manages the team. The history records who ran each command. */

const usage = `Operators are the people who work on requests. If a name has several words, put it in quotes.

  npm run operators -- add NAME [--as NAME]    add someone who only uses commands, such as Nadia
  npm run operators -- invite NAME ADDRESS [--admin] [--again] [--as NAME]
                                               make a link that lets them create a passkey; the first operator is an admin;
                                               --again for someone who is already on the team
  npm run operators -- remove NAME [--as NAME] remove someone: their requests are handed back, their history stays

The operators' pages list the team under People.
`;

type TeamServices = CommandServices & { config?: { publicUrl: string } };

/** If no site is configured, as in tests, links contain no origin. */
const teamOf = (services: TeamServices) =>
  createTeam({ ...services, publicUrl: services.config?.publicUrl ?? "" });

const known = { as: "string", admin: "boolean", again: "boolean" } as const;

type Invocation = CommandInvocation<TeamServices, typeof known>;

export const runCommand = createProgram(usage, known, {
  add: { takes: ["NAME"], signed: "anybody", run: add },
  invite: { takes: ["NAME", "ADDRESS"], signed: "anybody", run: invite },
  remove: { takes: ["NAME"], signed: "anybody", run: remove },
});

const badName = "A name has 1 to 40 characters: letters, digits, spaces, dots and hyphens.";

async function add({ services, words: [typed = ""], name: by }: Invocation): Promise<Outcome> {
  const name = parseOperatorName(toPrintable(typed));
  if (name === undefined) return notUnderstood(badName);
  const at = services.clock();
  const taken = await services.database.write(async (transaction) => {
    const entered = { at, name: by, act: "add-operator", about: name } as const;
    const known = await addOperator(transaction, name, at);
    if (known === undefined) await recordAct(transaction, entered);
    return known;
  });
  if (taken !== undefined) return failed(`${taken} is already on the team.`);
  return done(`${name} can now work on requests: npm run requests -- list`);
}

async function remove({ services, words: [typed = ""], name: by }: Invocation): Promise<Outcome> {
  const removed = await teamOf(services).remove(toPrintable(typed), by, { mayBeLast: true });
  if (typeof removed !== "object")
    return failed(`No one called ${toPrintable(typed)} is on the team.`);
  const { name, handedBack } = removed;
  return done(
    handedBack.length === 0
      ? `${name} is no longer on the team and had no requests.`
      : `${name} is no longer on the team. Someone else can take these requests: ${handedBack.join(", ")}.`,
  );
}

async function invite({
  services,
  words: [typed = "", mailbox = ""],
  options: { admin = false, again = false },
  name: by,
}: Invocation): Promise<Outcome> {
  const read = readFields(
    invitationSchema,
    toFormValues({ name: toPrintable(typed), address: mailbox }),
  );
  if (read.kind === "wrong") {
    const isName = read.wrong.some(({ field }) => field === "name");
    return notUnderstood(isName ? badName : "Say whose mailbox it is: invite NAME ADDRESS.");
  }
  const made = await teamOf(services).invite({ ...read.fields, admin, again }, by);
  if (made.kind === "unknown-operator")
    return failed(`No one called ${read.fields.name} is on the team.`);
  if (made.kind === "name-taken") {
    return failed(
      `${made.name} is already on the team, and anyone who opened the link would sign in as ${made.name}. Someone else needs a different name. For a new link for ${made.name}: npm run operators -- invite ${JSON.stringify(made.name)} ADDRESS --again`,
    );
  }
  return done(
    `${made.name} is invited as ${made.role === "admin" ? "an admin" : "an operator"}. Give them this link. We have also emailed it to them. It works once, until ${toMinute(services.calendar, made.until)}:\n\n  ${made.link}\n`,
  );
}

if (import.meta.main) {
  await runOnData((services) => runCommand(process.argv.slice(2), services), usage);
}
