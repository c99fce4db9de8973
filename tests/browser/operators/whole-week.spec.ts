import type { Page } from "@playwright/test";
import { formatMessage } from "../../../server/language/message.ts";
import type { DeskAct } from "../../../server/operator-desk/act-names.ts";
import { deletedAsAsked, walkWithAccounts } from "../../harness/account-walk.ts";
import { desktop, expect, phone, test } from "../../harness/browser.ts";
import { campus } from "../../harness/campus.ts";
import { filledForm } from "../../harness/deletion-form.ts";
import { enrol, giveDevice } from "../../harness/device.ts";
import { untilTakenOver } from "../../harness/page-state.ts";
import { walkThrough } from "../../harness/walk-through.ts";

const { desk, door, frame, people } = campus.operator;
const say = (message: string, values: Record<string, number>) =>
  formatMessage(campus.mail.locale, message, values);
const stepMs = 20_000;
const explanation = "Two of us have exams until Thursday.";

test("a week: ten requests meet every state and every act, by two people with passkeys of their own", async ({
  page,
  browser,
  noise,
}) => {
  // A hundred pages of two browsers; nothing in it waits for a clock.
  test.setTimeout(900_000);
  // Asking for the passkey, and somebody who was second.
  noise.expect(/status of (401|409)/);
  let fullMailbox = "";
  await using walk = await walkWithAccounts({
    listen: true,
    mailServer: {
      onRcptTo({ address }, _session, done) {
        const isFull = fullMailbox !== "" && address.startsWith(fullMailbox);
        done(isFull ? Object.assign(new Error("No such mailbox"), { responseCode: 550 }) : null);
      },
    },
  });
  const { site } = walk;
  const at = (path: string) => site.publicUrl + path;
  /** What the server does by itself, now or when so much time has passed. */
  async function rounds(passed?: Temporal.DurationLike): Promise<void> {
    if (passed) site.wait(passed);
    await site.rounds.runOnce();
  }

  // Ten ask. Nine confirm; the account system cannot do eight of them, and begins with one.
  const asked = new Map<string, { email: string; reference: string }>();
  const of = (name: string) => asked.get(name) ?? { email: "", reference: "nobody" };
  async function answer(name: string, type: string, more: Record<string, unknown>): Promise<void> {
    const { data } = walk.receiver.received.findLast(
      ({ event }) => event.data.reference === of(name).reference,
    )?.event ?? { data: { id: "" } };
    const said = type === "completed" ? deletedAsAsked(data) : { id: data.id, ...more };
    const { status, body } = await walk.say(type, said);
    expect(status, `${type} of ${name}: ${JSON.stringify(body)}`).toBe(200);
  }
  const cannot = (name: string) =>
    answer(name, "failed", { reason: "The queue is stuck.", again: false });
  asked.set("arif", await walk.confirmed("arif"));
  await cannot("arif");
  await rounds({ hours: 17 * 24 });
  for (const name of ["anika", "kabir", "nusrat", "tanvir", "farhana", "sadia"]) {
    asked.set(name, await walk.confirmed(name));
    await cannot(name);
  }
  asked.set("mitu", await walk.confirmed("mitu"));
  await answer("mitu", "started", {});
  const lamia = { email: "lamia.rahman@uni.example" };
  await site.post("/delete-my-account", filledForm(lamia));
  const sent = (await site.stored()).find(({ email }) => email === lamia.email);
  asked.set("lamia", { ...lamia, reference: sent?.reference ?? "" });
  await rounds();

  // A keeper on a phone, and whom she invites, at a desk.
  expect((await page.request.get(at("/operator"))).status()).toBe(404);
  await page.setViewportSize(phone);
  // What hangs says where, long before the whole is over.
  page.setDefaultTimeout(stepMs);
  await giveDevice(page);
  const invitation = { name: "Nadia", address: "nadia@uni.example", keeper: true };
  const invited = await site.services.team.invite(invitation, "shell");
  await enrol(page, invited.kind === "invited" ? invited.link : "");
  const nadia = handsOf(page, at);
  await nadia.goTo("/operator/people");
  await page.locator("#name").fill("Rafi");
  await page.locator("#address").fill("rafi@uni.example");
  await nadia.button(people.invite.button).click();
  const link = await page.locator(".desk-link code").textContent();
  await using otherContext = await browser.newContext({ viewport: desktop });
  const otherPage = await otherContext.newPage();
  otherPage.setDefaultTimeout(stepMs);
  await giveDevice(otherPage);
  await enrol(otherPage, link ?? "");
  const rafi = handsOf(otherPage, at);

  // Today: what is late, nobody's, with the account system, and unconfirmed.
  await nadia.goTo("/operator");
  await expect(nadia.card("late")).toContainText(of("arif").reference);
  for (const name of ["anika", "kabir", "nusrat", "tanvir", "farhana", "sadia"]) {
    await expect(nadia.card("nobody")).toContainText(of(name).email);
  }
  await expect(nadia.card("system")).toContainText(of("mitu").reference);
  await expect(page.locator("main")).toContainText(say(desk.unconfirmed, { count: 1 }));

  // Completed, undone within ten minutes, and completed.
  const anika = of("anika");
  await nadia.open(anika.reference);
  await nadia.press("take", anika.reference);
  await nadia.complete(anika);
  await expect(page.getByRole("timer")).toHaveText(/\d/);
  await nadia.press("undo", anika.reference);
  await nadia.complete(anika);

  // Refused with the mail in view, and taken back by somebody who knows better; the account system knows best.
  const kabir = of("kabir");
  await nadia.open(kabir.reference);
  await nadia.unfold("refuse", kabir.reference, async (form) => {
    await form.locator("input[value=no-account]").check();
    await form.locator("textarea").fill(explanation);
    await form.getByRole("button", { name: desk.form.preview }).click();
    await expect(form.locator("pre")).toContainText(explanation);
  });
  await rafi.open(kabir.reference);
  await rafi.press("undo", kabir.reference);
  await rounds();
  await answer("kabir", "not-found", {});

  // What waits for a fare, and goes on.
  const nusrat = of("nusrat");
  await nadia.open(nusrat.reference);
  await nadia.press("take", nusrat.reference);
  await nadia.unfold("later", nusrat.reference, (form) =>
    form.locator("input[value=dues]").check(),
  );
  await nadia.goTo("/operator");
  await expect(nadia.card("held")).toContainText(nusrat.reference);
  await nadia.open(nusrat.reference);
  await nadia.press("undo", nusrat.reference);

  // A later date out of the lawful ones, then taken over by the other.
  const tanvir = of("tanvir");
  await nadia.open(tanvir.reference);
  await nadia.press("take", tanvir.reference);
  async function due(): Promise<string> {
    const found = await site.services.desk.find(tanvir.reference);
    return found && "dueOn" in found ? found.dueOn.toString() : "";
  }
  const before = await due();
  await nadia.unfold("later", tanvir.reference, async (form) => {
    await form.locator("input[value=time]").check();
    await form
      .locator("label", { has: page.locator("input[name=days]") })
      .nth(3)
      .click();
    await form.locator("textarea").fill(explanation);
    await form.getByRole("button", { name: desk.form.preview }).click();
    await expect(form.locator("pre")).toContainText(explanation);
  });
  expect((await due()) > before).toBe(true);
  await rafi.open(tanvir.reference);
  await rafi.unfold("take", tanvir.reference);

  // Two on one: the second is told who was first, and what she typed is still there.
  const arif = of("arif");
  await nadia.open(arif.reference);
  await rafi.open(arif.reference);
  await rafi.press("take", arif.reference);
  const later = nadia.fold("later");
  await later.locator("summary").click();
  await later.locator("input[value=dues]").check();
  await later.locator("textarea").fill(explanation);
  await later.getByRole("button", { name: desk.acts.later, exact: true }).click();
  await expect(nadia.told).toContainText("Rafi");
  await expect(later.locator("textarea")).toHaveValue(explanation);

  // Cancelled for the person.
  const { reference: cancelled } = of("farhana");
  await nadia.open(cancelled);
  await nadia.unfold("cancel", cancelled);

  // Unconfirmed: nothing to do but to send the link again, which its person then presses.
  const { reference: unconfirmed } = of("lamia");
  await nadia.open(unconfirmed);
  await expect(nadia.button(desk.acts.take)).toHaveCount(0);
  await nadia.unfold("resend", unconfirmed);
  await walk.press("confirm", await walk.linkTo(lamia.email));
  await rounds();
  await cannot("lamia");

  // A mailbox that takes nothing, and a mail that is sent again when it does.
  const sadia = of("sadia");
  fullMailbox = "sadia";
  await nadia.open(sadia.reference);
  await nadia.press("take", sadia.reference);
  await rounds();
  await nadia.open(sadia.reference);
  await expect(page.locator("main")).toContainText(desk.request.mailStates["needs-person"]);
  fullMailbox = "";
  await nadia.press("resend", sadia.reference);
  await rounds();
  await nadia.open(sadia.reference);
  await expect(page.locator("main")).not.toContainText(desk.request.mailStates["needs-person"]);

  // For a closed mailbox: one enters it, the other approves it.
  const imran = { email: "imran.rahman@uni.example", reference: "" };
  await nadia.goTo("/operator/requests/new");
  await page.locator("#old").fill(imran.email);
  await page.locator("#contact").fill("imran@home.example");
  await page.locator("#proof input").first().check();
  await page.locator("#reason").selectOption({ index: 1 });
  await nadia.button(desk.enter.button).click();
  await expect(page).toHaveURL(/requests\/\w{4}-\w{4}/);
  imran.reference = /\w{4}-\w{4}/.exec(page.url())?.[0] ?? "";
  asked.set("imran", imran);
  await expect(nadia.button(desk.acts.approve)).toHaveCount(0);
  await expect(page.locator("main")).toContainText(desk.whyNot["needs-second-person"]);
  await rafi.goTo("/operator");
  await expect(rafi.card("approve")).toContainText(imran.reference);
  await rafi.open(imran.reference);
  await rafi.press("approve", imran.reference);
  await rounds();
  await cannot("imran");

  // The account system has done what it had begun.
  await answer("mitu", "completed", {});
  expect(asked.size).toBe(10);

  // Ten minutes later receipts have left; the next morning both come in by their passkeys.
  await rounds({ minutes: 11 });
  await rounds({ hours: 24 });
  await nadia.comeBack();
  await rafi.comeBack();
  await nadia.goTo("/operator/requests?show=ended");
  for (const [name, state] of [
    ["anika", "completed"],
    ["mitu", "completed"],
    ["kabir", "refused"],
    ["farhana", "cancelled"],
  ] as const) {
    const row = page.locator("tr", { hasText: of(name).reference });
    await expect(row).toContainText(campus.mail.shared.states[state]);
  }

  // Whoever leaves hands back what they had. The rest is taken and completed together.
  await nadia.goTo("/operator/people");
  await page.locator("summary", { hasText: "Rafi" }).click();
  await nadia.button(people.remove.replace("{name}", "Rafi")).click();
  await expect(page.locator("main")).toContainText(tanvir.reference);
  await rafi.goTo("/operator");
  await expect(otherPage).toHaveURL(/sign-in/);
  const rest = ["lamia", "imran", "tanvir", "arif"];
  const done = ["nusrat", "sadia", ...rest];
  await nadia.goTo("/operator");
  for (const name of rest) await nadia.choose(of(name).reference).check();
  await nadia.button(desk.together.take).click();
  await expect(page).toHaveURL(/\/operator\/batch\?/);
  await untilTakenOver(page);
  await page.locator("main form button[type=submit]").first().click();
  await expect(nadia.told).toContainText(say(desk.toldSeveral.take, { count: rest.length }));
  for (const name of done) await nadia.choose(of(name).reference).check();
  // Since she came in she had lunch: the passkey is asked for, and what she typed goes on with it.
  site.wait({ minutes: 30 });
  await nadia.button(desk.together.complete).click();
  await untilTakenOver(page);
  await walkThrough(page);
  await page.locator("#addresses").fill(done.map((name) => of(name).email).join("\n"));
  await page.locator("input[name=account][value=user]").check();
  await nadia.button(say(desk.together.completeAll, { count: done.length })).click();
  await nadia.button(door.touch.buttonFor.replace("{act}", desk.acts.complete)).click();
  await expect(nadia.told).toContainText(say(desk.toldSeveral.complete, { count: done.length }));
  await expect(nadia.card("done").getByRole("listitem")).toHaveCount(done.length);
  await rounds({ minutes: 11 });
  await nadia.goTo("/operator");
  await expect(page.getByText(desk.empty)).toBeVisible();
  const states = await Promise.all(
    [...asked.values()].map(async ({ reference }) => walk.state(reference)),
  );
  expect(states.toSorted()).toEqual(["cancelled", ...Array(8).fill("completed"), "refused"]);
  // A page that still loads a picture would complain about a site that is gone.
  await page.goto("about:blank");
  await otherPage.goto("about:blank");
});

