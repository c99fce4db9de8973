import { beforeEach, expect, test } from "vitest";
import type { TestService } from "../../deletion-requests/service.fixture.ts";
import { testPublicUrl } from "../../deletion-requests/test-campus.fixture.ts";
import { service, serviceForEachTest } from "../../deletion-requests/test-service.fixture.ts";
import type { Database } from "../../platform/database/database.ts";
import { findOperator, listOperators } from "../roster/operators.ts";
import { createSessions } from "../roster/sessions.ts";
import type { Invitation } from "./membership.ts";
import { createDevice, signInWithNewPasskey } from "./passkey.fixture.ts";
import type { SignIn } from "./sign-in.ts";

const origin = testPublicUrl;
const visitor = "Chrome Android";

let door: SignIn;
let team: TestService["team"];

serviceForEachTest();
beforeEach(() => {
  ({ operators: door, team } = service);
});

const asAdmin = (invitation: Invitation) => team.invite(invitation, "account root");

async function invite(name: string, { admin = false } = {}) {
  const known = await findOperator(service.database.read, name);
  const address = `${name.toLowerCase()}@uni.example`;
  const invited = await asAdmin({ name, address, admin, again: known !== undefined });
  if (invited.kind !== "invited") throw new Error(invited.kind);
  const { kind: _, link, ...facts } = invited;
  return { ...facts, link, token: link.slice(link.indexOf("#") + 1) };
}

async function addDevice(cookie: string) {
  const { link } = await door.linkDevice(await operatorOf(cookie));
  return signInWithNewPasskey(door, link.slice(link.indexOf("#") + 1), { origin });
}

/** Invites an operator, who then enrolls a new device. */
async function enrolled(name: string, { counts = true } = {}) {
  return signInWithNewPasskey(door, (await invite(name)).token, { origin, counts });
}

type Signer = ReturnType<typeof createDevice>;
async function signIn(device: Signer, how?: Parameters<Signer["sign"]>[1], before?: string) {
  const answer = device.sign(door.signInOptions(), how);
  return door.signIn(answer, visitor, await door.findSession(before));
}

async function operatorOf(cookie: string) {
  const found = await door.findSession(cookie);
  if (!found) throw new Error("No operator has this session");
  return found;
}

const refused = (problem: string) => ({ kind: "refused", problem });
const acts = async () =>
  (await service.desk.teamActs(50, null)).acts.map(({ type, name }) => `${name} ${type}`);

test("enrolls one passkey per invitation and issues ten recovery codes", async () => {
  const { cookie, codes, invitation, answer } = await enrolled("Nadia");
  expect(cookie).toMatch(/^__Host-operator=[\w-]{43}; Path=\/; Secure; HttpOnly; SameSite=Lax$/);
  expect((await operatorOf(cookie)).operator).toMatchObject({ name: "Nadia", role: "admin" });
  expect(new Set(codes).size).toBe(10);
  expect(await door.welcome(invitation)).toEqual(refused("invitation-used"));
  expect(await door.enrol(invitation, answer, visitor)).toEqual(refused("invitation-used"));
});

test("expires an invitation after a day or when a newer invitation is issued", async () => {
  const first = await invite("Nadia");
  const second = await invite("Nadia");
  expect(await door.welcome(first.token)).toEqual(refused("invitation-unknown"));
  service.pass({ hours: 23, minutes: 59 });
  expect(await door.welcome(second.token)).toMatchObject({ name: "Nadia" });
  service.pass({ minutes: 1 });
  expect(await door.welcome(second.token)).toEqual(refused("invitation-expired"));
});

test("enrolls only one device if two devices use the same invitation concurrently", async () => {
  const { token } = await invite("Nadia");
  const both = [1, 2].map(() => signInWithNewPasskey(door, token, { origin }));
  const ends = await Promise.allSettled(both);
  expect(ends.map(({ status }) => status).toSorted()).toEqual(["fulfilled", "rejected"]);
});

test("ends an operator's earlier sessions when the operator accepts a new invitation", async () => {
  const { cookie } = await enrolled("Nadia");
  await enrolled("Nadia");
  expect(await door.findSession(cookie)).toBeUndefined();
});

