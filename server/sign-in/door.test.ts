import { beforeEach, describe, expect, test } from "vitest";
import { office, openOfficeForEachTest } from "../deletion-requests/office-of-each-test.fixture.ts";
import { findOperator, listOperators } from "../operators/operators.ts";
import { createOperatorDoor } from "./door.ts";
import { comeIn, createDevice } from "./passkey.fixture.ts";
import { createTeam, type Invitation } from "./team.ts";

const origin = "https://rides.example";
const visitor = "Chrome Android";

let door: ReturnType<typeof createOperatorDoor>;
let team: ReturnType<typeof createTeam>;

openOfficeForEachTest();
beforeEach(() => {
  door = createOperatorDoor({ ...office, publicUrl: origin, siteName: "Rides" });
  team = createTeam({ ...office, publicUrl: origin });
});

const asAdmin = (invitation: Invitation) => team.invite(invitation, "account root");

async function invite(name: string, admin = false) {
  const known = await findOperator(office.database.read, name);
  const address = `${name.toLowerCase()}@uni.example`;
  const invited = await asAdmin({ name, address, admin, again: known !== undefined });
  if (invited.kind !== "invited") throw new Error(invited.kind);
  const { kind: _, link, ...facts } = invited;
  return { ...facts, link, token: link.slice(link.indexOf("#") + 1) };
}

/** Somebody with a device of their own, who has just come in. */
async function enrolled(name: string, counts = true) {
  return comeIn(door, (await invite(name)).token, { origin, counts });
}

type Signer = ReturnType<typeof createDevice>;
const signIn = (device: Signer, how?: Parameters<Signer["sign"]>[1], before?: string) =>
  door.signIn(device.sign(door.signInOptions(), how), visitor, before);

async function whoHas(token: string) {
  const found = await door.findSession(token);
  if (!found) throw new Error("Nobody has this session");
  return found;
}

const refused = (problem: string) => ({ kind: "refused", problem });
const acts = async () => (await office.desk.journal(50)).map(({ act, name }) => `${name} ${act}`);

describe("an invitation", () => {
  test("lets somebody in once, with ten codes; a second time it is refused", async () => {
    const { token, codes, invitation, answer } = await enrolled("Nadia");
    expect((await whoHas(token)).operator).toMatchObject({ name: "Nadia", role: "admin" });
    expect(new Set(codes).size).toBe(10);
    expect(await door.welcome(invitation)).toEqual(refused("invitation-used"));
    expect(await door.enrol(invitation, answer, visitor)).toEqual(refused("invitation-used"));
  });

  test("is good for a day, and replaced by the next one", async () => {
    const first = await invite("Nadia");
    const second = await invite("Nadia");
    expect(await door.welcome(first.token)).toEqual(refused("invitation-unknown"));
    office.pass({ hours: 23, minutes: 59 });
    expect(await door.welcome(second.token)).toMatchObject({ name: "Nadia" });
    office.pass({ minutes: 1 });
    expect(await door.welcome(second.token)).toEqual(refused("invitation-expired"));
  });

  test("is mailed to its person alone, and the token stands in no row of the store", async () => {
    const { link, token } = await invite("Nadia");
    const rows = await office.kysely.selectFrom("outbox").selectAll().execute();
    expect(JSON.stringify(rows)).not.toContain(token);
    await office.round();
    const { letter } = office.newest("operator-invitation");
    expect(letter.to).toBe("nadia@uni.example");
    expect(letter.text).toContain(link);
  });

  test("makes the first one an admin, later ones only where that was meant", async () => {
    expect((await invite("Nadia")).role).toBe("admin");
    expect((await invite("Rafi")).role).toBe("operator");
    expect((await invite("Mina", true)).role).toBe("admin");
  });

  test("cannot be answered with what another one's device was asked", async () => {
    const rafi = await invite("Rafi");
    const mina = await invite("Mina");
    const welcome = await door.welcome(rafi.token);
    if (welcome.kind !== "welcome") throw new Error(welcome.problem);
    const answer = createDevice({ origin }).make(welcome.options);
    expect(await door.enrol(mina.token, answer, visitor)).toEqual(refused("expired"));
  });
});

