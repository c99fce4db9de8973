import { watch } from "node:fs";
import { createServer } from "node:http";
import { CampusError } from "../campus-reader/mistakes.ts";
import { exitLike, fail, runProject } from "../scripts/project.mjs";
import { readConfig } from "../server/config.ts";
import { escapeHtml } from "../server/platform/i18n/html-text.ts";
import { checkCampus } from "./check-campus.ts";

/**
 * Runs the development server. If the campus has mistakes at startup, lists them until there are
 * none, then starts the server. Restarts the server if a setting changes that the server reads only
 * at startup.
 */

const readOnce = new Set(["campus.yaml", "calendar.yaml", "deletion.yaml"]);
/** Time for an editor to finish writing its files, in milliseconds. */
const settleMs = 300;
/** Time for the server to stop, in milliseconds. */
const stopMs = 5000;

const { CAMPUS_DIR, PORT, HOST } = process.env;
const read = readConfig({ CAMPUS_DIR, PORT, HOST });
if (!read.ok) throw new Error(read.problems.join("\n"));
const { campusDir, port, host } = read.config;

await start();

async function start(): Promise<void> {
  const mistakes = await describeMistakes();
  if (mistakes) listUntilFixed(mistakes);
  else serve();
}

function serve(): void {
  let isRestarting = false;
  const server = runProject("vite/development.ts", {}, [], (code, signal) => {
    watcher.close();
    if (isRestarting) void start();
    else exitLike(code, signal);
  });
  const watcher = onChange(async (file) => {
    // The running server reports mistakes itself.
    if (!readOnce.has(file) || isRestarting || (await describeMistakes())) return;
    isRestarting = true;
    server.kill("SIGTERM");
    setTimeout(() => server.kill("SIGKILL"), stopMs).unref();
  });
}

/** Responds to every request with the campus's mistakes until there are none. */
function listUntilFixed(first: string): void {
  let mistakes: string | undefined = first;
  console.error(mistakes);
  const pages = createServer((_, response) => {
    response.writeHead(500, { "content-type": "text/html; charset=utf-8", connection: "close" });
    response.end(`<meta http-equiv="refresh" content="2"><pre>${escapeHtml(mistakes ?? "")}</pre>`);
  });
  pages.on("error", ({ message }) => fail(message));
  pages.listen(port, host, () => {
    console.log(`Serving these mistakes at http://localhost:${port} until they are fixed`);
  });
  const watcher = onChange(async () => {
    mistakes = await describeMistakes();
    if (mistakes) return console.error(mistakes);
    watcher.close();
    pages.close(() => void start());
    pages.closeAllConnections();
  });
}

/** Returns the campus's mistakes as text, or undefined if there are none. */
async function describeMistakes(): Promise<string | undefined> {
  try {
    await checkCampus(campusDir);
    return undefined;
  } catch (error) {
    if (!(error instanceof CampusError)) throw error;
    return `${campusDir} has mistakes:\n${error.seenIn(campusDir)}`;
  }
}

/** Calls back once after each burst of changes in the campus, with the file that changed last. */
function onChange(call: (file: string) => unknown) {
  let timer: NodeJS.Timeout | undefined;
  return watch(campusDir, { recursive: true }, (_, file) => {
    clearTimeout(timer);
    timer = setTimeout(call, settleMs, file ?? "");
  });
}
