import { type ChildProcess, spawn } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { paths } from "../../server/platform/http/paths.ts";
import { addressIn, campus, contentPaths } from "../harness/campus.ts";
import { filledForm, referencePattern } from "../harness/deletion-form.ts";
import { findFreePort } from "../harness/free-port.ts";
import { mainOf, plain, textOf } from "../harness/html.ts";
import { killOnExit } from "../harness/kill-on-exit.ts";
import { openTestSite } from "../harness/test-site.ts";

// Varnish with its default settings in front of the site. Run with `npm run test:deep -- proxies`.

const varnish = process.env.VARNISH_PATH;
const languages = [campus, ...campus.translations].map(({ settings }) => settings.language);

describe.skipIf(!varnish)("Varnish in front of the site", () => {
  let folder: string;
  let site: Awaited<ReturnType<typeof openTestSite>>;
  let cache: ChildProcess;
  let port: number;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "varnish-"));
    port = await findFreePort();
    // The site's clock stands still, because caches may not hold pages in the last six minutes before
    // the ride hours change.
    site = await openTestSite({
      listen: true,
      trustProxy: { kind: "hops", count: 1 },
      publicUrl: `http://localhost:${port}`,
    });
    const place = ["-n", join(folder, "work"), "-s", "malloc,64m"];
    const between = ["-a", `127.0.0.1:${port}`, "-b", `127.0.0.1:${site.port}`];
    cache = killOnExit(
      spawn(varnish ?? "", ["-F", "-j", "none", ...place, ...between], { stdio: "ignore" }),
    );
    await vi.waitUntil(
      () =>
        ask("/livez")
          .then(({ ok }) => ok)
          .catch(() => false),
      {
        timeout: 60_000,
      },
    );
  });
  afterAll(async () => {
    cache?.kill();
    await site?.[Symbol.asyncDispose]();
    await rm(folder, { recursive: true });
  });

  const ask = (path: string, init: RequestInit = {}) =>
    fetch(`http://127.0.0.1:${port}${path}`, { redirect: "manual", ...init });
  /**
   * Checks whether Varnish answered from its cache. On a hit, the header contains a second id: that
   * of the request that filled the cache.
   */
  const isHit = ({ headers }: Response) => /\d \d/.test(headers.get("x-varnish") ?? "");

  test.each([...contentPaths, paths.deletion, "/nowhere-at-all"])(
    "caches %s in each language",
    async (path) => {
      for (const language of languages) {
        const address = addressIn(language, path);
        const first = await ask(address);
        const second = await ask(address);
        expect([isHit(first), isHit(second)], address).toEqual([false, true]);
        expect(await second.text()).toContain(`<html lang="${language}"`);
      }
    },
  );

  test("returns 304 for a matching ETag or date", async () => {
    const { headers } = await ask("/faq");
    for (const [name, value] of [
      ["If-None-Match", headers.get("etag")],
      ["If-Modified-Since", headers.get("last-modified")],
    ] as const) {
      const again = await ask("/faq", { headers: { [name]: value ?? "" } });
      expect([again.status, isHit(again)], name).toEqual([304, true]);
    }
  });

  test("caches one copy of a page for all query strings", async () => {
    await ask(paths.deletion);
    for (const query of ["utm_source=mail", "fbclid=a1", "lang=xx"]) {
      const led = await ask(`${paths.deletion}?${query}`);
      expect([led.status, led.headers.get("location")]).toEqual([308, paths.deletion]);
      expect(isHit(await ask(led.headers.get("location") ?? ""))).toBe(true);
    }
  });

  test("never caches a personal page", async () => {
    for (const path of [`${paths.deletion}?visit=x`, `${paths.deletion}?link=x`, "/healthz"]) {
      await ask(path);
      expect(isHit(await ask(path)), path).toBe(false);
    }
  });

  test("forwards forms with and without a form key", async () => {
    const page = await (await ask(paths.deletion)).text();
    expect(page).toMatch(/name="formKey" value=""/);
    const send = (change: Record<string, string>) =>
      ask(paths.deletion, {
        method: "POST",
        headers: { Origin: `http://localhost:${port}` },
        body: new URLSearchParams(filledForm(change)),
      }).then((answer) => answer.text());
    const forms: Record<string, string>[] = [
      { email: "first@uni.example" },
      { email: "second@uni.example", formKey: "" },
      { email: "third@uni.example", formKey: "" },
    ];
    const references = new Set<string | undefined>();
    for (const form of forms) {
      const answer = await send(form);
      expect(answer).toContain(plain(campus.deletion.success.open));
      references.add(referencePattern.exec(textOf(mainOf(answer)))?.[0]);
    }
    expect(references.size).toBe(forms.length);
  });

  test("forwards the site's request id to the visitor", async () => {
    const answer = await ask(`${paths.deletion}?visit=y`);
    expect(answer.headers.get("x-request-id")).toMatch(/^[\da-f-]{36}$/);
  });
});
