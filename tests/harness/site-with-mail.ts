import type { SMTPServerOptions } from "smtp-server";
import { createDesk } from "../../server/deletion-requests/working/desk.ts";
import { paths } from "../../server/http/paths.ts";
import { startMailServer } from "../faults/mail-server.fixture.ts";
import type { Page } from "./browser.ts";
import { openTestSite, type TestSiteOptions } from "./test-site.ts";

export type SiteWithMail = Awaited<ReturnType<typeof openSiteWithMail>>;

/**
 * A site on this machine whose mails go to a real SMTP server, and the desk of its operators.
 * @param options `mailServer`: how that server is, where it does not simply take everything
 * @param page leaves the site before it is gone: one that still loads a picture would complain
 */
export async function openSiteWithMail(
  { mailServer, ...options }: TestSiteOptions & { mailServer?: SMTPServerOptions } = {},
  page?: Page,
) {
  const mail = await startMailServer(mailServer);
  const site = await openTestSite({ listen: true, smtpUrl: mail.url, ...options });
  const desk = createDesk(site.foundation);

  /** The page behind a link, as it stays for half an hour. */
  async function visitOf(link: string): Promise<string> {
    return (await site.ask(link)).headers.get("location") ?? "";
  }

  return {
    site,
    mail,
    desk,
    visitOf,
    /** The link in the newest mail to an address, without the site's name. */
    async linkTo(email: string): Promise<string> {
      await site.rounds.runOnce();
      const text = mail.received.findLast(({ to }) => to.includes(email))?.mail.text ?? "";
      const link = new RegExp(`${paths.deletion}\\?link=[\\w-]+(?:&lang=\\w+)?`).exec(text)?.[0];
      if (!link) throw new Error(`No mail with a link came to ${email}`);
      return link;
    },
    /** Opens a link and presses the button of its page. */
    async press(act: "confirm" | "cancel", link: string): Promise<Response> {
      const { pathname, searchParams } = new URL(await visitOf(link), site.publicUrl);
      const visit = searchParams.get("visit") ?? "";
      searchParams.delete("visit");
      const query = searchParams.size > 0 ? `?${searchParams}` : "";
      return site.post(pathname + query, { act, visit });
    },
    async [Symbol.asyncDispose]() {
      await page?.goto("about:blank");
      await site[Symbol.asyncDispose]();
      await mail.close();
    },
  };
}
