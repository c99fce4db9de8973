import { setTimeout } from "node:timers/promises";
import {
  test as base,
  type ConsoleMessage,
  expect,
  type Locator,
  type Page,
} from "@playwright/test";
import { sessionCookieName } from "../../server/team/roster/sessions.ts";
import type { DeletionScenario } from "./deletion-scenario.ts";
import type { openDeskScenes } from "./desk-scenes.ts";
import { type ServerProcess, startServerProcess } from "./server-process.ts";
import { signInBrowser } from "./sign-in.ts";

export { expect, type Locator, type Page };

type Noise = {
  /** Allows console messages that match a pattern. Any other message fails the test. */
  expect(pattern: RegExp): void;
};

/**
 * Test with a browser and a running server. Fails on any console message, script error, request to
 * another website, or cookie other than an operator's session.
 */
export const test = base.extend<
  {
    noise: Noise;
    /** Signs in an operator on the worker's server. */
    signInAs: (name: string, role?: "operator" | "admin") => Promise<void>;
    /** Starts another server with these settings. Stops the server after the test. */
    serverWith: (settings: Record<string, string>) => Promise<ServerProcess>;
  },
  {
    server: ServerProcess;
    /** Opens requests in every state, submitted in this language. */
    requestsIn: (language: string) => Promise<DeletionScenario>;
    /** Opens the operator pages in every state, in this language. */
    deskIn: (language: string) => ReturnType<typeof openDeskScenes>;
  }
>({
  server: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the pattern of the first argument
    async ({}, use) => {
      const server = await startServerProcess({
        SUBMISSION_LIMIT: "100000",
        MAX_UNCONFIRMED: "10000000",
        LOG_LEVEL: "error",
      });
      let stopping = false;
      const watched = server.ended.then(({ code, signal, stderr }) => {
        if (!stopping) throw new Error(`The server ended early (${signal ?? code}). ${stderr}`);
      });
      await use(server);
      stopping = true;
      const { stdout, stderr } = await server.stop();
      await watched;
      // Log entries are JSON, and the log level allows only errors.
      const faults = stdout.split("\n").filter((line) => line.startsWith("{"));
      if (stderr || faults.length > 0) throw new Error(`The server printed ${stderr}${faults}`);
    },
    { scope: "worker" },
  ],

  requestsIn: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the pattern of the first argument
    async ({}, use) => {
      const { openDeletionScenario } = await import("./deletion-scenario.ts");
      await using scenarios = perLanguage(openDeletionScenario);
      await use(scenarios.open);
    },
    { scope: "worker" },
  ],

  deskIn: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the pattern of the first argument
    async ({}, use) => {
      const { openDeskScenes } = await import("./desk-scenes.ts");
      await using desks = perLanguage(openDeskScenes);
      await use(desks.open);
    },
    { scope: "worker" },
  ],

  baseURL: async ({ server }, use) => use(server.url),

  signInAs: async ({ context, server }, use) => {
    await use((name, role) => signInBrowser(context, server, name, role));
  },

  serverWith: async ({ context }, use) => {
    const servers: ServerProcess[] = [];
    await use(async (settings) => {
      const server = await startServerProcess({ LOG_LEVEL: "error", ...settings });
      servers.push(server);
      return server;
    });
    // A page that is still loading an image would log an error when the server stops.
    for (const page of context.pages()) await page.goto("about:blank");
    await Promise.all(servers.map((server) => server.stop()));
  },

  noise: [
    async ({ context }, use) => {
      const expected: RegExp[] = [];
      const logged: string[] = [];
      const record = (text: string) => logged.push(text);
      context.on("console", (message: ConsoleMessage) =>
        record(`${message.type()}: ${message.text()}`),
      );
      context.on("weberror", (fault) => record(`fault: ${fault.error().message}`));
      context.on("request", (request) => {
        const { protocol, hostname } = new URL(request.url());
        if (/^https?:$/.test(protocol) && hostname !== "localhost") {
          record(`request: ${request.url()}`);
        }
      });
      await use({ expect: (pattern) => expected.push(pattern) });
      const surprises = logged.filter((text) => !expected.some((pattern) => pattern.test(text)));
      expect(surprises, "unexpected console output or requests").toEqual([]);
      const cookies = (await context.cookies()).filter(({ name }) => name !== sessionCookieName);
      expect(cookies, "cookies other than an operator's session").toEqual([]);
    },
    { auto: true },
  ],
});

/** Caches one resource per language. Disposes of all resources at the end. */
function perLanguage<T extends AsyncDisposable>(open: (language: string) => Promise<T>) {
  const opened = new Map<string, Promise<T>>();
  return {
    open: (language: string) => opened.getOrInsertComputed(language, () => open(language)),
    async [Symbol.asyncDispose]() {
      for (const resource of opened.values()) await (await resource)[Symbol.asyncDispose]();
    },
  };
}

/** Matches the message that the browser logs for a response with this error status. */
export const statusLine = (status: number) =>
  new RegExp(`^error: Failed to load resource: the server responded with a status of ${status}`);

export const phone = { width: 360, height: 740 };
export const desktop = { width: 1280, height: 800 };

export async function tabTo(page: Page, wanted: Locator): Promise<void> {
  const isThere = () => wanted.evaluate((element) => element === document.activeElement);
  for (let presses = 0; presses < 99 && !(await isThere()); presses++) {
    await page.keyboard.press("Tab");
  }
  await expect(wanted).toBeFocused();
}

/** Waits until no animation is running. */
export async function untilStill(page: Page): Promise<void> {
  const isMoving = () =>
    page.evaluate(() =>
      document
        .getAnimations()
        .some(
          ({ timeline, playState }) =>
            timeline instanceof DocumentTimeline && playState === "running",
        ),
    );
  while (await isMoving()) await setTimeout(20);
}

/**
 * Waits for two frames so that layout changes have taken effect. An idle page may paint no frames,
 * so the wait ends after a second.
 */
export async function untilShown(page: Page): Promise<void> {
  await page.evaluate(
    () =>
      new Promise<void>((shown) => {
        requestAnimationFrame(() => requestAnimationFrame(() => shown()));
        window.setTimeout(shown, 1000);
      }),
  );
}
