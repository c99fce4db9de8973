import { readConfig } from "../config.ts";
import { type Database, openDatabase } from "../database/database.ts";
import { createDeletionRequests, type DeletionRequests } from "../deletion-requests/service.ts";
import type { RequestRecord } from "../deletion-requests/store.ts";
import { toCsvLine } from "./csv.ts";
import { formatTable, toPrintable } from "./table.ts";

/**
 * `npm run requests`: the operators' tool. It works on the data folder of the server, which may be running. Exit
 * codes: 0 done, 1 could not be done, 2 not understood.
 */

const usage = `Deletion requests

  npm run requests -- list          every request, oldest first
  npm run requests -- show REF      one request with everything that was sent
  npm run requests -- export        all of it as CSV, to standard output
  npm run requests -- delete REF    remove a request for good

REF is any reference of a request, such as K7RM-4XQP.
`;

type Outcome = { code: 0 | 1 | 2; out?: string; problem?: string };

/** Runs one command. Prints nothing itself, so that a test can read what it says. */
export async function runCommand(
  words: readonly string[],
  requests: DeletionRequests,
): Promise<Outcome> {
  const [command, reference, ...rest] = words;
  const takesReference = command === "show" || command === "delete";
  if (rest.length > 0 || (takesReference ? !reference : reference)) {
    return { code: 2, problem: usage };
  }
  switch (command) {
    case "list":
      return { code: 0, out: list(await requests.list()) };
    case "export":
      return { code: 0, out: toCsv(await requests.list()) };
    case "show":
    case "delete": {
      const request = await requests.findByReference(reference ?? "");
      if (!request) {
        return {
          code: 1,
          problem: `There is no request with the reference ${toPrintable(reference ?? "")}.\n`,
        };
      }
      if (command === "show") return { code: 0, out: show(request) };
      await requests.remove(request);
      return { code: 0, out: `Deleted ${referencesOf(request)}.\n` };
    }
    case undefined:
    case "help":
      return { code: 0, out: usage };
    default:
      return { code: 2, problem: usage };
  }
}

function list(requests: readonly RequestRecord[]): string {
  if (requests.length === 0) return "No requests.\n";
  return formatTable(
    ["REFERENCE", "RECEIVED", "STATE", "ADDRESS", "REASON", "SENT"],
    requests.map((request) => [
      request.submissions[0]?.reference ?? "",
      toMinute(request.receivedAt),
      request.state,
      request.email,
      request.submissions[0]?.reason ?? "",
      request.submissions.length === 1 ? "once" : `${request.submissions.length} times`,
    ]),
  );
}

function show(request: RequestRecord): string {
  const head = formatTable(
    ["Request", referencesOf(request)],
    [
      ["State", request.state],
      ["Address", request.email],
      ["Received", toMinute(request.receivedAt)],
    ],
  );
  const sent = request.submissions.map((submission) => {
    const feedback = submission.feedback
      .split("\n")
      .map((line) => `  > ${toPrintable(line)}\n`)
      .join("");
    return `\n${submission.reference}, sent ${toMinute(submission.receivedAt)} as ${toPrintable(submission.email)}, ${submission.reason}\n${submission.feedback === "" ? "" : feedback}`;
  });
  return head + sent.join("");
}

function toCsv(requests: readonly RequestRecord[]): string {
  const head = ["reference", "request", "state", "address", "reason", "feedback", "received"];
  const lines = requests.flatMap((request) =>
    request.submissions.map((submission) => [
      submission.reference,
      request.submissions[0]?.reference ?? "",
      request.state,
      submission.email,
      submission.reason,
      submission.feedback,
      submission.receivedAt.toString(),
    ]),
  );
  return [head, ...lines].map(toCsvLine).join("");
}

function referencesOf(request: RequestRecord): string {
  return request.submissions.map((submission) => submission.reference).join(", ");
}

function toMinute(instant: Temporal.Instant): string {
  return instant.toString({ smallestUnit: "minute" }).replace("T", " ").replace("Z", " UTC");
}

async function main(): Promise<number> {
  const configured = readConfig(process.env);
  if (!configured.ok) return fail(configured.problems.map((problem) => `${problem}\n`).join(""));
  const opened = await openDatabase({ dataDir: configured.config.dataDir });
  if (!opened.ok) return fail(`${opened.problem}\n`);
  return withDatabase(opened.database);
}

async function withDatabase(database: Database): Promise<number> {
  try {
    const requests = createDeletionRequests({ database, clock: () => Temporal.Now.instant() });
    const outcome = await runCommand(process.argv.slice(2), requests);
    if (outcome.out) process.stdout.write(outcome.out);
    if (outcome.problem) process.stderr.write(outcome.problem);
    return outcome.code;
  } catch (error) {
    return fail(
      `The database could not do that: ${error instanceof Error ? error.message : error}.\n`,
    );
  } finally {
    await database.close();
  }
}

function fail(message: string): number {
  process.stderr.write(message);
  return 1;
}

if (import.meta.main) process.exitCode = await main();
