import { describe, expect, test } from "vitest";
import { runOnRestored } from "../../server/cli/restore.ts";
import { paths } from "../../server/platform/http/paths.ts";
import {
  fetchesEvents,
  replaceScenario,
  scenario,
  scenarioForEachTest,
} from "../harness/account-scenario.ts";
import { filledForm } from "../harness/deletion-form.ts";

/**
 * After a restore from a backup, the site exchanges no messages with the account system until an
 * operator confirms the restore.
 */

scenarioForEachTest();

/**
 * Hands over a request, marks the store as restored from a backup, confirms a second request, and
 * waits for ten days.
 */
async function putBack() {
  const { reference } = await scenario.confirmed("anika");
  const email = "kabir.hossain@uni.example";
  await scenario.site.post(paths.deletionRequests, filledForm({ email }));
  const link = await scenario.linkTo(email);
  await scenario.putBackCopy();
  scenario.site.wait({ minutes: 1 });
  await scenario.press("confirm", link);
  await scenario.pass({ hours: 24 }, 10);
  return { reference, late: (await scenario.desk.lookUp(email))[0]?.reference };
}

describe("the account system after a restore", () => {
  test("sends no events and accepts no answers until an operator confirms the restore", async () => {
    const { reference, late } = await putBack();
    expect(scenario.receiver.received).toHaveLength(1);
    const { id } = scenario.receiver.newest("requested").event.data;

    const call = { id: "msg_of_the_account_system" };
    const refused = await scenario.answer("started", { id }, call);
    expect(refused).toMatchObject({ status: 503, body: { status: 503 } });
    expect(refused.body.type).toMatch(/#held$/);
    expect(refused.headers.get("content-type")).toBe("application/problem+json");
    expect(refused.headers.get("retry-after")).toBe("600");
    expect(await scenario.state(reference)).toBe("confirmed");
    // Unsigned calls must not reveal that a restore is in progress.
    expect(await scenario.call({ headers: {}, body: "{}" })).toMatchObject({ status: 401 });

    await scenario.confirmCopy();
    const references = scenario.receiver.received.map(({ event }) => event.data.reference);
    expect(references).toContain(late);
    expect(references.filter((candidate) => candidate === reference)).toHaveLength(2);
    expect(scenario.receiver.newest("standing").event.data).toEqual({ id, reference, test: false });
    expect(await scenario.answer("started", { id }, call)).toMatchObject({
      status: 409,
      body: { because: "put-back" },
    });
    await scenario.answer("standing", { id, state: "open" });
    await scenario.pass({ hours: 25 });
    expect(scenario.receiver.newest("requested", reference).event.data.id).toBe(id);
    expect(await scenario.accepted("started", { id })).toBe("in-progress");
  });

  const recheckCount = (id: unknown) =>
    scenario.receiver.received.filter(
      ({ event }) => event.data.id === id && event.type === "account.deletion.requested",
    ).length;

  test("resends a request only after the grace period", async () => {
    const { reference } = await putBack();
    const { id } = scenario.receiver.newest("requested").event.data;
    await scenario.confirmCopy();
    await scenario.accepted("standing", { id, state: "open" });
    await scenario.pass({ hours: 1 }, 23);
    expect(recheckCount(id)).toBe(1);
    expect(await scenario.refused("started", { id })).toBe("put-back");
    expect(await scenario.desk.act(reference, { type: "hand-over" }, "Nadia")).toMatchObject({
      refusal: "after-restore",
    });
    await scenario.pass({ hours: 1 }, 3);
    expect(recheckCount(id)).toBe(2);
  });

  test("doesn't resend a request that the requester cancels through the restore email", async () => {
    const { reference } = await putBack();
    const { id } = scenario.receiver.newest("requested").event.data;
    await scenario.confirmCopy();
    await scenario.accepted("standing", { id, state: "open" });
    await scenario.press("cancel", await scenario.linkTo("anika.rahman@uni.example"));
    await scenario.pass({ hours: 26 });
    expect(await scenario.state(reference)).toBe("cancelled");
    expect(recheckCount(id)).toBe(1);
  });

  test("lists an unknown request that the account system reports", async () => {
    await putBack();
    await scenario.confirmCopy();
    const id = "del_AAAAAAAAAAAAAAAAAAAA";
    expect(await scenario.answer("started", { id })).toMatchObject({ status: 404 });
    expect(await scenario.command("lost")).toMatchObject({
      code: 3,
      out: expect.stringMatching(`${id} +NOT KNOWN HERE, started`),
    });
    expect((await runOnRestored(["show"], scenario.site.foundation)).out).toContain(
      "The account system names 1 request that this database doesn't have",
    );
    expect(await scenario.command("found", id, "--as", "Nadia")).toMatchObject({ code: 0 });
    expect(await scenario.command("lost")).toMatchObject({ code: 0 });
  });

  test("keeps what the account system said about an unknown request when an operator adds its id", async () => {
    await putBack();
    await scenario.confirmCopy();
    const id = "del_AAAAAAAAAAAAAAAAAAAA";
    await scenario.answer("started", { id });
    expect((await scenario.command("lost", id)).out).toMatch(
      new RegExp(`${id} +NOT KNOWN HERE, started`),
    );
  });

  test("doesn't resend a request that was cancelled after the backup", async () => {
    const { reference } = await putBack();
    const { id } = scenario.receiver.newest("requested").event.data;
    await scenario.confirmCopy();
    const countRequests = () =>
      scenario.receiver.received.filter(
        ({ event }) => event.data.id === id && event.type === "account.deletion.requested",
      ).length;
    await scenario.accepted("standing", { id, state: "cancelled" });
    await scenario.pass({ hours: 24 }, 3);
    expect(countRequests()).toBe(1);
    const mails = scenario.mail.received.filter(({ mail }) => mail.text?.includes(reference));
    expect(mails.some(({ mail }) => /cancelled\s+before the\s+restore/.test(mail.text ?? ""))).toBe(
      true,
    );
    await scenario.pass({ hours: 26 });
    await scenario.desk.act(reference, { type: "hand-over" }, "Nadia");
    await scenario.site.rounds.runOnce();
    expect(countRequests()).toBe(2);
    const story = await scenario.desk.readDetail(reference);
    expect(story?.events.at(-1)).toMatchObject({ type: "hand-over", name: "Nadia" });
  });

  test('completes a restored request when the account system answers "completed"', async () => {
    const { reference } = await putBack();
    const answer = scenario.deleted();
    await scenario.confirmCopy();
    await scenario.accepted("completed", answer);
    await scenario.pass({ minutes: 11 });
    expect(await scenario.state(reference)).toBe("completed");
  });

  test('gets one "standing" event for a request awaiting a retry', async () => {
    await scenario.started("anika");
    await scenario.accepted("failed", {
      id: scenario.idOf(),
      reason: "The table is locked.",
      again: true,
    });
    await scenario.putBackCopy();
    await scenario.confirmCopy();
    for (const minutes of [61, 1, 1]) {
      await scenario.pass({ minutes });
    }
    expect(scenario.receivedTypes().filter((type) => type === "standing")).toHaveLength(1);
  });
});

test("returns no events to a polling account system until the restore is confirmed", async () => {
  await replaceScenario(fetchesEvents);
  const { late } = await putBack();
  expect((await scenario.fetchEvents()).items).toEqual([]);
  await scenario.confirmCopy();
  const { items } = await scenario.fetchEvents();
  expect(items.map(({ event }) => event.data.reference)).toContain(late);
});
