import { createDesk } from "../../server/deletion-requests/desk.ts";
import { createForgetting } from "../../server/deletion-requests/forgetting.ts";
import { startMailServer } from "../faults/mail-server.fixture.ts";
import type { Page } from "./browser.ts";
import { calendar, campus } from "./campus.ts";
import { openTestSite, type TestSiteOptions } from "./test-site.ts";

export type SiteWithMail = Awaited<ReturnType<typeof openSiteWithMail>>;

/**
 * A site on this machine whose mails go to a real SMTP server, and the desk of its operators.
 * @param page leaves the site before it is gone: one that still loads a picture would complain
 */
export async function openSiteWithMail(options: TestSiteOptions = {}, page?: Page) {
  const mail = await startMailServer();
  const site = await openTestSite({ ...options, smtpUrl: mail.url, listen: true });
  const desk = createDesk({
    database: site.database,
    clock: site.clock,
    keys: site.keys,
    calendar,
    dataList: site.foundation.dataList,
    businessDays: campus.settings.deletionBusinessDays.limit,
    forgetting: createForgetting({ database: site.database, removeMailFiles: async () => {} }),
  });
  return {
    site,
    mail,
    desk,
    async [Symbol.asyncDispose]() {
      await page?.goto("about:blank");
      await site[Symbol.asyncDispose]();
      await mail.close();
    },
  };
}
