import { pino } from "pino";
import { beforeEach, describe, expect, test } from "vitest";
import { createApp, type Pages, type Site } from "../../server/app.ts";
import { refusalWords } from "../../server/platform/http/refusals.fixture.ts";
import { createLanguagePaths } from "../../server/platform/i18n/language-paths.ts";
import type { SiteServices } from "../../server/services.ts";

/** Defaults for a route that declares nothing. */

const publicUrl = "http://localhost:3000";
let rendered: string[] = [];
let posted: string[] = [];

const services = {
  publicUrl,
  clientDir: import.meta.dirname,
  clock: () => Temporal.Instant.from("2026-11-21T04:00:00Z"),
  clientAddress: (socketAddress: string) => socketAddress,
  hooks: {},
  budget: { spendWork: () => ({ ok: true, network: "" }) },
  health: async () => ({ status: "ok", problems: [] }),
  log: pino({ enabled: false }),
  reportError: () => {},
} as unknown as SiteServices;

const pages: Pages = {
  find: ({ pathname }) =>
    pathname === "/undeclared"
      ? {}
      : pathname === "/declared" || pathname === "/"
        ? { keptAs: pathname }
        : undefined,
  languages: createLanguagePaths(["en"]),
  refusals: [refusalWords()],
  render: async (request, visit) => {
    const { pathname, search } = new URL(request.url);
    rendered.push(request.method + pathname + search);
    const text = `${pathname}${search} ${JSON.stringify(visit.shown ?? "")}`;
    return new Response(text, {
      status: pathname === "/nowhere" ? 404 : 200,
      headers: { "Content-Type": "text/html" },
    });
  },
  forms: {
    "/form": async (form) => {
      posted.push(form.kind);
      return form.kind === "form"
        ? new Response(null, { status: 303, headers: { Location: "/done" } })
        : { status: 403, shown: form.kind };
    },
  },
};

let site: Site;
beforeEach(() => {
  rendered = [];
  posted = [];
  site = createApp(services, pages);
});

const ask = (path: string, init?: RequestInit) => site.fetch(new Request(publicUrl + path, init));
const post = (path: string, headers: Record<string, string> = {}) =>
  ask(path, {
    method: "POST",
    body: new URLSearchParams({ a: "1" }),
    headers: { Origin: publicUrl, ...headers },
  });

test("renders the landing page once, before the first visit", async () => {
  site.prepare();
  expect(rendered).toEqual(["GET/"]);
  expect(await (await ask("/")).text()).toMatch(/^\/ /);
  expect(rendered).toEqual(["GET/"]);
});

describe("rendering", () => {
  test("happens for each visitor, uncached, if a page isn't declared as cacheable", async () => {
    const first = await ask("/undeclared");
    await ask("/undeclared");
    expect(rendered).toHaveLength(2);
    expect(first.headers.get("cache-control")).toBe("no-store, no-transform");
    expect(first.headers.get("etag")).toBeNull();
  });

  test("happens once for a declared page, without the visitor's query", async () => {
    expect(await (await ask("/declared?visit=secret")).text()).toContain("/declared ");
    expect(await (await ask("/declared?utm=1")).text()).not.toContain("utm");
    expect(rendered).toEqual(["GET/declared"]);
  });

  test("happens once for all unknown addresses", async () => {
    for (let number = 0; number < 50; number++) {
      expect((await ask(`/made-up/${number}`)).status).toBe(404);
    }
    expect(rendered).toEqual(["GET/nowhere"]);
  });
});

describe("an address not declared to accept forms", () => {
  test.each(["/undeclared", "/declared", "/made-up", "/form.data"])(
    "rejects a form sent to %s without rendering",
    async (path) => {
      const response = await post(path);
      expect(response.status).toBe(405);
      expect(response.headers.get("allow")).toBe("GET, HEAD");
      expect(rendered).toEqual([]);
      expect(posted).toEqual([]);
    },
  );

  test.each(["PUT", "PATCH", "DELETE", "OPTIONS"])(
    "rejects the method %s, as does an address that accepts forms",
    async (method) => {
      const response = await ask("/form", { method });
      expect(response.status).toBe(405);
      expect(response.headers.get("allow")).toBe("GET, HEAD, POST");
      expect(posted).toEqual([]);
    },
  );
});
