// Serves the source files, and reloads the page after each save. While the campus has mistakes,
// pages list them. The server starts again after a change of the settings that it reads only once.
import { spawnSync } from "node:child_process";
import { watch } from "node:fs";
import { createServer } from "node:http";
import {
  campusDir,
  ensureInstalled,
  fail,
  pinnedNode,
  projectEnvironment,
  root,
  runProject,
} from "./project.mjs";

const readOnce = new Set(["campus.yaml", "calendar.yaml", "deletion.yaml"]);
/** Time in milliseconds for an editor to finish writing its files. */
const settleMs = 300;
/** Time in milliseconds for the server to stop. */
const stopMs = 5000;

ensureInstalled();
try {
  start();
} catch (error) {
  fail(error.message);
}

function start() {
  const mistakes = findMistakes();
  if (mistakes) return listUntilFixed(mistakes);
  let isRestarting = false;
  const server = runProject(
    "vite/development.ts",
    { NODE_ENV: "development" },
    undefined,
    (code, signal) => {
      watcher.close();
      if (isRestarting) start();
      else process.exit(code ?? (signal === "SIGINT" ? 130 : 1));
    },
  );
  const watcher = onChange((file) => {
    // The running server shows mistakes itself.
    if (!readOnce.has(file) || isRestarting || findMistakes()) return;
    isRestarting = true;
    server.kill("SIGTERM");
    setTimeout(() => server.kill("SIGKILL"), stopMs).unref();
  });
}

/** Answers every request with the campus's mistakes until there are none. */
function listUntilFixed(first) {
  let mistakes = first;
  console.error(mistakes);
  const escapes = { "&": "&amp;", "<": "&lt;", ">": "&gt;" };
  const pages = createServer((_, response) => {
    const text = mistakes.replace(/[&<>]/g, (sign) => escapes[sign]);
    response.writeHead(500, { "content-type": "text/html; charset=utf-8", connection: "close" });
    response.end(`<meta http-equiv="refresh" content="2"><pre>${text}</pre>`);
  });
  pages.on("error", (error) => fail(error.message));
  const port = Number(process.env.PORT || 3000);
  pages.listen(port, process.env.HOST || undefined, () => {
    console.log(`Serving these mistakes at http://localhost:${port} until they are fixed`);
  });
  const watcher = onChange(() => {
    mistakes = findMistakes();
    if (mistakes) return console.error(mistakes);
    watcher.close();
    pages.close(start);
    pages.closeAllConnections();
  });
}

/** Returns the mistakes of the campus as text; undefined if there are none. */
function findMistakes() {
  const { status, stdout, stderr } = spawnSync(
    pinnedNode(),
    ["vite/check-campus.ts", "--briefly"],
    { cwd: root, env: projectEnvironment, encoding: "utf8" },
  );
  if (status !== 0) return stderr;
  console.log(stdout.trim());
  return undefined;
}

/** Calls back once after each burst of changes in the campus, with the last changed file. */
function onChange(call) {
  let timer;
  return watch(campusDir, { recursive: true }, (_, file) => {
    clearTimeout(timer);
    timer = setTimeout(call, settleMs, file);
  });
}
