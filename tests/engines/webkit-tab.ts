import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { findFreePort } from "../harness/free-port.ts";
import { type Key, type Listener, middleOf, readPicture, type Scheme, type Tab } from "./tab.ts";
import type { Told } from "./told.ts";

/** The codes that WebDriver gives to keys that write nothing. */
const keyCodes: Record<Key, string> = {
  Tab: "\uE004",
  Escape: "\uE00C",
  Enter: "\uE007",
};

/** How long a page of a busy machine may work on one question, in milliseconds. */
const patience = 15_000;

/** The property under which WebDriver hands out elements. */
const elementKey = "element-6066-11e4-a52e-4f735466cecf";

/**
 * WebKit as GTK's small browser shows it, on a screen of its own that nobody sees, by plain WebDriver calls. The driver
 * has no call for the console (see `ears.ts`), and there is no window manager: xdotool gives the window its focus, and a
 * width that its tool bar would not allow.
 */
export async function openWebKit(scheme: Scheme): Promise<Tab & Listener> {
  const home = mkdtempSync(join(tmpdir(), "webkit-"));
  const screen = start("Xvfb", [
    "-displayfd",
    "1",
    "-screen",
    "0",
    "1600x1200x24",
    "-nolisten",
    "tcp",
  ]);
  const env = {
    PATH: process.env.PATH,
    HOME: home,
    DISPLAY: `:${(await firstLine(screen)).trim()}`,
    GTK_THEME: scheme === "dark" ? "Adwaita:dark" : "Adwaita",
    NO_AT_BRIDGE: "1",
  };
  const port = await findFreePort();
  const driver = start("WebKitWebDriver", [`--port=${port}`, "--host=127.0.0.1"], env);

  async function call<Value>(
    method: string,
    path: string,
    body?: object,
    signal?: AbortSignal,
  ): Promise<Value> {
    const response = await fetch(`http://127.0.0.1:${port}${path}`, {
      method,
      body: body && JSON.stringify(body),
      signal,
    });
    const { value } = (await response.json()) as { value: Value };
    if (!response.ok) throw new Error(`${method} ${path}: ${JSON.stringify(value)}`);
    return value;
  }
  await untilAnswered(() => call("GET", "/status"));
  const { sessionId } = await call<{ sessionId: string }>("POST", "/session", {
    capabilities: {},
  });
  const ask = <Value = null>(method: string, path: string, body?: object, signal?: AbortSignal) =>
    call<Value>(method, `/session/${sessionId}${path}`, body, signal);

  const xdotool = (...args: string[]) => execFileSync("xdotool", args, { env, encoding: "utf8" });
  const window =
    xdotool("search", "--onlyvisible", "--class", "MiniBrowser").trim().split("\n").at(-1) ?? "";
  xdotool("windowfocus", "--sync", window);

  const evaluate: Tab["evaluate"] = async (run, ...args) => {
    const question = { script: `return (${run}).apply(null, arguments)`, args };
    for (;;) {
      // The driver never answers what it was asked while a page went away, whatever its own limit says: the next page
      // is asked.
      const signal = AbortSignal.timeout(patience);
      try {
        return await ask<never>("POST", "/execute/sync", question, signal);
      } catch (error) {
        if (!signal.aborted) throw error;
      }
    }
  };
  const viewSize = () => evaluate(() => ({ width: innerWidth, height: innerHeight }));
  const act = (type: "key" | "pointer", actions: object[]) =>
    ask("POST", "/actions", { actions: [{ type, id: type, actions }] });
  const typeKeys = (keys: string) =>
    act(
      "key",
      [...keys].flatMap((value) => ["keyDown", "keyUp"].map((type) => ({ type, value }))),
    );
  const elements = async (selector: string) =>
    (
      await ask<Record<string, string>[]>("POST", "/elements", {
        using: "css selector",
        value: selector,
      })
    ).map((element) => element[elementKey]);

  return {
    async open(url) {
      await ask("POST", "/url", { url });
    },
    async resize({ width, height }) {
      const tool = xdotool("getwindowgeometry", window);
      const bar = Number(/Geometry: \d+x(\d+)/.exec(tool)?.[1]) - (await viewSize()).height;
      // The driver asks GTK, which keeps room for the tool bar; the screen's own call then takes that room.
      await ask("POST", "/window/rect", { width, height: height + bar });
      xdotool("windowsize", window, String(width), String(height + bar));
      await untilAnswered(async () => {
        const view = await viewSize();
        if (view.width !== width || view.height !== height) {
          throw new Error(`The view is ${view.width}x${view.height}`);
        }
      });
    },
    evaluate,
    async press(key) {
      await typeKeys(keyCodes[key]);
    },
    async type(text) {
      await typeKeys(text);
    },
    async click(selector) {
      const { x, y } = await evaluate(middleOf, selector);
      await act("pointer", [
        { type: "pointerMove", x, y },
        { type: "pointerDown", button: 0 },
        { type: "pointerUp", button: 0 },
      ]);
    },
    async choose(selector, value) {
      const [option] = await elements(`${selector} option[value="${value}"]`);
      await ask("POST", `/element/${option}/click`, {});
    },
    async told() {
      // What is not drawn is not told; the driver answers for it all the same.
      await evaluate(() => {
        for (const element of document.querySelectorAll("body *")) {
          const hidden = element.closest("[aria-hidden=true]");
          if (!hidden && element.checkVisibility({ visibilityProperty: true }))
            element.setAttribute("data-shown", "");
        }
      });
      const told: Told[] = [];
      for (const element of await elements("[data-shown]")) {
        told.push({
          role: await ask<string>("GET", `/element/${element}/computedrole`),
          name: await ask<string>("GET", `/element/${element}/computedlabel`),
        });
      }
      return told;
    },
    look: async () => readPicture(Buffer.from(await ask<string>("GET", "/screenshot"), "base64")),
    complaints: () =>
      evaluate(() => (window as unknown as { complaints?: string[] }).complaints?.splice(0) ?? []),
    async close() {
      await ask("DELETE", "").catch(() => {});
      driver.kill();
      screen.kill();
      rmSync(home, { recursive: true, force: true });
    },
  };
}

/** Starts a program that does not outlive the tests, however they end. */
function start(
  program: string,
  args: string[],
  env: NodeJS.ProcessEnv = process.env,
): ChildProcess {
  const child = spawn(program, args, { env, stdio: ["ignore", "pipe", "ignore"] });
  const killWithUs = () => child.kill("SIGKILL");
  process.once("exit", killWithUs);
  child.once("close", () => process.off("exit", killWithUs));
  return child;
}

function firstLine(child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = "";
    child.once("error", reject);
    child.once("exit", (code) => reject(new Error(`The screen ended with ${code}`)));
    child.stdout?.on("data", (chunk: Buffer) => {
      text += chunk;
      if (text.includes("\n")) resolve(text.split("\n")[0] ?? "");
    });
  });
}

/** Asks until there is an answer, for ten seconds at most. */
async function untilAnswered<Value>(question: () => Promise<Value>): Promise<Value> {
  const end = Date.now() + 10_000;
  for (;;) {
    try {
      return await question();
    } catch (error) {
      if (Date.now() > end) throw error;
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }
}
