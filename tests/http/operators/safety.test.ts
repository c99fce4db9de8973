import { brotliDecompressSync } from "node:zlib";
import { afterAll, beforeAll, beforeEach, expect, test, vi } from "vitest";
import routes from "../../../app/routes.ts";
import { hashToken } from "../../../server/platform/crypto/keys.ts";
import { addressIn, campus, missingPaths, say } from "../../harness/campus.ts";
import { elementsOf, textOf } from "../../harness/html.ts";
import type { Operator } from "../../harness/site-of-each-test.ts";
import { openTestSite, type TestSite } from "../../harness/test-site.ts";

// Access to the operator pages. The tests iterate over the route table, so they cover new pages
// automatically.

const table = routes
  .flatMap(({ file, path, children }) =>
    children ? children.map((child) => ({ ...child, layout: file })) : [{ file, path, layout: "" }],
  )
  .map(({ path = "", layout }) => ({
    path: `/${path.replace(":id", "1")}`,
    guarded: layout.endsWith("desk-layout.tsx"),
  }))
  .filter(({ path }) => path.startsWith("/operator"));
const all = table.map(({ path }) => path);
const adminsOnly = ["/operator/people", "/operator/history", "/operator/hand-over"];
const guarded = table.filter((row) => row.guarded).map(({ path }) => path);

let site: TestSite;
let nadia: Operator;
beforeAll(async () => {
  site = await openTestSite();
});
beforeEach(async () => {
  nadia = await site.signInAs("Nadia", "admin");
});
afterAll(() => site[Symbol.asyncDispose]());

test("guards all operator pages except sign-in and enrollment", () => {
  const open = all.filter((path) => !guarded.includes(path));
  expect(open).toEqual(["/operator/sign-in", "/operator/enrol"]);
});

test("hides every operator page before the first invitation", async () => {
  await using fresh = await openTestSite();
  const nowhere = await fresh.ask(missingPaths[0] ?? "/nowhere");
  const html = await nowhere.text();
  const headersOf = ({ headers }: Response) => ({
    ...Object.fromEntries(headers),
    "x-request-id": "",
  });
  for (const path of all) {
    const response = await fresh.ask(path);
    expect(response.status, path).toBe(404);
    expect(headersOf(response), path).toEqual(headersOf(nowhere));
    expect(await response.text(), path).toBe(html);
    const posted = await fresh.post(path, { act: "take" });
    expect([posted.status, posted.headers.get("allow")], path).toEqual([405, "GET, HEAD"]);
  }
});

test.each(guarded)("redirects a signed-out visitor from %s to the sign-in page", async (path) => {
  const response = await site.ask(path);
  expect(response.status).toBe(303);
  const door = `/operator/sign-in?${new URLSearchParams({ to: path })}`;
  expect(response.headers.get("location")).toBe(door);
  expect(await response.text()).toBe("");
  expect([307, 405]).toContain((await site.post(path, { act: "take" })).status);
  expect((await site.ask(`${path}.data`)).status).toBe(404);
});

test("keeps the page's language when redirecting to sign-in", async () => {
  const wanted = addressIn("bn", "/operator/me?done=1");
  const location = (await site.ask(wanted)).headers.get("location") ?? "";
  expect(location).toBe(`/bn/operator/sign-in?${new URLSearchParams({ to: wanted })}`);
  const html = await site.read(location);
  expect(html).toContain('<html lang="bn"');
  expect(elementsOf(html, "form").map(({ attributes }) => attributes.action)).toContain(location);
});

test.each(adminsOnly)("hides %s from operators who aren't admins", async (path) => {
  const rafi = await site.signInAs("Rafi");
  const response = await rafi.ask(path);
  expect(response.status).toBe(403);
  expect(await response.text()).not.toContain("Nadia");
});

