import { sampleWords } from "../../server/cli/sample-words.ts";
import type { SubmittedAct } from "../../server/deletion-requests/commands/acts.ts";
import { firstTick } from "../../server/deletion-requests/service.fixture.ts";
import { readChecklist } from "../../server/deletion-requests/state-machine/checklist.ts";
import { fillChecklist } from "../../server/deletion-requests/test-campus.fixture.ts";
import { undoMinutes } from "../../server/periods.ts";
import type { EmailAddress } from "../../server/platform/addresses/email-address.ts";
import { dateAt } from "../../server/platform/calendar/business-days.ts";
import { paths } from "../../server/platform/http/paths.ts";
import { addressIn, campus, dataList, editionIn } from "./campus.ts";
import { openSiteWithMail } from "./site-with-mail.ts";

export type DeletionScenario = Awaited<ReturnType<typeof openDeletionScenario>>;
export type DeletionState = keyof DeletionScenario["states"];

/**
 * Opens a site with one request in each state. The requests come from submitted forms, emailed
 * links and operators' acts.
 * @param language language of the submitted forms, and thus of all pages and emails
 */
export async function openDeletionScenario(language = campus.settings.language) {
  const to = (path: string) => addressIn(language, path);
  const story = await openSiteWithMail();
  const { site, mail, desk, linkTo, visitOf, press } = story;

  const addressOf = (name: string) => `${name}@uni.example`;
  const ask = (name: string) => story.ask(addressOf(name), to(paths.deletionRequests));
  async function confirmed(name: string) {
    const submitted = await story.confirmed(addressOf(name), to(paths.deletionRequests));
    return { ...submitted, link: await linkTo(submitted.email) };
  }

  const { explanation } = sampleWords(editionIn(language));

  /**
   * Creates a confirmed request and performs these acts as an operator. Returns the path of the
   * student's page.
   */
  async function actedOn(name: string, ...acts: SubmittedAct[]): Promise<string> {
    const { email, reference } = await confirmed(name);
    for (const act of acts) {
      const result = await desk.act(reference, act, "Nadia");
      if (result.kind !== "done") throw new Error(`${act.type} of ${name}: ${result.kind}`);
    }
    return linkTo(email);
  }

  /** Completes a request. The operator can undo the completion until the caller moves the clock. */
  const done = (name: string, ...acts: SubmittedAct[]) => {
    const today = dateAt(site.foundation.calendar, site.clock());
    const { completion, ticked } = readChecklist(dataList, fillChecklist(dataList), today);
    const complete = { type: "complete", address: addressOf(name), completion, ticked } as const;
    return actedOn(name, firstTick, complete, ...acts);
  };

  /** Enters a request as an operator, for a requester whose mailbox is closed. */
  async function entered(name: string, mailbox: "contact" | "old"): Promise<string> {
    const email = addressOf(name) as EmailAddress;
    const contact = `${name}@home.example` as EmailAddress;
    const proof = dataList.ownershipProofs[0]?.key ?? "";
    const details = { reason: "no-longer-needed", language, receivedAt: site.clock() } as const;
    await desk.enterRequest({ email, contact, proof, ...details }, "Nadia");
    return linkTo(mailbox === "contact" ? contact : email);
  }

  const overdue = await actedOn("overdue", firstTick);
  site.wait({ hours: 24 * 21 });
  const late = await linkTo((await ask("late")).email);
  const left = await visitOf(await linkTo((await ask("left")).email));
  site.wait({ hours: 25 });
  // A newer link keeps the request alive. The older link's page must say so, not only that the link
  // has expired.
  await ask("late");
  const panelLeft = await ask("panel-left");
  site.wait({ hours: 24 });

  const submitted = await ask("asked");
  const used = await confirmed("used");
  const cancelled = await confirmed("cancelled");
  await press("cancel", cancelled.link);
  await done("completed");
  await actedOn("held", { type: "later", reason: "dues", days: 2, explanation });
  await actedOn("extended", { type: "later", reason: "time", days: 5, explanation });
  await actedOn("refused", { type: "refuse", reason: "open-matter", explanation });
  const mistaken = await confirmed("reopened");
  await desk.act(
    mistaken.reference,
    { type: "refuse", reason: "no-account", explanation: "" },
    "Nadia",
  );
  site.wait({ minutes: undoMinutes });
  // Until the reopening email is sent, the page still shows the refusal.
  await desk.act(mistaken.reference, { type: "undo", explanation }, "Nadia");
  await site.rounds.runOnce();
  const states = {
    submitted: to(`${paths.deletion}?submitted=${submitted.formKey}`),
    "to-confirm": await linkTo(submitted.email),
    confirmed: used.link,
    "cancel-asked": `${await visitOf(used.link)}&ask=cancel`,
    "in-progress": await actedOn("taken", firstTick),
    held: await linkTo(addressOf("held")),
    extended: await linkTo(addressOf("extended")),
    completed: await linkTo(addressOf("completed")),
    refused: await linkTo(addressOf("refused")),
    overdue,
    reopened: mistaken.link,
    entered: await entered("entered", "contact"),
    // The owner of the supposedly closed mailbox can stop the request.
    "to-stop": await entered("to-stop", "old"),
    done: await done("done"),
    cancelled: cancelled.link,
    "link-used": used.confirmLink,
    "link-expired": late,
    "request-ended": cancelled.confirmLink,
    "panel-closed": to(`${paths.deletion}?submitted=${panelLeft.formKey}`),
    "visit-expired": left,
    "link-unknown": to(`${paths.deletion}?link=unknown`),
  };
  await site.rounds.runOnce();
  return {
    site,
    /** Paths of the student's pages, keyed by state. */
    states,
    names: Object.keys(states) as (keyof typeof states)[],
    /** Opens a state's page, following the redirect of an email link. */
    async open(state: keyof typeof states) {
      const address = (await visitOf(states[state])) || states[state];
      return { address, html: await (await site.ask(address)).text() };
    },
    received: mail.received,
    [Symbol.asyncDispose]: story[Symbol.asyncDispose],
  };
}
