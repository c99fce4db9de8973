import { describe, expect, test } from "vitest";
import { runOnRestored } from "../../server/cli/restore.ts";
import { paths } from "../../server/platform/http/paths.ts";
import { fetchesEvents, walk, walkForEachTest, walkOtherwise } from "../harness/account-walk.ts";
import { filledForm } from "../harness/deletion-form.ts";

/**
 * After a restore from a backup, the site exchanges no messages with the account system until an
 * operator confirms the restore.
 */

walkForEachTest();

/**
 * Hands over a request, restores an older backup, confirms a second request, and waits for ten
 * days.
 */
async function putBack() {
  const { reference } = await walk.confirmed("anika");
  const email = "kabir.hossain@uni.example";
  await walk.site.post(paths.deletionRequests, filledForm({ email }));
  const link = await walk.linkTo(email);
  await walk.putBackCopy();
  walk.site.wait({ minutes: 1 });
  await walk.press("confirm", link);
  await walk.pass({ hours: 24 }, 10);
  return { reference, late: (await walk.desk.lookUp(email))[0]?.reference };
}

describe("the account system after a restore", () => {
  test("sends no events and accepts no answers until an operator confirms the restore", async () => {
    const { reference, late } = await putBack();
    expect(walk.receiver.received).toHaveLength(1);
    const { id } = walk.receiver.newest("requested").event.data;

    const call = { id: "msg_of_the_account_system" };
    const refused = await walk.say("started", { id }, call);
    expect(refused).toMatchObject({ status: 503, body: { status: 503 } });
    expect(refused.body.type).toMatch(/#held$/);
    expect(refused.headers.get("content-type")).toBe("application/problem+json");
    expect(refused.headers.get("retry-after")).toBe("600");
    expect(await walk.state(reference)).toBe("confirmed");
    // Unsigned calls must not reveal that a restore is in progress.
    expect(await walk.call({ headers: {}, body: "{}" })).toMatchObject({ status: 401 });

    await walk.confirmCopy();
    const references = walk.receiver.received.map(({ event }) => event.data.reference);
    expect(references).toContain(late);
    expect(references.filter((one) => one === reference)).toHaveLength(2);
    expect(walk.receiver.newest("standing").event.data).toEqual({ id, reference, test: false });
    expect(await walk.say("started", { id }, call)).toMatchObject({
      status: 409,
      body: { because: "put-back" },
    });
    await walk.say("standing", { id, state: "open" });
    await walk.pass({ hours: 25 });
    expect(walk.receiver.newest("requested", reference).event.data.id).toBe(id);
    expect(await walk.said("started", { id })).toBe("in-progress");
  });

  const recheckCount = (id: unknown) =>
    walk.receiver.received.filter(
      ({ event }) => event.data.id === id && event.type === "account.deletion.requested",
    ).length;

  test("resends a request only after the grace period", async () => {
    const { reference } = await putBack();
    const { id } = walk.receiver.newest("requested").event.data;
    await walk.confirmCopy();
    await walk.said("standing", { id, state: "open" });
    await walk.pass({ hours: 1 }, 23);
    expect(recheckCount(id)).toBe(1);
    expect(await walk.forbidden("started", { id })).toBe("put-back");
    expect(await walk.desk.act(reference, { type: "hand-over" }, "Nadia")).toMatchObject({
      refusal: "after-restore",
    });
    await walk.pass({ hours: 1 }, 3);
    expect(recheckCount(id)).toBe(2);
  });

  test("doesn't resend a request that the requester cancels through the restore email", async () => {
    const { reference } = await putBack();
    const { id } = walk.receiver.newest("requested").event.data;
    await walk.confirmCopy();
    await walk.said("standing", { id, state: "open" });
    await walk.press("cancel", await walk.linkTo("anika.rahman@uni.example"));
    await walk.pass({ hours: 26 });
    expect(await walk.state(reference)).toBe("cancelled");
    expect(recheckCount(id)).toBe(1);
  });

  test("lists an unknown request that the account system reports", async () => {
    await putBack();
    await walk.confirmCopy();
    const id = "del_AAAAAAAAAAAAAAAAAAAA";
    expect(await walk.say("started", { id })).toMatchObject({ status: 404 });
    expect(await walk.command("lost")).toMatchObject({
      code: 3,
      out: expect.stringMatching(`${id} +NOT KNOWN HERE, started`),
    });
    expect((await runOnRestored(["show"], walk.site.foundation)).out).toContain(
      "The account system names 1 request that this database doesn't have",
    );
    expect(await walk.command("found", id, "--as", "Nadia")).toMatchObject({ code: 0 });
    expect(await walk.command("lost")).toMatchObject({ code: 0 });
  });

  test("doesn't resend a request that was cancelled after the backup", async () => {
    const { reference } = await putBack();
    const { id } = walk.receiver.newest("requested").event.data;
    await walk.confirmCopy();
    const asked = () =>
      walk.receiver.received.filter(
        ({ event }) => event.data.id === id && event.type === "account.deletion.requested",
      ).length;
    await walk.said("standing", { id, state: "cancelled" });
    await walk.pass({ hours: 24 }, 3);
    expect(asked()).toBe(1);
    const mails = walk.mail.received.filter(({ mail }) => mail.text?.includes(reference));
    expect(mails.some(({ mail }) => /cancelled\s+before the\s+restore/.test(mail.text ?? ""))).toBe(
      true,
    );
    await walk.pass({ hours: 26 });
    await walk.desk.act(reference, { type: "hand-over" }, "Nadia");
    await walk.site.rounds.runOnce();
    expect(asked()).toBe(2);
    const story = await walk.desk.readDetail(reference);
    expect(story?.events.at(-1)).toMatchObject({ type: "hand-over", name: "Nadia" });
  });

  test('completes a restored request when the account system answers "completed"', async () => {
    const { reference } = await putBack();
    const answer = walk.deleted();
    await walk.confirmCopy();
    await walk.said("completed", answer);
    await walk.pass({ minutes: 11 });
    expect(await walk.state(reference)).toBe("completed");
  });

  test('gets one "standing" event for a request awaiting a retry', async () => {
    await walk.begun("anika");
    await walk.said("failed", { id: walk.idOf(), reason: "The table is locked.", again: true });
    await walk.putBackCopy();
    await walk.confirmCopy();
    for (const minutes of [61, 1, 1]) {
      await walk.pass({ minutes });
    }
    expect(walk.heard().filter((type) => type === "standing")).toHaveLength(1);
  });
});

test("returns no events to a polling account system until the restore is confirmed", async () => {
  await walkOtherwise(fetchesEvents);
  const { late } = await putBack();
  expect((await walk.fetchEvents()).items).toEqual([]);
  await walk.confirmCopy();
  const { items } = await walk.fetchEvents();
  expect(items.map(({ event }) => event.data.reference)).toContain(late);
});
