import { afterEach, beforeEach, expect, test } from "vitest";
import { openOffice } from "./deletion-requests/office.fixture.ts";
import { createSecurityEvents } from "./security-events.ts";
import { createOperatorDoor } from "./sign-in/door.ts";
import { changeRole, inviteOperator } from "./sign-in/team.ts";
import { createVitalSigns } from "./vital-signs.ts";

let office: Awaited<ReturnType<typeof openOffice>>;
beforeEach(async () => {
  office = await openOffice();
});
afterEach(() => office.close());

test("the log says who was refused, and every change of who may come in, and nothing else of anybody", async () => {
  const lines: unknown[] = [];
  const enter = (facts: unknown) => lines.push(facts);
  const security = createSecurityEvents({ ...office, log: { info: enter, warn: enter } });
  const publicUrl = "https://rides.example";
  const door = security.watch(createOperatorDoor({ ...office, publicUrl, siteName: "Rides" }));
  const invite = (name: string) => {
    const address = `${name.toLowerCase()}@uni.example`;
    return inviteOperator({ ...office, publicUrl }, { name, address, keeper: true }, "root");
  };
  await invite("Mina");
  await security.follow();
  expect(lines).toEqual([]);

  const visitor = { userAgent: "Chrome Android" };
  await door.recover("abcd-efgh-2345", visitor);
  await door.signIn("{}", visitor, undefined);
  await door.welcome("no link of ours");
  await office.desk.enter("Nadia", "export", "open");
  await invite("Rafi");
  await changeRole(office, { id: 4, role: "operator" }, "root");
  await security.follow();
  await security.follow();
  const signs = createVitalSigns({
    ...office,
    dataDir: office.folder,
    isErasingHeld: () => false,
    hasAccountSystem: false,
  });
  expect((await signs()).find(({ kind }) => kind === "security")).toEqual({
    kind: "security",
    signIns: 3,
    signatures: 0,
    // Mina and Rafi are invited, and Mina's role is another.
    changes: 3,
    newestAt: office.clock(),
    needs: "nothing",
  });
  expect(lines).toEqual([
    { event: "security", act: "recovery", problem: "code-unknown" },
    { event: "security", act: "sign-in", problem: "wrong" },
    { event: "security", act: "invitation", problem: "invitation-unknown" },
    { event: "security", act: "invite", name: "root", about: "Rafi" },
    { event: "security", act: "change-role", name: "root", about: "Mina: operator" },
  ]);
});

test("many refusals in a day show on Health for two days, and none for longer than a week", async () => {
  const security = createSecurityEvents({ ...office, log: { info() {}, warn() {} } });
  for (let count = 0; count < 50; count++) security.refusedSignature();
  await security.follow();
  const look = async () => {
    const signs = createVitalSigns({
      ...office,
      dataDir: office.folder,
      isErasingHeld: () => false,
      hasAccountSystem: false,
    });
    return (await signs()).find(({ kind }) => kind === "security");
  };
  expect(await look()).toMatchObject({ signatures: 50, needs: "soon" });
  office.pass({ hours: 48 });
  expect(await look()).toMatchObject({ signatures: 50, needs: "nothing" });
  office.pass({ hours: 24 * 5 });
  expect(await look()).toMatchObject({ signatures: 0, needs: "nothing" });
});
