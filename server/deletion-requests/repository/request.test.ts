import { expect, test } from "vitest";
import { service, serviceForEachTest } from "../test-service.fixture.ts";

serviceForEachTest();

test.each([
  ["received", { expires_at: null }, "expiresAt is missing"],
  ["received", { email: "" }, "email is missing"],
  ["received", { state: "confirmed" }, "confirmedAt is missing"],
  ["received", { state: "sleeping" }, "confirmedAt is missing"],
  ["confirmed", { due_on: null }, "dueOn is missing"],
  ["confirmed", { state: "in-progress" }, "startedAt is missing"],
  ["confirmed", { state: "completed" }, "endedAt is missing"],
  ["confirmed", { state: "sleeping", ended_at: "2026-11-22T04:00:00.000Z" }, "unknown code"],
  ["confirmed", { state: "refused", ended_at: "2026-11-22T04:00:00.000Z" }, "unknown code"],
  ["confirmed", { reason: "boredom" }, "unknown code"],
])("rejects a row with a missing or unknown value: %s with %j", async (state, change, reason) => {
  const reference =
    state === "received" ? (await service.submit()).reference : await service.submitConfirmed();
  await service.kysely.updateTable("requests").set(change).execute();
  await expect(service.desk.find(reference)).rejects.toThrow(
    `Row 1 of requests is invalid: ${reason}`,
  );
});