test("rejects an enrollment without user verification or with another invitation's challenge", async () => {
  const rafi = await invite("Rafi");
  const mina = await invite("Mina");
  const welcome = await door.welcome(rafi.token);
  if (welcome.kind !== "welcome") throw new Error(welcome.problem);
  const device = createDevice({ origin });
  const answer = device.make(welcome.options);
  expect(await door.enrol(mina.token, answer, visitor)).toEqual(refused("expired"));
  const touched = device.make(welcome.options, { unrecognised: true });
  expect(await door.enrol(rafi.token, touched, visitor)).toEqual(refused("wrong"));
});

test.each([true, false])(
  "accepts a challenge only once, even after failed recovery attempts (with a signature counter: %s)",
  async (counts) => {
    const { device } = await enrolled("Nadia", { counts });
    for (let attempt = 0; attempt < 100; attempt++) await door.recover("0000-0000-0000-0000");
    const answer = device.sign(door.signInOptions());
    expect(await door.signIn(answer, visitor, undefined)).toMatchObject({ kind: "in" });
    expect(await door.signIn(answer, visitor, undefined)).toEqual(refused("expired"));
  },
);

test("lets an operator add devices and remove all but the last one", async () => {
  const { device, cookie } = await enrolled("Nadia");
  const nadia = await operatorOf(cookie);
  const added = await addDevice(cookie);
  expect(added.codes).toEqual([]);
  expect(await door.enrol(added.invitation, added.answer, visitor)).toEqual(
    refused("invitation-used"),
  );
  const account = { elsewhere: 1, codesLeft: 10, passkeys: [{}, {}] };
  expect(await door.account(nadia)).toMatchObject(account);
  await door.endOtherSessions(nadia);
  expect(await door.account(nadia)).toMatchObject({ elsewhere: 0 });
  const [first, second] = (await door.account(nadia)).passkeys;
  await signIn(device);
  expect(await door.removeDevice(first?.id ?? 0, nadia)).toBeUndefined();
  expect(await door.account(await operatorOf(cookie))).toMatchObject({ elsewhere: 0 });
  expect(await door.removeDevice(second?.id ?? 0, nadia)).toEqual(refused("last-passkey"));
});

test("keeps one passkey if an operator removes two at the same time", async () => {
  const { cookie } = await enrolled("Nadia");
  const nadia = await operatorOf(cookie);
  await addDevice(cookie);
  const { passkeys } = await door.account(nadia);
  const results = await Promise.all(passkeys.map(({ id }) => door.removeDevice(id, nadia)));
  expect(results).toEqual(expect.arrayContaining([undefined, refused("last-passkey")]));
  expect((await door.account(nadia)).passkeys).toHaveLength(1);
});

test("rejects a sign-in that is late, forged, from another site or without user verification", async () => {
  const { device } = await enrolled("Nadia");
  const options = door.signInOptions();
  expect(await signIn(device, { origin: "https://evil.example" })).toEqual(refused("wrong"));
  expect(await signIn(device, { forged: true })).toEqual(refused("wrong"));
  expect(await signIn(device, { unrecognised: true })).toEqual(refused("wrong"));
  service.pass({ minutes: 30 });
  expect(await door.signIn(device.sign(options), visitor, undefined)).toEqual(refused("expired"));
  expect(await door.signIn("nonsense", visitor, undefined)).toEqual(refused("wrong"));
});

test("blocks a passkey and ends its sessions if its counter decreases", async () => {
  const { device, cookie } = await enrolled("Nadia");
  const other = await addDevice(cookie);
  expect(await signIn(device, { counter: 2, forged: true })).toEqual(refused("wrong"));
  expect(await signIn(device, { counter: 10 })).toMatchObject({ kind: "in" });
  expect(await signIn(device, { counter: 5 })).toEqual(refused("doubted"));
  expect(await door.findSession(cookie)).toBeUndefined();
  expect(await signIn(device, { counter: 30 })).toEqual(refused("doubted"));
  expect((await acts()).slice(0, 2)).toEqual(["Nadia passkey-doubted", "Nadia sign-in"]);
  const nadia = await operatorOf(other.cookie);
  const last = (await door.account(nadia)).passkeys.find(({ doubtedAt }) => !doubtedAt);
  expect(await door.removeDevice(last?.id ?? 0, nadia)).toEqual(refused("last-passkey"));
});

