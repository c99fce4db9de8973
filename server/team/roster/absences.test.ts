import { expect, test } from "vitest";
import { findUnstaffedDays } from "../../deletion-requests/repository/presence.ts";
import { service, serviceForEachTest } from "../../deletion-requests/test-service.fixture.ts";
import { toFormValues } from "../../platform/forms/form-values.ts";
import { addPasskey } from "../sign-in/passkeys.ts";
import { readAbsence } from "./absences.ts";
import { endOperator, findOperator } from "./operators.ts";

serviceForEachTest();

const day = (date: string) => Temporal.PlainDate.from(date);
const today = day("2026-11-22");

async function idOf(name: string): Promise<number> {
  return (await findOperator(service.database.read, name))?.id ?? 0;
}

const unstaffedDay = async (on = "2026-11-22") =>
  (await findUnstaffedDays(service.database.read, service.calendar, day(on)))?.toString();

test("rejects an absence with invalid, reversed, past or overlong dates", () => {
  for (const [from, until, what] of [
    ["", "2026-12-01", "no-dates"],
    ["2026-02-30", "2026-12-01", "no-dates"],
    ["2026-12-02", "2026-12-01", "backwards"],
    ["2026-11-01", "2026-11-21", "over"],
    ["2026-11-22", "2027-11-22", "too-long"],
  ] as const) {
    const field = what === "no-dates" ? "from" : "until";
    expect(readAbsence(toFormValues({ from, until }), today)).toEqual({
      kind: "wrong",
      wrong: [{ field, what }],
    });
  }
  const alone = toFormValues({ reason: "leave", from: "2026-11-22", until: "2026-11-22" });
  const fields = { reason: "leave", fromOn: today, untilOn: today };
  expect(readAbsence(alone, today)).toEqual({ kind: "read", fields });
});

test("warns if every operator is away today or on a due date", async () => {
  await service.submitConfirmed();
  const left = { id: await idOf("Tuli"), leftAt: service.clock(), address: "" };
  await service.database.write((transaction) => endOperator(transaction, left));
  await service.startAbsence("Nadia", "2026-12-01", "2026-12-10");
  await service.startAbsence("Rahim", "2026-12-01", "2026-12-05");
  expect(await unstaffedDay()).toBeUndefined();
  await service.startAbsence("Rahim", "2026-12-06", "2026-12-08");
  expect(await unstaffedDay()).toBe("2026-12-06");
  service.setClock("2026-12-08T04:00:00Z");
  expect(await unstaffedDay("2026-12-08")).toBe("2026-12-08");
});

test("doesn't count an operator who never signed in as present", async () => {
  await service.submitConfirmed();
  const passkey = { credentialId: "id", publicKey: "key", counter: 0, device: "Phone" };
  const at = { createdAt: service.clock(), usedAt: service.clock() };
  const device = { operatorId: await idOf("Nadia"), ...passkey, ...at };
  await service.database.write((transaction) => addPasskey(transaction, device));
  await service.startAbsence("Nadia", "2026-12-01", "2026-12-10");
  expect(await unstaffedDay()).toBe("2026-12-06");
});
