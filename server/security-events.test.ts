import { expect, test, vi } from "vitest";
import { service, serviceForEachTest } from "./deletion-requests/test-service.fixture.ts";
import { createHealth } from "./health.ts";
import { createSecurityEvents } from "./security-events.ts";
import { createTeam } from "./team/sign-in/membership.ts";
import { createSignIn } from "./team/sign-in/sign-in.ts";

serviceForEachTest();

test("logs refusals and every change of access, but no other acts of operators", async () => {
  const lines: unknown[] = [];
  const enter = (facts: unknown) => lines.push(facts);
  const security = createSecurityEvents({ ...service, log: { info: enter, warn: enter } });
  const publicUrl = "https://rides.example";
  const door = security.watch(createSignIn({ ...service, publicUrl, siteName: "Rides" }));
  const team = createTeam({ ...service, publicUrl });
  const invite = (name: string) =>
    team.invite({ name, address: `${name.toLowerCase()}@uni.example`, admin: true }, "root");
  await invite("Mina");
  await security.follow();
  expect(lines).toEqual([]);

  await door.recover("abcd-efgh-2345");
  await door.signIn("{}", "Chrome Android", undefined);
  await door.welcome("no link of ours");
  await service.desk.enter("Nadia", "backup", "open");
  await invite("Rafi");
  await team.changeRole({ id: 4, role: "operator" }, "root");
  await security.follow();
  await security.follow();
  expect(await readSecuritySign()).toMatchObject({
    says: [
      ["refused", { count: 3 }],
      // The three changes are the invitations of Mina and Rafi, and the change of Mina's role.
      ["changed", { count: 3 }],
      ["newest", { at: service.clock() }],
    ],
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

test("flags a burst of refusals for two days and removes it within a week", async () => {
  vi.spyOn(service.database, "write").mockRejectedValueOnce(new Error("full"));
  const security = createSecurityEvents({ ...service, log: { info() {}, warn() {} } });
  for (let count = 0; count < 49; count++) security.refusedSignature();
  await expect(security.follow()).rejects.toThrow("full");
  security.refusedSignature();
  await security.follow();
  const refusals = ["disbelieved", { count: 50 }];
  for (const [hours, needs, says] of [
    [0, "soon", expect.arrayContaining([refusals])],
    [48, "nothing", expect.arrayContaining([refusals])],
    [24 * 5, "nothing", expect.not.arrayContaining([refusals])],
  ] as const) {
    service.pass({ hours });
    expect(await readSecuritySign()).toMatchObject({ says, needs });
  }
});

async function readSecuritySign() {
  const isErasingHeld = () => false;
  const health = createHealth({ ...service, isErasingHeld, hasAccountSystem: false });
  return (await health.signs()).find(({ kind }) => kind === "security");
}
