import { pino } from "pino";
import { beforeEach, describe, expect, test } from "vitest";
import { createApp, type PageDeclaration, type Pages, type Site } from "../../server/app.ts";
import { refusalWords } from "../../server/platform/http/refusals.fixture.ts";
import { createRequestIds } from "../../server/platform/http/request-ids.ts";
import { createLanguagePaths } from "../../server/platform/i18n/language-paths.ts";
import type { SiteServices } from "../../server/services.ts";

/** Defaults for a route without declarations: no caching and no forms. */

const publicUrl = "http://localhost:3000";
let rendered: string[] = [];
let posted: string[] = [];
/** Rendering times that were charged to the client, in milliseconds. */
let charged: number[] = [];

const services = {
  publicUrl,
  clientDir: import.meta.dirname,
  clock: () => Temporal.Instant.from("2026-11-21T04:00:00Z"),
  clientAddress: (socketAddress: string) => socketAddress,
  hooks: {},
  budget: {
    spendWork: (_: string, ms: number) => {
      charged.push(ms);
      return { ok: true, network: "" };
    },
  },
  health: async () => ({ status: "ok", problems: [] }),
  log: pino({ enabled: false }),
  reportError: () => {},
  requestIds: createRequestIds(() => false),
} as unknown as SiteServices;

const declared: Record<string, PageDeclaration> = {
  "/": { keptAs: "/" },
  "/declared": { keptAs: "/declared", query: ["page"] },
  "/undeclared": {},
  "/form": { takesForms: true },
};

const pages: Pages = {
  find: ({ pathname }) => declared[pathname],
  languages: createLanguagePaths(["en"]),
  changesAfter: () => Number.POSITIVE_INFINITY,
  refusals: [refusalWords()],
  render: async (request, { form }) => {
    const { pathname, search } = new URL(request.url);
    const page = async (text: string, status: number) =>
      new Response(text, { status, headers: { "Content-Type": "text/html" } });
    if (form) {
      const { kind } = form.posted;
      posted.push(request.method + pathname + search, kind);
      return kind === "form"
        ? new Response(null, { status: 303, headers: { Location: "/done" } })
        : form.renderInTurn(() => page(kind, 403));
    }
    rendered.push(request.method + pathname + search);
    return page(`${pathname}${search} `, pathname === "/nowhere" ? 404 : 200);
  },
};

let site: Site;
beforeEach(() => {
  rendered = [];
  posted = [];
  charged = [];
  site = createApp(services, pages);
});

const ask = (path: string, init?: RequestInit) => site.fetch(new Request(publicUrl + path, init));
const post = (path: string, headers: Record<string, string> = {}) =>
  ask(path, {
    method: "POST",
    body: new URLSearchParams({ a: "1" }),
    headers: { Origin: publicUrl, ...headers },
  });

test("renders the landing page before the first request", async () => {
  site.prepare();
  expect(rendered).toEqual(["GET/"]);
  expect(await (await ask("/")).text()).toMatch(/^\/ /);
  expect(rendered).toEqual(["GET/"]);
});

describe("page rendering", () => {
  test("renders an undeclared page for every request", async () => {
    const first = await ask("/undeclared");
    await ask("/undeclared");
    expect(rendered).toHaveLength(2);
    expect(first.headers.get("cache-control")).toBe("no-store, no-transform");
    expect(first.headers.get("etag")).toBeNull();
  });

  test("renders a cacheable page once, without the query string", async () => {
    expect(await (await ask("/declared?page=2")).text()).toContain("/declared ");
    expect(await (await ask("/declared?page=3")).text()).not.toContain("page");
    expect(rendered).toEqual(["GET/declared"]);
  });

  test("removes undeclared query parameters with a redirect", async () => {
    for (const [query, left] of [
      ["visit=secret", ""],
      ["page=2&utm_source=x", "?page=2"],
      ["%70age=2&a&=&page", "?%70age=2&page"],
    ]) {
      const { status, headers } = await ask(`/declared?${query}`);
      expect([status, headers.get("location")]).toEqual([308, `/declared${left}`]);
    }
    expect(rendered).toEqual([]);
  });

  test("renders one not-found page for all unknown URLs", async () => {
    for (let number = 0; number < 50; number++) {
      expect((await ask(`/made-up/${number}`)).status).toBe(404);
    }
    expect(rendered).toEqual(["GET/nowhere"]);
  });
});

describe("a route without forms", () => {
  test.each(["/undeclared", "/declared", "/made-up", "/form.data"])(
    "returns 405 for a form sent to %s",
    async (path) => {
      const response = await post(path);
      expect(response.status).toBe(405);
      expect(response.headers.get("allow")).toBe("GET, HEAD");
      expect(rendered).toEqual([]);
      expect(posted).toEqual([]);
    },
  );

  test.each(["PUT", "PATCH", "DELETE", "OPTIONS"])(
    "rejects %s requests even on a route with forms",
    async (method) => {
      const response = await ask("/form", { method });
      expect(response.status).toBe(405);
      expect(response.headers.get("allow")).toBe("GET, HEAD, POST");
      expect(posted).toEqual([]);
    },
  );
});

describe("a route with forms", () => {
  test("drops undeclared query parameters from the form's URL", async () => {
    const response = await post("/form?visit=secret");
    expect(response.status).toBe(303);
    expect(response.headers.get("location")).toBe("/done");
    expect(posted).toEqual(["POST/form", "form"]);
    expect(rendered).toEqual([]);
  });

  test("discards the fields of a cross-site form", async () => {
    const response = await post("/form", { Origin: "https://evil.example" });
    expect(response.status).toBe(403);
    expect(await response.text()).toBe("foreign");
    expect(posted).toEqual(["POST/form", "foreign"]);
    expect(response.headers.get("cache-control")).toBe("no-store, no-transform");
  });

  test("charges the client for rendering a page but not for a redirect", async () => {
    await post("/form");
    expect(charged).toHaveLength(1);
    await post("/form", { Origin: "https://evil.example" });
    expect(charged.length).toBeGreaterThan(2);
  });
});
