import { AxeBuilder } from "@axe-core/playwright";
import {
  test as base,
  type ConsoleMessage,
  expect,
  type Locator,
  type Page,
} from "@playwright/test";
import { sessionCookieName } from "../../server/operators/session-cookie.ts";
import { type ServerProcess, startServerProcess } from "./server-process.ts";
import { signInBrowser } from "./sign-in.ts";

export { expect, type Locator, type Page };

type Noise = {
  /** Tells that the browser will say this; any other message fails the test. */
  expect(pattern: RegExp): void;
};

/**
 * A browser that visits a server of its own. A test fails by itself on any message in the console, any fault of a
 * page's script, any request to another website and any cookie.
 */
export const test = base.extend<
  {
    noise: Noise;
    /** Signs somebody of the team in to the operators' pages of the worker's server. */
    signInAs: (name: string, role?: "operator" | "keeper") => Promise<void>;
    /** Starts another server with its own settings and visits that one. */
    serverWith: (settings: Record<string, string>) => Promise<ServerProcess>;
  },
  { server: ServerProcess }
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
      // It logs nothing but faults here.
      const faults = stdout.split("\n").filter((line) => line.startsWith("{"));
      if (stderr || faults.length > 0) throw new Error(`The server said ${stderr}${faults}`);
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
    // A page that still loads a picture would complain about a site that is gone.
    for (const page of context.pages()) await page.goto("about:blank");
    await Promise.all(servers.map((server) => server.stop()));
  },

  noise: [
    async ({ context }, use) => {
      const expected: RegExp[] = [];
      const heard: string[] = [];
      const hear = (text: string) => heard.push(text);
      context.on("console", (message: ConsoleMessage) =>
        hear(`${message.type()}: ${message.text()}`),
      );
      context.on("weberror", (fault) => hear(`fault: ${fault.error().message}`));
      context.on("request", (request) => {
        const { protocol, hostname } = new URL(request.url());
        if (/^https?:$/.test(protocol) && hostname !== "localhost") {
          hear(`request: ${request.url()}`);
        }
      });
      await use({ expect: (pattern) => expected.push(pattern) });
      const surprises = heard.filter((text) => !expected.some((pattern) => pattern.test(text)));
      expect(surprises, "the console stays silent").toEqual([]);
      const cookies = (await context.cookies()).filter(({ name }) => name !== sessionCookieName);
      expect(cookies, "no cookie is set but an operator's").toEqual([]);
    },
    { auto: true },
  ],
});

/** The browser's own line on a page or an answer with an error status. */
export const statusLine = (status: number) =>
  new RegExp(`^error: Failed to load resource: the server responded with a status of ${status}`);

/** Rules that axe applies to whoever asks only: WCAG 1.3.4, 2.5.3 and 2.5.8. */
export const rulesToo = {
  "css-orientation-lock": { enabled: true },
  "label-content-name-mismatch": { enabled: true },
  "target-size": { enabled: true },
};

/** Fails on anything that axe finds, by its usual rules or by `more`. */
export async function expectAccessible(
  page: Page,
  state = "",
  more: typeof rulesToo | Record<string, never> = {},
): Promise<void> {
  const { violations } = await new AxeBuilder({ page })
    .options({ resultTypes: ["violations"], rules: more })
    .analyze();
  const found = violations.map(
    ({ id, help, nodes }) => `${id}: ${help}: ${nodes.map((node) => node.target).join(" | ")}`,
  );
  expect(found, `axe on ${page.url()} ${state}`).toEqual([]);
}

export const phone = { width: 360, height: 740 };
export const desktop = { width: 1280, height: 800 };
