import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { connect, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { expect, vi } from "vitest";
import { endsWithUs } from "../harness/ends-with-us.ts";
import { findFreePort } from "../harness/free-port.ts";

// A browser that takes WebDriver's commands (W3C): WebKit's driver by HTTP, Firefox by a socket of its own.

export type Scheme = "light" | "dark";
export type Size = { width: number; height: number };

export type Driver = {
  /** One of `commands`, with its parameters; `id` names the element that it is about. */
  ask: <Value = null>(command: keyof typeof commands, parameters?: object) => Promise<Value>;
  resize(size: Size): Promise<void>;
  close(): Promise<void>;
};

/** By the names that Firefox knows them by. */
const commands = {
  Navigate: "POST /url",
  ExecuteScript: "POST /execute/sync",
  PerformActions: "POST /actions",
  FindElements: "POST /elements",
  ElementClick: "POST /element/ID/click",
  GetComputedRole: "GET /element/ID/computedrole",
  TakeScreenshot: "GET /screenshot",
  SetWindowRect: "POST /window/rect",
};

/** How long a page of a busy machine may work on one question, in milliseconds. */
const patience = 15_000;
/** How long a browser that starts, or changes its size, is asked for an answer, in milliseconds. */
const untilAnswered = { timeout: 60_000, interval: 50 };

/** Firefox without a window, by Marionette: messages `LENGTH:[type, id, command, parameters]`, and the same with an answer back. */
export async function startFirefox(scheme: Scheme): Promise<Driver> {
  const home = mkdtempSync(join(tmpdir(), "firefox-"));
  const port = await findFreePort();
  const colours = scheme === "dark" ? 0 : 1;
  const preferences = `user_pref("marionette.port", ${port});
    user_pref("layout.css.prefers-color-scheme.content-override", ${colours});`;
  writeFileSync(join(home, "user.js"), preferences);
  const program = process.env.FIREFOX_PATH || "/usr/bin/firefox-esr";
  const options = ["--headless", "--marionette", "--remote-allow-system-access", "--profile", home];
  const firefox = start(program, options);
  const socket = await vi.waitFor(async () => {
    const one = connect(port, "127.0.0.1");
    await once(one, "connect");
    return one;
  }, untilAnswered);
  const tell = converse(socket);
  await tell("WebDriver:NewSession", {});
  return {
    ask: (command, parameters = {}) => tell(`WebDriver:${command}`, parameters) as Promise<never>,
    async resize(size) {
      // No window of Firefox is as narrow as a phone; the page's part of it may be.
      const script = `for (const [side, length] of Object.entries(arguments[0])) {
        for (const name of [side, "min-" + side, "max-" + side]) {
          gBrowser.selectedBrowser.style.setProperty(name, length + "px");
        }
      }`;
      await tell("WebDriver:SetWindowRect", { width: size.width + 200, height: size.height + 200 });
      await tell("Marionette:SetContext", { value: "chrome" });
      await tell("WebDriver:ExecuteScript", { script, args: [size] });
      await tell("Marionette:SetContext", { value: "content" });
    },
    async close() {
      socket.destroy();
      firefox.kill();
      await once(firefox, "close");
      rmSync(home, { recursive: true, force: true });
    },
  };
}

type Answer = [type: 1, id: number, error: { message: string } | null, value: unknown];

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
        else resolve((value as { value?: unknown } | null)?.value ?? value);
      });
      const text = JSON.stringify([0, id, command, parameters]);
      socket.write(`${Buffer.byteLength(text)}:${text}`);
    });
}

/**
 * WebKit as GTK's small browser shows it, on a screen of its own that nobody sees. There is no window manager: xdotool
 * gives the window its focus, and a width that its tool bar would not allow.
 */
export async function startWebKit(scheme: Scheme): Promise<Driver> {
  const home = mkdtempSync(join(tmpdir(), "webkit-"));
  const options = ["-displayfd", "1", "-screen", "0", "1600x1200x24", "-nolisten", "tcp"];
  const screen = start("Xvfb", options);
  const [display] = await once(createInterface(screen.stdout), "line");
  const env = {
    PATH: process.env.PATH,
    HOME: home,
    DISPLAY: `:${display}`,
    GTK_THEME: scheme === "dark" ? "Adwaita:dark" : "Adwaita",
    NO_AT_BRIDGE: "1",
  };
  const port = await findFreePort();
  const driver = start("WebKitWebDriver", [`--port=${port}`, "--host=127.0.0.1"], env);
  async function call<Value>(route: string, body?: object, signal?: AbortSignal): Promise<Value> {
    const [method = "", path] = route.split(" ");
    const sent = method === "POST" ? JSON.stringify(body ?? {}) : undefined;
    const response = await fetch(`http://127.0.0.1:${port}${path}`, { method, body: sent, signal });
    const { value } = (await response.json()) as { value: Value };
    if (!response.ok) throw new Error(`${route}: ${JSON.stringify(value)}`);
    return value;
  }
  await vi.waitFor(() => call("GET /status"), untilAnswered);
  const { sessionId } = await call<{ sessionId: string }>("POST /session", { capabilities: {} });
  const ask: Driver["ask"] = (command, parameters) => {
    const id = (parameters as { id?: string } | undefined)?.id ?? "";
    const route = commands[command].replace(" ", ` /session/${sessionId}`).replace("ID", id);
    // The driver never answers what a page was asked while it went away, whatever its own limit says.
    const signal = command === "ExecuteScript" ? AbortSignal.timeout(patience) : undefined;
    return call(route, parameters, signal);
  };
  const xdotool = (...args: string[]) => execFileSync("xdotool", args, { env, encoding: "utf8" });
  const windows = xdotool("search", "--onlyvisible", "--class", "MiniBrowser").trim().split("\n");
  const window = windows.at(-1) ?? "";
  xdotool("windowfocus", "--sync", window);
  const viewSize = () =>
    ask<Size>("ExecuteScript", {
      script: "return { width: innerWidth, height: innerHeight }",
      args: [],
    });
  return {
    ask,
    async resize({ width, height }) {
      const tool = xdotool("getwindowgeometry", window);
      const bar = Number(/Geometry: \d+x(\d+)/.exec(tool)?.[1]) - (await viewSize()).height;
      // The driver asks GTK, which keeps room for the tool bar; the screen's own call then takes that room.
      await ask("SetWindowRect", { width, height: height + bar });
      xdotool("windowsize", window, String(width), String(height + bar));
      await vi.waitFor(
        async () => expect(await viewSize()).toEqual({ width, height }),
        untilAnswered,
      );
    },
    async close() {
      await call(`DELETE /session/${sessionId}`).catch(() => {});
      driver.kill();
      screen.kill();
      rmSync(home, { recursive: true, force: true });
    },
  };
}

function start(program: string, args: string[], env = process.env) {
  return endsWithUs(spawn(program, args, { env, stdio: ["ignore", "pipe", "ignore"] }));
}