test("blocks a passkey that signs in twice at once with the same counter", async () => {
  const { device } = await enrolled("Nadia");
  const answers = await Promise.all([
    signIn(device, { counter: 10 }),
    signIn(device, { counter: 10 }),
  ]);
  expect(answers.map(({ kind }) => kind).sort()).toEqual(["in", "refused"]);
  expect(await signIn(device, { counter: 30 })).toEqual(refused("doubted"));
});

test("treats a session as fresh for five minutes after the passkey is used", async () => {
  const { device, cookie } = await enrolled("Nadia");
  service.pass({ minutes: 4 });
  expect((await operatorOf(cookie)).isFresh).toBe(true);
  service.pass({ minutes: 1 });
  expect((await operatorOf(cookie)).isFresh).toBe(false);
  const touched = await signIn(device, {}, cookie);
  if (touched.kind !== "in") throw new Error(touched.problem);
  expect((await operatorOf(touched.cookie)).isFresh).toBe(true);
  expect(await door.findSession(cookie)).toBeUndefined();
  expect(await acts()).not.toContain("Nadia sign-in");
});

test("ends another operator's session in the same browser on sign-in", async () => {
  const nadia = await enrolled("Nadia");
  const rafi = await enrolled("Rafi");
  await signIn(rafi.device, {}, nadia.cookie);
  expect((await acts())[0]).toBe("Rafi sign-in");
  expect(await door.findSession(nadia.cookie)).toBeUndefined();
});

test("rejects a forged session cookie without a database query", async () => {
  const { cookie } = await enrolled("Rafi");
  const madeUp = cookie.replace(/=./, (start) => (start === "=A" ? "=B" : "=A"));
  const closed = {
    get read(): never {
      throw new Error("Unexpected database query");
    },
  };
  const guard = createSessions({
    clock: service.clock,
    keys: service.keys,
    database: closed as unknown as Database,
  });
  expect(await guard.findSession(madeUp)).toBeUndefined();
  expect(guard.findSpender(madeUp)).toBeUndefined();
  expect(guard.findSpender(cookie)).toMatch(/^session /);
});

test("ends a session after twelve idle hours or a total of seven days", async () => {
  const { cookie: busy } = await enrolled("Rafi");
  for (let hours = 11; hours < 7 * 24; hours += 11) {
    service.pass({ hours: 11 });
    await operatorOf(busy);
  }
  service.pass({ hours: 3 });
  expect(await door.findSession(busy)).toBeUndefined();
  const { cookie: idle } = await enrolled("Nadia");
  for (const hours of [12, 1]) {
    service.pass({ hours });
    expect(await door.findSession(idle)).toBeUndefined();
  }
});

test.each(["Nadia", "nadia", " NADIA ", "Na-dia", "Nádia", "Ｎadia"])(
  "rejects a new operator called %j while Nadia is on the team",
  async (name) => {
    await enrolled("Nadia");
    const stranger = { name, address: "stranger@uni.example", admin: false };
    expect(await asAdmin(stranger)).toEqual({ kind: "name-taken", name: "Nadia" });
  },
);

test("notifies the old address when an invitation changes an operator's email address", async () => {
  await enrolled("Nadia");
  const moved = { name: "nadia", address: "nadia@home.example", admin: false, again: true };
  expect(await asAdmin(moved)).toMatchObject({ kind: "invited", name: "Nadia", role: "admin" });
  await service.round();
  expect(service.newest("operator-moved").to).toBe("nadia@uni.example");
  expect(service.newest("operator-invitation").to).toBe("nadia@home.example");
  expect(await asAdmin({ ...moved, name: "Mina" })).toEqual({ kind: "unknown-operator" });
});

