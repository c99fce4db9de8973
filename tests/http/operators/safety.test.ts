import { brotliDecompressSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import routes from "../../../app/routes.ts";
import { reading } from "../../../server/database/statement.ts";
import { campus, missingPaths, say } from "../../harness/campus.ts";
import { elementsOf, textOf } from "../../harness/html.ts";
import { openTestSite, type TestSite } from "../../harness/test-site.ts";

// Who reaches which page of operators. The route table is walked, so that a new page is covered by being there.

const table = routes
  .flatMap(({ file, path, children }) =>
    children ? children.map((child) => ({ ...child, layout: file })) : [{ file, path, layout: "" }],
  )
  .map(({ path = "", layout }) => ({
    path: `/${path.replace(":id", "1").replace(":token", "unknown")}`,
    guarded: layout.endsWith("desk-layout.tsx"),
  }))
  .filter(({ path }) => path.startsWith("/operator"));
const all = table.map(({ path }) => path);
const guarded = table.filter((one) => one.guarded).map(({ path }) => path);
const adminsOnly = ["/operator/people", "/operator/history", "/operator/hand-over"];

const allNames = reading((tables) => tables.selectFrom("operators").select("name"));

let site: TestSite;
beforeAll(async () => {
  site = await openTestSite();
});
afterAll(() => site[Symbol.asyncDispose]());

test("the table has the operators' pages, and all but the ways in are behind the guard", () => {
  expect(all.length).toBeGreaterThan(10);
  expect(all.filter((path) => !guarded.includes(path))).toEqual([
    "/operator/sign-in",
    "/operator/enrol",
  ]);
});

test("before anybody is invited, each is an address like any that leads nowhere", async () => {
  await using fresh = await openTestSite();
  const nowhere = await fresh.ask(missingPaths[0] ?? "/nowhere");
  const html = await nowhere.text();
  for (const path of all) {
    const response = await fresh.ask(path);
    expect(response.status, path).toBe(404);
    expect(Object.fromEntries(response.headers)).toEqual(Object.fromEntries(nowhere.headers));
    expect(await response.text(), path).toBe(html);
    const posted = await fresh.post(path, { act: "take" });
    expect([posted.status, posted.headers.get("allow")], path).toEqual([405, "GET, HEAD"]);
  }
});

describe("nobody in particular", () => {
  beforeAll(async () => {
    await site.signInAs("Nadia", "admin");
  });

  test.each(guarded)("is led from %s to the door, and sends nothing to it", async (path) => {
    const response = await site.ask(path);
    expect(response.status).toBe(303);
    const door = new URL(response.headers.get("location") ?? "", site.publicUrl);
    expect(door.pathname).toBe("/operator/sign-in");
    expect(door.searchParams.get("to")).toBe(path);
    expect(await response.text()).toBe("");
    expect([307, 405]).toContain((await site.post(path, { act: "take" })).status);
    expect((await site.ask(`${path}.data`)).status).toBe(404);
  });
});

test.each(adminsOnly)("an operator who is no admin does not see %s", async (path) => {
  const rafi = await site.signInAs("Rafi");
  const response = await rafi.ask(path);
  expect(response.status).toBe(403);
  expect(await response.text()).not.toContain("Nadia");
});

test.each(all)(
  "%s is kept by nobody and found by no search, and runs only what we wrote",
  async (path) => {
    const nadia = await site.signInAs("Nadia", "admin");
    for (const response of [await nadia.ask(path), await site.ask(path)]) {
      expect(response.headers.get("cache-control")).toBe("no-store");
      expect(response.headers.get("x-robots-tag")).toContain("noindex");
      expect(response.headers.get("etag")).toBeNull();
      expect(response.headers.get("referrer-policy")).toBe("same-origin");
      if (!response.headers.get("content-type")?.startsWith("text/html")) continue;
      const html = await response.text();
      const policy = response.headers.get("content-security-policy") ?? "";
      expect(policy).not.toMatch(/unsafe|\*|http:|data:/);
      expect(policy).toContain("default-src 'none'");
      expect(policy).toContain("script-src 'self';");
      const scripts = elementsOf(html, "script");
      expect(scripts.map(({ attributes }) => attributes.src)).toEqual([
        expect.stringMatching(/^\/assets\/operator\.script-/),
      ]);
      expect(html).not.toMatch(/<[a-z][^>]*\s(style|on[a-z]+)="/);
    }
  },
);

test.each(all.filter((path) => !/\d|file$|\.csv$/.test(path)))(
  "%s arrives with its styles in 20 KB and its script in 40, for a slow line",
  async (path) => {
    const nadia = await site.signInAs("Nadia", "admin");
    for (const address of [path, `${path}?lang=bn`]) {
      const response = await nadia.ask(address, { headers: { "Accept-Encoding": "br" } });
      expect(response.status).toBe(200);
      const body = Buffer.from(await response.arrayBuffer());
      expect(body.byteLength).toBeLessThanOrEqual(20 * 1000);
      const html = brotliDecompressSync(body).toString();
      expect(html).toContain("</html>");
      const [script] = elementsOf(html, "script").map(({ attributes }) => attributes.src ?? "");
      expect((await site.read(script ?? "")).length).toBeLessThan(40_000);
    }
  },
);

describe("a form", () => {
  const invitation = { act: "invite", name: "Eve", address: "eve@uni.example", admin: "on" };
  const team = async () =>
    (await site.foundation.database.read.all(allNames)).map(({ name }) => name);

  test("from elsewhere, or that does not say where it stood, does nothing, though the cookie came with it", async () => {
    const nadia = await site.signInAs("Nadia", "admin");
    const sent = { method: "POST", body: new URLSearchParams(invitation) };
    for (const headers of [{ Origin: "https://evil.example" }, undefined]) {
      const asked = { ...sent, headers: { Cookie: nadia.cookie, ...headers } };
      expect((await site.ask("/operator/people", asked)).status).toBe(403);
    }
    expect(await team()).not.toContain("Eve");
  });

  test("with a stolen cookie and no fresh touch does nothing, and waits with what was typed until the right passkey comes", async () => {
    const nadia = await site.signInAs("Nadia", "admin");
    site.wait({ minutes: 6 });
    const response = await nadia.post("/operator/people", invitation);
    expect(response.status).toBe(307);
    const door = response.headers.get("location") ?? "";
    for (const sent of [invitation, { ...invitation, passkey: "another one's" }]) {
      const asked = await nadia.post(door, sent);
      expect(asked.status).toBe(401);
      const [form] = elementsOf(await asked.text(), "form");
      const hidden = elementsOf(form?.html ?? "", "input").map(({ attributes }) => [
        attributes.name,
        attributes.value ?? "",
      ]);
      expect(Object.fromEntries(hidden)).toEqual({ ...invitation, passkey: "" });
    }
    expect(await team()).not.toContain("Eve");
  });

  test("of a name that is there is refused, unless it is that person's own link once more", async () => {
    const nadia = await site.signInAs("Nadia", "admin");
    const answer = await nadia.post("/operator/people", { ...invitation, name: "NÁDIA" });
    expect(answer.status).toBe(422);
    const { invite } = campus.operator.people;
    expect(textOf(await answer.text())).toContain(say(invite.nameTaken, { name: "Nadia" }));
    const again = { act: "invite", again: "1", name: "Nadia", address: "n@home.example" };
    expect(await (await nadia.post("/operator/people", again)).text()).toContain(
      "/operator/enrol#",
    );
  });

  test("of an admin whose passkey was touched is heard, and its link stands in no log", async () => {
    const nadia = await site.signInAs("Nadia", "admin");
    const html = await (await nadia.post("/operator/people", invitation)).text();
    expect(await team()).toContain("Eve");
    const [, token = "none"] = /\/operator\/enrol#([\w-]{43})/.exec(html) ?? [];
    const welcome = await site.post("/operator/enrol", { invitation: token });
    expect(await welcome.text()).toContain("Eve");
    expect(site.logLines.join("")).not.toContain(token);
  });
});

test("what no keyboard writes is no fault of ours, in no address and no field", async () => {
  const nadia = await site.signInAs("Nadia", "admin");
  const names = "account address code explanation invitation name note reason reference search";
  const fields = {
    ...Object.fromEntries(names.split(" ").map((name) => [name, "a\u0000b"])),
    passkey: JSON.stringify({ id: "a\u0000b", response: { clientDataJSON: "\u0000" } }),
  };
  const acts = ["invite", "note", "refuse", "later"];
  for (const path of [...all, "/operator/requests/a%00b"]) {
    await nadia.ask(`${path}?to=%00&told=%00&of=%00&r=%00&show=%00&after=%00&before=%00`);
    for (const act of acts) await nadia.post(path, { ...fields, act });
    await site.post(path, fields);
  }
  expect(site.faults).toEqual([]);
});

test("whoever is in, and reloads the page that showed their recovery codes, is led to Today", async () => {
  const nadia = await site.signInAs("Nadia", "admin");
  const page = await nadia.read("/operator/enrol");
  expect(page).toContain(campus.operator.frame.fault.today);
  expect(page).not.toContain(campus.operator.door.enrol.noLink);
  expect(textOf(await site.read("/operator/enrol"))).toContain(campus.operator.door.enrol.noLink);
});

test("a wrong recovery code is answered at its field, which keeps what was typed", async () => {
  await site.signInAs("Nadia", "admin");
  const response = await site.post("/operator/sign-in", { code: "abcd-1234" });
  expect(response.status).toBe(401);
  expect(response.headers.get("cache-control")).toBe("no-store");
  const html = await response.text();
  const [fold] = elementsOf(html, "details");
  expect(fold?.attributes).toHaveProperty("open");
  expect(textOf(fold?.html ?? "")).toContain(campus.operator.door.problems["code-unknown"]);
  const [code] = elementsOf(html, "input", { id: "code" });
  expect(code?.attributes).toMatchObject({
    value: "abcd-1234",
    "aria-invalid": "true",
    "aria-describedby": "code-problem",
  });
});

test("an admin's role is given and taken on the page; the last admin keeps it", async () => {
  await using own = await openTestSite();
  const nadia = await own.signInAs("Nadia", "admin");
  const offered = async () =>
    elementsOf(await nadia.read("/operator/people"), "input", { name: "act" }).map(
      ({ attributes }) => attributes.value,
    );
  expect(await offered()).toEqual(["invite"]);
  const rafi = await own.signInAs("Rafi");
  const everybody = await own.services.team.list();
  const idOf = (name: string) => String(everybody.find((one) => one.name === name)?.id);
  const change = (who: typeof nadia, name: string, role: string) =>
    who.post("/operator/people", { act: "role", id: idOf(name), role });
  expect((await change(rafi, "Rafi", "admin")).status).toBe(403);
  expect((await change(nadia, "Nadia", "operator")).status).toBe(422);
  expect((await change(nadia, "Rafi", "admin")).status).toBe(200);
  expect((await rafi.ask("/operator/people")).status).toBe(200);
  expect((await change(rafi, "Nadia", "operator")).status).toBe(200);
  expect((await nadia.ask("/operator/people")).status).toBe(403);
});

test("the door leads on to our own pages alone", async () => {
  await site.signInAs("Nadia", "admin");
  for (const to of [
    "https://evil.example/operator",
    "//evil.example",
    "/operator@evil.example",
    "/operator/..//evil.example",
    "/operator/%2e%2e//evil.example",
    "/operator/x/../..//evil.example",
    "/operator/..\\/evil.example",
    "/operator/../faq",
    "/operators",
    "/faq",
  ]) {
    const html = await site.read(`/operator/sign-in?${new URLSearchParams({ to })}`);
    expect(html).not.toContain("evil.example&quot;");
    const [form] = elementsOf(html, "form");
    expect(form?.attributes.action).toBe("/operator/sign-in?to=%2Foperator");
  }
});

test("neither sitemap nor feed nor robots.txt nor llms.txt name the operators' pages", async () => {
  for (const path of ["/sitemap.xml", "/feed.xml", "/robots.txt", "/llms.txt", "/"]) {
    expect(await site.read(path), path).not.toContain("/operator");
  }
});