test.each(all)("serves %s uncached, within 20 KB, with one script", async (path) => {
  const options = { headers: { "Accept-Encoding": "br" } };
  for (const response of [
    await nadia.ask(path, options),
    await nadia.ask(addressIn("bn", path), options),
    await site.ask(path, options),
  ]) {
    expect(response.status).toBeLessThan(500);
    expect(response.headers.get("cache-control")).toBe("no-store, no-transform");
    expect(response.headers.get("x-robots-tag")).toContain("noindex");
    expect(response.headers.get("etag")).toBeNull();
    expect(response.headers.get("referrer-policy")).toBe("same-origin");
    if (!response.headers.get("content-type")?.startsWith("text/html")) continue;
    const policy = response.headers.get("content-security-policy") ?? "";
    expect(policy).not.toMatch(/unsafe|\*|http:|data:/);
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("script-src 'self';");
    const body = Buffer.from(await response.arrayBuffer());
    expect(body.byteLength).toBeLessThanOrEqual(20_000);
    const html = brotliDecompressSync(body).toString();
    const [script = "", ...more] = elementsOf(html, "script").map(({ attributes: { src } }) => src);
    expect([script, more]).toEqual([expect.stringMatching(/^\/assets\/operator\.script-/), []]);
    expect((await site.read(script)).length).toBeLessThan(40_000);
    expect(html).not.toMatch(/<[a-z][^>]*\s(style|on[a-z]+)="/);
  }
});

test.each(all)("reads the session once per request to %s", async (path) => {
  const [, token = ""] = nadia.cookie.split("=");
  const read = vi.spyOn(site.database.read, "all");
  const isThere = vi.spyOn(site.services.operators, "isThere");
  for (const ask of [nadia.ask, nadia.post]) {
    read.mockClear();
    await ask(path, {});
    const calls = read.mock.calls.map((call) => JSON.stringify(call));
    expect(calls.filter((values) => values.includes(hashToken(token)))).toHaveLength(1);
  }
  expect(isThere).not.toHaveBeenCalled();
});

const invitation = { act: "invite", name: "Eve", address: "eve@uni.example" };
const team = async () => (await site.services.team.list()).map(({ name }) => name);

test("rejects a form with a foreign or missing Origin header", async () => {
  const sent = { method: "POST", body: new URLSearchParams({ ...invitation, name: "Mallory" }) };
  for (const headers of [{ Origin: "https://evil.example" }, undefined]) {
    const options = { ...sent, headers: { Cookie: nadia.cookie, ...headers } };
    expect((await site.ask("/operator/people", options)).status).toBe(403);
  }
  expect(await team()).not.toContain("Mallory");
});

test.each([
  ["/operator/people", { act: "remove" }],
  ["/operator/me", { act: "new-codes" }],
  ["/operator/subject", { address: "eve@uni.example" }],
  ["/operator/requests/2222-2222", { act: "complete" }],
  ["/operator/requests/2222-2222", { act: "refuse" }],
  ["/operator", { act: "complete", r: "2222-2222" }],
])("asks for a passkey and keeps the values of a form sent to %s: %j", async (path, typed) => {
  site.wait({ minutes: 6 });
  const response = await nadia.post(path, typed);
  expect(response.status).toBe(307);
  const door = response.headers.get("location") ?? "";
  for (const sent of [typed, { ...typed, passkey: "another one's" }]) {
    const denied = await nadia.post(door, sent);
    expect(denied.status).toBe(401);
    const [form] = elementsOf(await denied.text(), "form");
    const hidden = elementsOf(form?.html ?? "", "input").map(({ attributes }) => attributes);
    const values = hidden.map(({ name, value = "" }) => [name, value]);
    expect(Object.fromEntries(values)).toEqual({ ...typed, passkey: "" });
  }
});

test("rejects an invitation with an invalid name or address", async () => {
  const { invite } = campus.operator.people;
  for (const [name, typed, problem] of [
    ["name", "?", invite.nameProblem],
    ["address", "home", campus.operator.desk.problems.email],
    ["name", "NÁDIA", say(invite.nameTaken, { name: "Nadia" })],
  ] as const) {
    const answer = await nadia.post("/operator/people", { ...invitation, [name]: typed });
    const html = await answer.text();
    const [field] = elementsOf(html, "input", { id: name });
    expect(field?.attributes).toMatchObject({ "aria-describedby": `${name}-problem` });
    const [message] = elementsOf(html, "p", { id: `${name}-problem` });
    expect([answer.status, textOf(message?.html ?? "")]).toEqual([422, problem]);
  }
  const again = { act: "invite", again: "1", name: "Nadia", address: "n@home.example" };
  expect(await (await nadia.post("/operator/people", again)).text()).toContain("/operator/enrol#");
});

test("invites a new member without logging the invitation link", async () => {
  const html = await (await nadia.post("/operator/people", invitation)).text();
  expect(await team()).toContain("Eve");
  const [, token = "none"] = /\/operator\/enrol#([\w-]{43})/.exec(html) ?? [];
  const welcome = await site.post("/operator/enrol", { invitation: token });
  expect(await welcome.text()).toContain("Eve");
  expect(site.logLines.join("")).not.toContain(token);
});

test("handles control characters in any URL or field without an error", async () => {
  const names = "account address code explanation invitation name note reason reference search";
  const fields = {
    ...Object.fromEntries(names.split(" ").map((name) => [name, "a\u0000b"])),
    passkey: JSON.stringify({ id: "a\u0000b", response: { clientDataJSON: "\u0000" } }),
  };
  for (const path of [...all, "/operator/requests/a%00b"]) {
    await nadia.ask(`${path}?to=%00&told=%00&of=%00&r=%00&show=%00&after=%00&before=%00`);
    for (const act of ["invite", "note", "refuse", "later"])
      await nadia.post(path, { ...fields, act });
    await site.post(path, fields);
  }
  expect(site.faults).toEqual([]);
});

test("links to Today when a signed-in member reloads the recovery codes page", async () => {
  expect(await nadia.read("/operator/enrol")).toContain(campus.operator.frame.fault.today);
  expect(textOf(await site.read("/operator/enrol"))).toContain(campus.operator.door.enrol.noLink);
});

test("keeps a rejected recovery code in its field", async () => {
  const html = await (await site.post("/operator/sign-in", { code: "abcd-1234" })).text();
  const [code] = elementsOf(html, "input", { id: "code" });
  expect(code?.attributes).toMatchObject({ value: "abcd-1234", "aria-invalid": "true" });
});

test("lets admins change roles but keeps at least one admin", async () => {
  const rafi = await site.signInAs("Rafi");
  const operators = await site.services.team.list();
  const change = async (who: Operator, name: string, role: string) => {
    const id = String(operators.find((operator) => operator.name === name)?.id);
    return (await who.post("/operator/people", { act: "role", id, role })).status;
  };
  expect(await change(rafi, "Rafi", "admin")).toBe(403);
  expect(await change(nadia, "Nadia", "operator")).toBe(422);
  expect(await change(nadia, "Rafi", "admin")).toBe(200);
  expect(await change(rafi, "Nadia", "operator")).toBe(200);
  expect((await nadia.ask("/operator/people")).status).toBe(403);
});

test("redirects only to operator pages after sign-in", async () => {
  await site.signInAs("Nadia", "admin");
  for (const to of [
    "https://evil.example/operator",
    "//evil.example",
    "/operator@evil.example",
    "/operator/..//evil.example",
    "/operator/%2e%2e//evil.example",
    "/operator/..\\/evil.example",
    "/operator/../faq",
    "/operators",
  ]) {
    const html = await site.read(`/operator/sign-in?${new URLSearchParams({ to })}`);
    const [form] = elementsOf(html, "form");
    expect(form?.attributes.action).toBe("/operator/sign-in?to=%2Foperator");
  }
});