/** What somebody of the team does with their browser. */
function handsOf(page: Page, at: (path: string) => string) {
  const told = page.locator("#told");
  const button = (name: string) => page.getByRole("button", { name, exact: true });
  const fold = (act: DeskAct) => page.locator(`details#${act}`);
  const goTo = async (path: string) => {
    await page.goto(at(path));
    await untilTakenOver(page);
  };
  const says = (act: DeskAct, reference: string) =>
    // What was taken late is told in words of its own, which begin as the others do.
    expect(told).toContainText(
      desk.told[act]
        .replace("{reference}", reference)
        .split(act === "take" ? /(?<=\.) / : "|")[0] ?? "",
    );
  return {
    told,
    button,
    fold,
    goTo,
    open: (reference: string) => goTo(`/operator/requests/${reference}`),
    card: (group: string) => page.locator(`section[data-group="${group}"]`),
    choose: (reference: string) =>
      page.getByLabel(desk.card.choose.replace("{reference}", reference)),
    /** Presses what stands open on the page of a request. */
    async press(act: "take" | "approve" | "undo" | "resend", reference: string) {
      await page.locator(`#${act} button[type=submit]`).click();
      await says(act, reference);
    },
    /** Opens a fold, fills it and sends it. */
    async unfold(
      act: DeskAct,
      reference: string,
      fill?: (form: ReturnType<typeof fold>) => Promise<unknown>,
    ) {
      await fold(act).locator("summary").click();
      await fill?.(fold(act));
      await fold(act).getByRole("button", { name: desk.acts[act], exact: true }).click();
      await says(act, reference);
    },
    async complete({ email, reference }: { email: string; reference: string }) {
      await walkThrough(page);
      await page.locator("#address").fill(email);
      await page.locator("input[name=account][value=user]").check();
      await button(desk.acts.complete).click();
      await says("complete", reference);
    },
    /** After a night the session is over, and the passkey opens another. */
    async comeBack() {
      await goTo("/operator");
      await button(door.signIn.button).click();
      await expect(
        page.getByRole("heading", { level: 1, name: frame.pages.today.title }),
      ).toBeVisible();
    },
  };
}