test("removes an operator and revokes all of the operator's access in one transaction", async () => {
  await enrolled("Nadia");
  await enrolled("Mina");
  const left = { left_at: "2026-11-21T04:00:00.000Z" as never };
  await service.kysely.updateTable("operators").set(left).where("name", "=", "Mina").execute();
  const { device, cookie, codes } = await enrolled("Rafi");
  const reference = await service.submitConfirmed();
  await service.take(reference, "Rafi");
  await service.kysely.schema.alterTable("journal").renameTo("gone").execute();
  await expect(team.remove("rafi", "Nadia")).rejects.toThrow();
  await service.kysely.schema.alterTable("gone").renameTo("journal").execute();
  expect((await operatorOf(cookie)).operator.name).toBe("Rafi");
  expect(await team.remove("rafi", "Nadia")).toMatchObject({ handedBack: [reference] });
  const rafi = (await listOperators(service.database.read)).find(({ name }) => name === "Rafi");
  expect(rafi).toMatchObject({ leftAt: service.clock(), address: undefined });
  expect(await door.findSession(cookie)).toBeUndefined();
  expect(await signIn(device)).toEqual(refused("wrong"));
  expect(await door.recover(codes[0] ?? "")).toEqual(refused("code-unknown"));
  const rows = async (table: "operator_passkeys" | "operator_invitations") =>
    (await service.kysely.selectFrom(table).selectAll().execute()).length;
  // Only Nadia's rows remain: one passkey, one link and ten codes.
  expect([await rows("operator_passkeys"), await rows("operator_invitations")]).toEqual([1, 11]);
});

test("accepts a recovery code once and notifies the operator and the admins", async () => {
  await enrolled("Nadia");
  await enrolled("Mina");
  const { cookie, codes } = await enrolled("Rafi");
  const typed = ` ${(codes[2] ?? "").toUpperCase().replaceAll("-", " ")} `;
  service.pass({ hours: 24 * 400 });
  expect(await door.recover(typed)).toEqual({ kind: "open" });
  const back = await signInWithNewPasskey(door, typed, { origin });
  expect(back.codes).toEqual([]);
  expect(await door.findSession(cookie)).toBeUndefined();
  expect(await door.recover(typed)).toEqual(refused("code-unknown"));
  expect(await door.enrol(typed, back.answer, visitor)).toEqual(refused("invitation-used"));
  const account = await door.account(await operatorOf(back.cookie));
  expect(account).toMatchObject({ codesLeft: 9, passkeys: [{}, {}] });
  await door.newCodes(await operatorOf(back.cookie));
  expect(await door.recover(codes[3] ?? "")).toEqual(refused("code-unknown"));
  expect((await acts()).slice(0, 2)).toEqual(["Rafi new-codes", "Rafi recovery"]);
  await service.round();
  const notices = service.sent.filter(({ kind }) => kind === "operator-recovery");
  expect(notices.map(({ to }) => to).toSorted()).toEqual(["nadia@uni.example", "rafi@uni.example"]);
  expect(notices[0]?.message).toMatchObject({ name: "Rafi", device: "Chrome, Android" });
});

test("stores links, codes and session tokens only as hashes", async () => {
  const { cookie, codes, invitation } = await enrolled("Nadia");
  const stored = await service.readFolder();
  const [token = ""] = /[\w-]{43}/.exec(cookie) ?? [];
  for (const secret of [token, invitation, ...codes]) expect(stored).not.toContain(secret);
});

test("keeps at least one admin, even after concurrent changes", async () => {
  const change = async (name: string, role: "operator" | "admin") => {
    const { id = 0 } = (await findOperator(service.database.read, name)) ?? {};
    return team.changeRole({ id, role }, "Nadia");
  };
  expect((await invite("Nadia")).role).toBe("admin");
  expect((await invite("Rafi")).role).toBe("operator");
  await change("Rafi", "admin");
  const both = await Promise.all([change("Nadia", "operator"), change("Rafi", "operator")]);
  expect(both.toSorted()).toEqual(["changed", "last-admin"]);
  for (const name of ["Nadia", "Rafi"]) await change(name, "admin");
  const out = await Promise.all([team.remove("Nadia", "Rafi"), team.remove("Rafi", "Nadia")]);
  expect(out.filter((result) => result === "last-admin")).toHaveLength(1);
});
