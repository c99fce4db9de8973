import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { firstTick } from "../../server/deletion-requests/service.fixture.ts";
import { undoMinutes } from "../../server/periods.ts";
import type { EmailAddress } from "../../server/platform/addresses/email-address.ts";
import { addOperator } from "../../server/team/roster/operators.ts";
import { campus, dataList, say } from "../harness/campus.ts";
import { elementsOf, mainOf, plain, textOf } from "../harness/html.ts";
import { openSiteWithMail, type SiteWithMail } from "../harness/site-with-mail.ts";

let story: SiteWithMail;
beforeEach(async () => {
  story = await openSiteWithMail();
  const { site } = story;
  await site.database.write((transaction) => addOperator(transaction, "Nadia", site.clock()));
});
afterEach(() => story[Symbol.asyncDispose]());

const [letter] = campus.landing.contact.letters;
const emailsTo = (address: string) =>
  story.mail.received.flatMap(({ to, mail }) => (to.includes(address) ? [mail] : []));
const inOneLine = (text = "") => text.replaceAll(/\s+/g, " ");

describe("the owner of a mailbox reported as closed", () => {
  const old = "gone@uni.example" as EmailAddress;
  const contact = "home@mail.example" as EmailAddress;

  test("can stop the request on the page that the emailed link opens", async () => {
    const { site, desk } = story;
    const proof = dataList.ownershipProofs[0]?.key ?? "";
    const entry = { email: old, contact, proof, reason: "other", language: undefined } as const;
    const { request } = await desk.enterRequest({ ...entry, receivedAt: site.clock() }, "Nadia");
    const visit = await story.visitOf(await story.linkTo(old));
    const html = mainOf(await site.read(visit));
    const { stop } = campus.deletion.visit.entered;
    expect(textOf(html)).toContain(plain(stop.button));
    const [form] = elementsOf(html, "form");
    const fields = [...elementsOf(html, "input"), ...elementsOf(html, "button")];
    const typed = fields.map(({ attributes: { name = "", value = "" } }) => [name, value]);
    const action = form?.attributes.action?.split("#")[0] ?? "";
    const pressed = await site.post(action, Object.fromEntries(typed));
    const shown = textOf(mainOf(await site.read(pressed.headers.get("location") ?? "")));
    expect(shown).toContain(plain(campus.deletion.visit.status.states.cancelled.title));
    expect(await desk.find(request.reference)).toMatchObject({
      state: "cancelled",
      endedBy: "person",
    });
    await site.rounds.runOnce();
    expect(emailsTo(contact).map(({ subject }) => subject)).toContain(
      say(campus.mail.stopped.subject, { reference: request.reference }),
    );
  });
});

test("explains on the page and in the email how to stop a deletion in progress", async () => {
  const { site, desk } = story;
  const { email, reference } = await story.confirmed("anika@uni.example");
  await desk.act(reference, firstTick, "Nadia");
  site.wait({ minutes: undoMinutes });
  const page = mainOf(await site.read(await story.visitOf(await story.linkTo(email))));
  const { stillStop } = campus.deletion.visit.status;
  expect(textOf(page)).toContain(textOf(stillStop));
  expect(page).toContain(`mailto:${campus.settings.email}`);
  expect(textOf(page)).not.toContain(campus.deletion.visit.cancel.link);
  const startEmail = emailsTo(email).find(({ subject }) =>
    subject?.startsWith(String(campus.mail["in-progress"].subject).split("{")[0] ?? "?"),
  );
  expect(inOneLine(startEmail?.text)).toContain(`write to ${campus.settings.email} right away`);
  expect(inOneLine(startEmail?.text)).toContain("we can still stop the deletion");
});

test("names the inviter in an invitation email", async () => {
  const invitation = { name: "Rafi", address: "rafi@uni.example" as EmailAddress, admin: false };
  await story.site.services.team.invite(invitation, "Nadia");
  await story.site.rounds.runOnce();
  const [{ text } = {}] = emailsTo(invitation.address);
  expect(inOneLine(text)).toContain("Nadia invited you");
  expect(inOneLine(text)).toContain("open it on your own phone or computer");
});

test.each(["/", "/faq"])("explains on %s how to report harassment", async (path) => {
  const page = await story.site.read(path);
  const subject = encodeURIComponent(letter?.subject ?? "?");
  const advice = "say only that in your first email, without details";
  const links = elementsOf(page, "a").map(({ attributes }) => attributes.href ?? "");
  const report = links.find((href) => href.startsWith("mailto:") && href.includes(subject));
  expect(report && decodeURIComponent(report) + textOf(page)).toContain(advice);
});
