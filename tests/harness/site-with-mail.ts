import { paths } from "../../server/platform/http/paths.ts";
import { startMailServer } from "../faults/mail-server.fixture.ts";
import type { Page } from "./browser.ts";
import { filledForm } from "./deletion-form.ts";
import { openTestSite, type TestSiteOptions } from "./test-site.ts";

export type SiteWithMail = Awaited<ReturnType<typeof openSiteWithMail>>;

/**
 * Opens a local site with a real SMTP server.
 * @param page navigates away before the site closes, because a page that is still loading an image
 * would log an error
 */
export async function openSiteWithMail(options: TestSiteOptions = {}, page?: Page) {
  const mail = await startMailServer();
  const site = await openTestSite({ listen: true, smtpUrl: mail.url, ...options });
  const { desk } = site.services;

  /**
   * Opens an emailed link. Returns the URL that it redirects to, with a half-hour visit session.
   */
  async function visitOf(link: string): Promise<string> {
    return (await site.ask(link)).headers.get("location") ?? "";
  }

  /** Returns the path and query of the link in the newest email to this address. */
  async function linkTo(email: string): Promise<string> {
    await site.rounds.runOnce();
    const text = mail.received.findLast(({ to }) => to.includes(email))?.mail.text ?? "";
    const link = new RegExp(`(?:/[a-z]{2})?${paths.deletion}\\?link=[\\w-]+`).exec(text)?.[0];
    if (!link) throw new Error(`No email with a link has arrived at ${email}`);
    return link;
  }

  /** Opens an emailed link and presses the button on the page. */
  async function press(act: "confirm" | "cancel", link: string): Promise<Response> {
    const { pathname, searchParams } = new URL(await visitOf(link), site.publicUrl);
    const visit = searchParams.get("visit") ?? "";
    searchParams.delete("visit");
    const query = searchParams.size > 0 ? `?${searchParams}` : "";
    return site.post(pathname + query, { act, visit });
  }

  /** Submits a form with this email address. `action` is the form's endpoint in any language. */
  async function ask(email: string, action: string = paths.deletionRequests) {
    const form = filledForm({ email });
    const answer = await site.post(action, form);
    if (!answer.ok) throw new Error(`The form for ${email} was answered with ${answer.status}`);
    const submission = (await site.stored()).findLast((stored) => stored.email === email);
    if (!submission) throw new Error(`The form for ${email} was not stored`);
    return { email, reference: submission.reference, formKey: form.formKey };
  }

  return {
    site,
    mail,
    desk,
    visitOf,
    linkTo,
    press,
    ask,
    /** Submits a form with this email address and confirms it through the emailed link. */
    async confirmed(email: string, action?: string) {
      const submitted = await ask(email, action);
      const confirmLink = await linkTo(email);
      await press("confirm", confirmLink);
      return { ...submitted, confirmLink };
    },
    async [Symbol.asyncDispose]() {
      await page?.goto("about:blank");
      await site[Symbol.asyncDispose]();
      await mail.close();
    },
  };
}