describe("an answer of a passkey", () => {
  test.each([true, false])(
    "signs in once; sent again it is refused (counts: %s)",
    async (counts) => {
      const { device } = await enrolled("Nadia", counts);
      const answer = device.sign(door.signInOptions());
      expect(await door.signIn(answer, visitor, undefined)).toMatchObject({ kind: "in" });
      expect(await door.signIn(answer, visitor, undefined)).toEqual(refused("expired"));
    },
  );

  test("adds a device by a link of one's own, once, and leaves the others and their sessions", async () => {
    const nadia = await whoHas((await enrolled("Nadia")).token);
    const { link } = await door.linkDevice(nadia);
    const added = await comeIn(door, link.slice(link.indexOf("#") + 1), { origin });
    expect(added.codes).toEqual([]);
    expect(await door.enrol(added.invitation, added.answer, visitor)).toEqual(
      refused("invitation-used"),
    );
    const account = { elsewhere: 1, codesLeft: 10, passkeys: [{}, {}] };
    expect(await door.account(nadia)).toMatchObject(account);
    await door.endOtherSessions(nadia);
    expect(await door.account(nadia)).toMatchObject({ elsewhere: 0 });
  });

  test("is worth nothing late, from another site or forged", async () => {
    const { device } = await enrolled("Nadia");
    const options = door.signInOptions();
    expect(await signIn(device, { origin: "https://evil.example" })).toEqual(refused("wrong"));
    expect(await signIn(device, { forged: true })).toEqual(refused("wrong"));
    office.pass({ minutes: 30 });
    expect(await door.signIn(device.sign(options), visitor, undefined)).toEqual(refused("expired"));
    expect(await door.signIn("nonsense", visitor, undefined)).toEqual(refused("wrong"));
  });

  test("whose counter went back opens nothing any more, as the history says; a forged one closes none", async () => {
    const { device } = await enrolled("Nadia");
    expect(await signIn(device, { counter: 2, forged: true })).toEqual(refused("wrong"));
    expect(await signIn(device, { counter: 10 })).toMatchObject({ kind: "in" });
    expect(await signIn(device, { counter: 5 })).toEqual(refused("doubted"));
    expect(await signIn(device, { counter: 30 })).toEqual(refused("doubted"));
    expect((await acts()).slice(0, 2)).toEqual(["Nadia passkey-doubted", "Nadia sign-in"]);
  });
});

describe("a session", () => {
  test("is fresh for five minutes; whoever touches their passkey once more has a new one", async () => {
    const { device, token } = await enrolled("Nadia");
    expect(door.isFresh(await whoHas(token))).toBe(true);
    office.pass({ minutes: 5 });
    expect(door.isFresh(await whoHas(token))).toBe(false);
    const touched = await signIn(device, {}, token);
    if (touched.kind !== "in") throw new Error(touched.problem);
    expect(door.isFresh(await whoHas(touched.token))).toBe(true);
    expect(await door.findSession(token)).toBeUndefined();
    expect(await acts()).not.toContain("Nadia sign-in");
  });

  test("ends after twelve idle hours, and after seven days however busy", async () => {
    const { token: busy } = await enrolled("Rafi");
    for (let hours = 11; hours < 7 * 24; hours += 11) {
      office.pass({ hours: 11 });
      await whoHas(busy);
    }
    office.pass({ hours: 3 });
    expect(await door.findSession(busy)).toBeUndefined();
    const { token: idle } = await enrolled("Nadia");
    office.pass({ hours: 12 });
    expect(await door.findSession(idle)).toBeUndefined();
  });

  test.each(["Nadia", "nadia", " NADIA ", "Na-dia", "Nádia", "Ｎadia"])(
    "to %j is none to Nadia, who stays who she is",
    async (name) => {
      await enrolled("Nadia");
      const before = await listOperators(office.database.read);
      const stranger = { name, address: "stranger@uni.example", admin: false };
      expect(await asAdmin(stranger)).toEqual({ kind: "name-taken", name: "Nadia" });
      expect(await listOperators(office.database.read)).toEqual(before);
    },
  );

  test("once more at another address is told to the address that it had, and takes no role away", async () => {
    await enrolled("Nadia");
    const moved = { name: "nadia", address: "nadia@home.example", admin: false, again: true };
    expect(await asAdmin(moved)).toMatchObject({ kind: "invited", name: "Nadia", role: "admin" });
    await office.round();
    expect(office.newest("operator-moved").to).toBe("nadia@uni.example");
    expect(office.newest("operator-invitation").to).toBe("nadia@home.example");
    expect(await asAdmin({ ...moved, name: "Mina" })).toEqual({ kind: "nobody" });
  });

  test("of a removed operator is over at once, and no passkey or code of theirs opens anything", async () => {
    await enrolled("Nadia");
    const { device, token, codes } = await enrolled("Rafi");
    await team.remove("rafi", "Nadia");
    const rafi = (await listOperators(office.database.read)).find(({ name }) => name === "Rafi");
    expect(rafi).toMatchObject({ leftAt: office.clock(), address: undefined });
    expect(await door.findSession(token)).toBeUndefined();
    expect(await signIn(device)).toEqual(refused("wrong"));
    expect(await door.recover(codes[0] ?? "")).toEqual(refused("code-unknown"));
  });
});

