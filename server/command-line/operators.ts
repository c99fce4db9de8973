import { parseEmailAddress } from "../addresses/email-address.ts";
import { createDesk } from "../deletion-requests/working/desk.ts";
import { addOperator, listOperators, parseOperatorName } from "../operators/operators.ts";
import { inviteOperator, removeOperator } from "../sign-in/team.ts";
import { done, failed, findNearest, notUnderstood, toMinute } from "./sentences.ts";
import { signAct } from "./signature.ts";
import { type CommandServices, type Outcome, runOnData } from "./start.ts";
import { formatTable, toPrintable } from "./table.ts";
import { readWords } from "./words.ts";

/** `npm run operators`: who may act, and under which name. */

const usage = `Operators: the people whose names stand behind what is done with requests

  npm run operators -- list                    who is with the team, and who was
  npm run operators -- add NAME [--as NAME]    somebody comes, such as Nadia; a name of several words stands in quotes
  npm run operators -- invite NAME ADDRESS [--keeper] [--again] [--as NAME]
                                               a link with which they come in to the pages; the first one is a keeper;
                                               --again for somebody who is with the team already
  npm run operators -- remove NAME [--as NAME] somebody leaves: their requests are handed back, their acts stay
`;

/** What the team's commands use. Without a site of its own, as in a drill, a link is its path. */
export type TeamServices = CommandServices & { config?: { publicUrl: string } };

/** Runs one command. Prints nothing itself, so that a test can read what it says. */
export async function runCommand(
  words: readonly string[],
  services: TeamServices,
): Promise<Outcome> {
  const read = readWords(words, { options: ["as"], flags: ["keeper", "again"] });
  if ("problem" in read) return notUnderstood(read.problem);
  const [command = "help", typed, ...rest] = read.positionals;
  const [address] = command === "invite" ? rest.splice(0, 1) : [];
  if (rest.length > 0)
    return notUnderstood('Put a name of several words in quotes: "Nadia Islam".');
  switch (command) {
    case "help":
      return { code: 0, out: usage };
    case "list":
      return typed ? { code: 2, problem: usage } : { code: 0, out: await showOperators(services) };
    case "add":
    case "remove":
      if (!typed) return notUnderstood(`Say who: ${command} NAME.`);
      return changeTeam(services, command, typed, read.options.as);
    case "invite": {
      if (!typed || !address) return notUnderstood("Say who: invite NAME ADDRESS.");
      const signed = await signAct(services, read.options.as);
      if ("problem" in signed) return signed.problem;
      const { keeper = false, again = false } = read.options;
      return invite(services, typed, { address, keeper, again }, signed.name);
    }
    default: {
      const meant = findNearest(command, ["list", "add", "invite", "remove", "help"]);
      return notUnderstood(
        `There is no command ${toPrintable(command)}.${meant ? ` Did you mean ${meant}?` : ""}`,
      );
    }
  }
}

async function changeTeam(
  services: CommandServices,
  command: "add" | "remove",
  typed: string,
  as: string | undefined,
): Promise<Outcome> {
  const signed = await signAct(services, as);
  if ("problem" in signed) return signed.problem;
  const change = command === "add" ? add : remove;
  return change(services, typed, signed.name);
}

async function showOperators({ database, calendar }: CommandServices): Promise<string> {
  const operators = await listOperators(database.read);
  if (operators.length === 0) {
    return "The team knows nobody yet. The first one: npm run operators -- add NAME\n";
  }
  return formatTable(
    ["NAME", "SINCE", "UNTIL"],
    operators.map((one) => [
      one.name,
      toMinute(calendar, one.addedAt),
      one.leftAt ? toMinute(calendar, one.leftAt) : "-",
    ]),
  );
}

async function add(services: CommandServices, typed: string, by: string): Promise<Outcome> {
  const name = parseOperatorName(toPrintable(typed));
  if (name === undefined) {
    return notUnderstood("A name has 1 to 40 letters, digits, spaces, dots and hyphens.");
  }
  const taken = await services.database.write((transaction) =>
    addOperator(transaction, name, services.clock()),
  );
  if (taken !== undefined) return failed(`${taken} is with the team already.`);
  await createDesk(services).enter(by, "add-operator", name);
  return done(`${name} may act now: npm run requests -- list`);
}

async function remove(services: CommandServices, typed: string, by: string): Promise<Outcome> {
  const desk = createDesk(services);
  const removed = await removeOperator({ ...services, desk }, toPrintable(typed), by);
  if (!removed) return failed(`Nobody called ${toPrintable(typed)} is with the team.`);
  const { name, handedBack } = removed;
  return done(
    handedBack.length === 0
      ? `${name} has left the team and had no work to hand back.`
      : `${name} has left the team. Handed back, for somebody else to take: ${handedBack.join(", ")}.`,
  );
}

async function invite(
  services: TeamServices,
  typed: string,
  invited: { address: string; keeper: boolean; again: boolean },
  by: string,
): Promise<Outcome> {
  const name = parseOperatorName(toPrintable(typed));
  if (name === undefined) {
    return notUnderstood("A name has 1 to 40 letters, digits, spaces, dots and hyphens.");
  }
  const address = parseEmailAddress(invited.address);
  if (!address.ok) return notUnderstood("Say whose mailbox it is: invite NAME ADDRESS.");
  const publicUrl = services.config?.publicUrl ?? "";
  const made = await inviteOperator(
    { ...services, publicUrl },
    { ...invited, name, address: address.email },
    by,
  );
  if (made.kind === "nobody") return failed(`Nobody called ${name} is with the team.`);
  if (made.kind === "name-taken") {
    return failed(
      `${made.name} is with the team already, and whoever opened the link would be ${made.name}. Somebody else needs a name of their own; for a new link for ${made.name}: npm run operators -- invite ${JSON.stringify(made.name)} ADDRESS --again`,
    );
  }
  return done(
    `${made.name} is invited as ${made.role === "keeper" ? "a keeper" : "an operator"}. Give them this link, which is mailed to them, too; it is good once, until ${toMinute(services.calendar, made.until)}:\n\n  ${made.link}\n`,
  );
}

if (import.meta.main) await runOnData((services) => runCommand(process.argv.slice(2), services));
