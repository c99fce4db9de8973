/**
 * How long two walks through the code are: what runs for one form until its mail has left, and for one press on "complete"
 * until its receipt has left; each after the same was done before, and less what the clock does in a round in which nothing
 * is due. Counted are the functions with a name that another file of the walk calls, imported or as a method of what a file
 * hands out: a step for which a reader has to open another file. A file counts where it has such a function. The ground
 * floor is left out. `npm run weight -- walks` names every step and who calls it.
 */
import { execFileSync } from "node:child_process";
import { registerHooks } from "node:module";
import { pathToFileURL } from "node:url";
import { getCallSites } from "node:util";
import { parseSync, Visitor } from "vite";
import { ensureBuilt, root } from "./project.mjs";

/** What stands above the ground floor. */
const counted =
  /^(?:app|campus-reader|server(?!\/(?:database|keys|calendar|addresses|forms|language)\/))\//;

/** Calls as `FILE NAME by FILE`, each function's under its file and name. */
type Walk = Partial<Record<string, string[]>>;

/** Both walks by their names, gone in a process of their own, where all that is loaded notes its calls. */
export function measureWalks(): Record<string, Walk> {
  ensureBuilt();
  const words = [import.meta.filename, "--as-json"];
  return JSON.parse(execFileSync(process.execPath, words, { cwd: root, encoding: "utf8" }));
}

async function goWalks(): Promise<Record<string, Walk>> {
  const noted = noteCalls();
  const { openTestSite } = await import("../tests/harness/test-site.ts");
  const { startMailServer } = await import("../tests/faults/mail-server.fixture.ts");
  const { confirmedRequest, filledForm } = await import("../tests/harness/deletion-form.ts");
  const { placesToTick } = await import("../server/deletion-requests/life/checklist.ts");
  const { paths } = await import("../server/http/paths.ts");
  const { undoMinutes } = await import("../server/terms.ts");
  await using mail = await startMailServer();
  await using site = await openTestSite({ smtpUrl: mail.url });

  async function during(work: () => Promise<unknown>): Promise<string[]> {
    noted.length = 0;
    await work();
    return noted.splice(0);
  }

  async function go(begin: () => Promise<Response>, minutes: number): Promise<Walk> {
    await site.rounds.runOnce();
    const idle = await during(site.rounds.runOnce);
    const begun = await during(begin);
    site.wait({ minutes });
    const { length } = mail.received;
    const round = await during(site.rounds.runOnce);
    if (mail.received.length !== length + 1) throw new Error("No mail has left, or several.");
    for (const call of idle) if (round.includes(call)) round.splice(round.indexOf(call), 1);
    return Object.groupBy(new Set([...begun, ...round]), (call) => call.split(" by ")[0] ?? "");
  }

  const sendForm = (email: string) => site.post(paths.deletionRequests, filledForm({ email }));

  async function complete(email: string): Promise<Walk> {
    const reference = await confirmedRequest(site, email);
    const nadia = await site.signInAs("Nadia");
    await site.services.desk.hear({ act: "take", reference, typed: {} }, "Nadia");
    const { seen } = (await site.services.desk.tell(reference)) ?? {};
    const ticked = placesToTick(site.foundation.dataList).map((place) => [`at-${place}`, "done"]);
    const walk = { address: email, account: "user", ...Object.fromEntries(ticked) };
    const fields = { act: "complete", seen: String(seen), ...walk };
    return go(() => nadia.post(paths.operatorRequest(reference), fields), undoMinutes + 1);
  }

  await go(() => sendForm("form.before@uni.example"), 0);
  await complete("before@uni.example");
  return {
    "a form to its mail": await go(() => sendForm("form@uni.example"), 0),
    '"complete" to its receipt': await complete("press@uni.example"),
  };
}

