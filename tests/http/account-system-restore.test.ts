import { afterEach, describe, expect, test } from "vitest";
import { runOnRestored } from "../../server/command-line/restore.ts";
import { enterRestored } from "../../server/deletion-requests/restore.ts";
import { paths } from "../../server/http/paths.ts";
import { Secret } from "../../server/keys/secret.ts";
import { type AccountWalk, walkWithAccounts } from "../harness/account-walk.ts";
import { filledForm } from "../harness/deletion-form.ts";

/** Until somebody has looked at a copy that was put back, the account system neither hears from it nor changes it. */

let walk: AccountWalk;

afterEach(() => walk[Symbol.asyncDispose]());

/** One request that was handed over, one that its person confirms only when a copy has been put back; then ten days. */
async function putBack() {
  const { reference } = await walk.confirmed("anika");
  const email = "kabir.hossain@uni.example";
  await walk.site.post(paths.deletionRequests, filledForm({ email }));
  const link = await walk.linkTo(email);
  const at = walk.site.clock();
  await enterRestored(walk.site.foundation, {
    name: "Nadia",
    at,
    knownUntil: at,
    report: {
      copies: [{ file: "copy", takenAt: at.toString() }],
      restored: [],
      same: 0,
    },
  });
  await walk.press("confirm", link);
  for (let day = 0; day < 10; day++) {
    walk.site.wait({ hours: 24 });
    await walk.site.rounds.runOnce();
  }
  return { reference, late: (await walk.desk.search(email))[0]?.reference };
}

async function confirmCopy(): Promise<void> {
  const confirmed = await runOnRestored(["confirm", "--as", "Nadia"], walk.site.foundation);
  expect(confirmed).toMatchObject({ code: 0 });
  await walk.site.rounds.runOnce();
}

describe("an account system that is called", () => {
  test("gets no event, and its answers are put off; then both go on", async () => {
    walk = await walkWithAccounts();
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
    // Whoever does not sign learns nothing of it.
    expect(await walk.call({ headers: {}, body: "{}" })).toMatchObject({ status: 401 });

    await confirmCopy();
    const told = walk.receiver.received.map(({ event }) => event.data.reference);
    expect(told).toContain(late);
    expect(await walk.say("started", { id }, call)).toMatchObject({
      status: 200,
      body: { state: "in-progress" },
    });
  });
});

describe("an account system that fetches", () => {
  const token = "a-token-for-whoever-fetches-events-0123456789";

  test("is given nothing, and everything afterwards", async () => {
    walk = await walkWithAccounts({
      accountSystem: (receiver) => ({
        ...receiver.config(),
        url: undefined,
        secrets: [],
        pollToken: new Secret(token),
      }),
    });
    const fetchEvents = () =>
      walk.call({ method: "GET", headers: { Authorization: `Bearer ${token}` } });
    const { late } = await putBack();
    expect(await fetchEvents()).toMatchObject({ status: 200, body: { items: [] } });
    await confirmCopy();
    const items = (await fetchEvents()).body.items as {
      event: { data: { reference: string } };
    }[];
    expect(items.map(({ event }) => event.data.reference)).toContain(late);
  });
});
