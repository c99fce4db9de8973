import { spawn } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { connect, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { findFreePort } from "../harness/free-port.ts";
import type { Listener } from "./tab.ts";
import type { Told } from "./told.ts";

/**
 * What Firefox's accessibility service tells about a page: the tree that it gives to the system's assistive technology,
 * read by Marionette, since WebDriver BiDi finds elements in it but does not hand it out.
 */
export async function openFirefoxTree(executablePath: string): Promise<Listener> {
  const profile = mkdtempSync(join(tmpdir(), "firefox-"));
  const port = await findFreePort();
  writeFileSync(join(profile, "user.js"), `user_pref("marionette.port", ${port});\n`);
  const firefox = spawn(
    executablePath,
    ["--headless", "--marionette", "--remote-allow-system-access", "--profile", profile],
    { stdio: "ignore" },
  );
  const killWithUs = () => firefox.kill("SIGKILL");
  process.once("exit", killWithUs);
  const gone = new Promise((resolve) => firefox.once("close", resolve));
  const socket = await connected(port);
  const ask = converse(socket);
  await ask("WebDriver:NewSession", {});
  const run = async (context: "content" | "chrome", script: string, args: unknown[]) => {
    await ask("Marionette:SetContext", { value: context });
    const parameters = { script, args, sandbox: context, newSandbox: false };
    return ((await ask("WebDriver:ExecuteScript", parameters)) as { value: never }).value;
  };
  return {
    async open(url) {
      await ask("Marionette:SetContext", { value: "content" });
      await ask("WebDriver:Navigate", { url });
    },
    evaluate: (code, ...args) => run("content", `return (${code}).apply(null, arguments)`, args),
    async told() {
      const end = Date.now() + 30_000;
      for (;;) {
        const url: string = await run("content", "return location.href", []);
        const told: Told[] | null = await run("chrome", `return (${readTree})(arguments[0])`, [
          url,
        ]);
        if (told) return told;
        if (Date.now() > end) throw new Error(`Firefox tells nothing about ${url}`);
      }
    },
    async close() {
      socket.destroy();
      firefox.kill();
      await gone;
      process.off("exit", killWithUs);
      rmSync(profile, { recursive: true, force: true });
    },
  };
}

/** Runs in Firefox's own process. Null as long as the service has not heard of the page. */
const readTree = `(url) => {
  // Held on to, or the service would be shut down again.
  globalThis.service ??= Cc["@mozilla.org/accessibilityService;1"].getService(Ci.nsIAccessibilityService);
  const { gBrowser } = Services.wm.getMostRecentWindow("navigator:browser");
  const page = service.getAccessibleFor(gBrowser.selectedBrowser)?.firstChild;
  const bare = (address) => address.split("#")[0];
  if (!page || bare(page.QueryInterface(Ci.nsIAccessibleDocument).URL) !== bare(url)) return null;
  const busy = {};
  page.getState(busy, {});
  if (busy.value & Ci.nsIAccessibleStates.STATE_BUSY) return null;
  const told = [];
  const attribute = (one, name) => {
    try { return one.attributes.getStringProperty(name); } catch { return undefined; }
  };
  const walk = (one) => {
    told.push({
      role: attribute(one, "xml-roles") ?? service.getStringRole(one.role),
      name: one.name ?? "",
      live: attribute(one, "live"),
    });
    for (let child = one.firstChild; child; child = child.nextSibling) walk(child);
  };
  walk(page);
  return told.some(({ role }) => role === "heading") ? told : null;
}`;

/** Asks until Firefox listens. */
async function connected(port: number): Promise<Socket> {
  const end = Date.now() + 50_000;
  for (;;) {
    const socket = connect(port, "127.0.0.1");
    const failure = await new Promise<Error | undefined>((resolve) => {
      socket.once("connect", () => resolve(undefined));
      socket.once("error", resolve);
    });
    if (!failure) return socket;
    if (Date.now() > end) throw failure;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

type Answer = [type: 1, id: number, error: { message: string } | null, value: unknown];

/** Marionette's messages: `LENGTH:[type, id, command, parameters]`, and the same with an answer back. */
function converse(socket: Socket) {
  const waiting = new Map<number, (answer: Answer) => void>();
  let heard = Buffer.alloc(0);
  let asked = 0;
  socket.on("data", (chunk: Buffer) => {
    heard = Buffer.concat([heard, chunk]);
    for (;;) {
      const start = heard.indexOf(":") + 1;
      const end = start + Number(heard.subarray(0, start - 1));
      if (start === 0 || heard.length < end) return;
      const message = JSON.parse(heard.subarray(start, end).toString()) as Answer;
      heard = heard.subarray(end);
      // The first message is a greeting.
      if (Array.isArray(message)) waiting.get(message[1])?.(message);
    }
  });
  return (command: string, parameters: object): Promise<unknown> =>
    new Promise((resolve, reject) => {
      const id = ++asked;
      waiting.set(id, ([, , error, value]) => {
        waiting.delete(id);
        if (error) reject(new Error(`${command}: ${error.message}`));
        else resolve(value);
      });
      const text = JSON.stringify([0, id, command, parameters]);
      socket.write(`${Buffer.byteLength(text)}:${text}`);
    });
}