/** @returns every call from one counted file into another, as `FILE NAME by FILE`, of what is loaded from now on */
function noteCalls(): string[] {
  const noted: string[] = [];
  const filesByLine = new Map<string, string[]>();
  Object.assign(globalThis, {
    noteCall(file: string, name: string) {
      const [, , caller] = getCallSites(3);
      const from = caller && filesByLine.get(caller.scriptName)?.[caller.lineNumber - 1];
      if (from && from !== file && counted.test(from)) noted.push(`${file} ${name} by ${from}`);
    },
  });
  registerHooks({
    load(url, context, next) {
      const loaded = next(url, context);
      const parts = partsOf(url, loaded.source);
      const toLines = ({ file, text }: Part) => text.match(/\n/g)?.map(() => file) ?? [];
      filesByLine.set(url, parts.flatMap(toLines));
      return parts[0] ? { ...loaded, source: parts.map(addNotes).join("") } : loaded;
    },
  });
  return noted;
}

type Part = { file: string; text: string };

/** A file of ours is one part; a built one has a part for each that it was made of, whose name stands above it. */
function partsOf(url: string, source: unknown): Part[] {
  const file = url.replace(`${pathToFileURL(root)}/`, "");
  if (counted.test(file)) return [{ file, text: String(source) }];
  if (!url.includes("/.builds/")) return [];
  const parts = String(source).split(/^(?=\/\/ \S+$)/m);
  if (!parts[1]) throw new Error(`${file} does not say what it was made of.`);
  return parts.map((text) => ({ file: /^\/\/ (\S+)\n/.exec(text)?.[1] ?? "", text }));
}

type Node = { type: string; start: number; end: number; name?: unknown; body?: unknown };

/** The same lines, where each function that stands in no other, or is handed out in an object, notes that it is called. */
function addNotes({ file, text }: Part): string {
  if (!counted.test(file)) return text;
  const { program, errors } = parseSync(file, text, { lang: "ts" });
  if (errors[0]) throw new Error(`${file}: ${errors[0].message}`);
  const outer: unknown[] = program.body.map((it) => ("declaration" in it ? it.declaration : it));
  const handedOut = new Set<unknown>();
  const insertions: { of: string; at: number; put: string }[] = [];
  const add = (id: Node | null, node: Node | null, isHandedOut: boolean) => {
    if (isHandedOut) handedOut.add(id?.name);
    if (typeof id?.name !== "string" || !node?.body || !/Function/.test(node.type)) return;
    const { type, start, end } = node.body as Node;
    // The build numbers what has the same name in several files.
    const note = `noteCall("${file}", "${id.name.replace(/\$\d+$/, "")}")`;
    const isBlock = type === "BlockStatement";
    if (isBlock) insertions.push({ of: id.name, at: start + 1, put: `${note};` });
    else insertions.push({ of: id.name, at: start, put: `(${note}, ` });
    if (!isBlock) insertions.push({ of: id.name, at: end, put: ")" });
  };
  new Visitor({
    FunctionDeclaration: (node) => add(node.id, node, outer.includes(node)),
    VariableDeclaration(node) {
      for (const { id, init } of node.declarations) add(id, init, outer.includes(node));
    },
    MethodDefinition: ({ key, value }) => add(key, value, true),
    Property({ key, value }) {
      add(key, value, true);
      add(value, null, true);
    },
  }).visit(program);
  return insertions
    .filter(({ of }) => handedOut.has(of))
    .sort((one, other) => other.at - one.at)
    .reduce((whole, { at, put }) => whole.slice(0, at) + put + whole.slice(at), text);
}

if (import.meta.main) {
  if (process.argv[2] === "--as-json") console.log(JSON.stringify(await goWalks()));
  else
    for (const [name, walk] of Object.entries(measureWalks())) {
      console.log(`${Object.keys(walk).length} functions from ${name}`);
      for (const [called, calls = []] of Object.entries(walk).sort())
        console.log(`  ${called} by ${calls.map((call) => call.split(" by ")[1]).join(", ")}`);
    }
}