describe("a recovery code", () => {
  test("makes a new passkey once, however it is typed, ends every session, and is told to the admins and to whose it is", async () => {
    await enrolled("Nadia");
    await enrolled("Mina");
    const { token, codes } = await enrolled("Rafi");
    const typed = ` ${(codes[2] ?? "").toUpperCase().replaceAll("-", " ")} `;
    office.pass({ hours: 24 * 400 });
    expect(await door.recover(typed)).toEqual({ kind: "open" });
    const back = await comeIn(door, typed, { origin });
    expect(back.codes).toEqual([]);
    expect(await door.findSession(token)).toBeUndefined();
    expect(await door.recover(typed)).toEqual(refused("code-unknown"));
    expect(await door.enrol(typed, back.answer, visitor)).toEqual(refused("invitation-used"));
    const account = await door.account(await whoHas(back.token));
    expect(account).toMatchObject({ codesLeft: 9, passkeys: [{}, {}] });
    expect((await acts())[0]).toBe("Rafi recovery");
    await office.round();
    const told = office.sent.filter(({ kind }) => kind === "operator-recovery");
    expect(told.map(({ to }) => to).toSorted()).toEqual(["nadia@uni.example", "rafi@uni.example"]);
    expect(told[0]?.message).toMatchObject({ name: "Rafi", device: "Chrome, Android" });
  });

  test("stands nowhere in the store, and new ones replace all", async () => {
    const { token, codes } = await enrolled("Nadia");
    const rows = await office.kysely.selectFrom("operator_invitations").selectAll().execute();
    for (const code of codes) expect(JSON.stringify(rows)).not.toContain(code);
    const sessions = await office.kysely.selectFrom("operator_sessions").selectAll().execute();
    expect(JSON.stringify(sessions)).not.toContain(token);
    await door.newCodes(await whoHas(token));
    expect(await door.recover(codes[0] ?? "")).toEqual(refused("code-unknown"));
  });
});

test("whatever strangers at the same address try, the right passkey opens the door", async () => {
  const { device } = await enrolled("Nadia");
  for (let attempt = 0; attempt < 100; attempt++) {
    expect(await door.recover("0000-0000-0000-0000")).toEqual(refused("code-unknown"));
  }
  expect(await signIn(device)).toMatchObject({ kind: "in" });
});

test("the last passkey that opens anything cannot be taken away", async () => {
  const nadia = await whoHas((await enrolled("Nadia")).token);
  const [only] = (await door.account(nadia)).passkeys;
  expect(await door.removeDevice(only?.id ?? 0, nadia)).toEqual(refused("last-passkey"));
});

test("an act of one's own account that is pressed twice at once is entered once", async () => {
  const nadia = await whoHas((await enrolled("Nadia")).token);
  const days = { reason: "exams", from: "2026-11-24", until: "2026-11-26" };
  await door.goAway(days, nadia);
  const [away] = (await door.account(nadia)).absences;
  const press = () => door.comeBack(away?.id ?? 0, nadia);
  await Promise.all([press(), press()]);
  expect((await acts()).filter((act) => act === "Nadia away-end")).toHaveLength(1);
});

test("the last admin stays one, also where two end each other's role at once", async () => {
  const change = async (name: string, role: "operator" | "admin") => {
    const everybody = await listOperators(office.database.read);
    const id = everybody.find((one) => one.name === name)?.id ?? 0;
    return team.changeRole({ id, role }, "Nadia");
  };
  await enrolled("Nadia");
  await enrolled("Rafi");
  await change("Rafi", "admin");
  const both = await Promise.all([change("Nadia", "operator"), change("Rafi", "operator")]);
  expect(both.toSorted()).toEqual(["changed", "last-admin"]);
  expect((await office.desk.journal(2)).map(({ about }) => about)).toContain("Rafi: admin");
});
