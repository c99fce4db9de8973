import { beforeEach, describe, expect, test } from "vitest";
import { readEnglish } from "../../../campus-reader/product-words.ts";
import { statusDays } from "../../periods.ts";
import { findUnconfirmedRestore } from "../../platform/database/restore-hold.ts";
import { createCalendarWords } from "../../platform/i18n/texts.ts";
import { findWhyNot } from "../commands/acts.ts";
import { explainWhyNot } from "../presenters/history.ts";
import { failed } from "../service.fixture.ts";
import { sampleChecklist } from "../test-campus.fixture.ts";
import { service, serviceForEachTest } from "../test-service.fixture.ts";
import {
  compareCopies,
  confirmRestored,
  holdAsOlder,
  holdFound,
  recordRestored,
  writeLetters,
} from "./restore.ts";

// Cases that server/cli/restore.test.ts doesn't cover.

serviceForEachTest();

/** Confirms a restore that lost the last three days of data. */
async function loseThreeDays(): Promise<void> {
  const knownUntil = service.clock();
  service.pass({ days: 3 });
  const at = service.clock();
  const report = { copies: [], restored: [], same: 0 };
  await recordRestored(service, { name: "Nadia", at, knownUntil, report });
  const restore = await findUnconfirmedRestore(service.database.read);
  if (!restore) throw new Error("no unconfirmed restore");
  await confirmRestored(service, restore, "Nadia", at);
}

test("extends confirmation links by the length of the outage", async () => {
  await service.submitMailed();
  await loseThreeDays();
  await service.round({ hours: 47 });
  const visit = await service.follow(service.newest("confirm"));
  expect(await service.requests.openVisit(visit)).toHaveProperty("kind", "confirm");
});

test("extends access to an ended request's page by the length of the outage", async () => {
  await service.submitCompleted();
  await service.round();
  const mail = service.newest("completed");
  await loseThreeDays();
  await service.round({ days: 30, minutes: -1 });
  expect(await service.follow(mail)).toBeTruthy();
  await service.round({ minutes: 1 });
  await expect(service.follow(mail)).rejects.toThrow("unknown");
});

test("mentions the data loss to visitors with an unknown link for 30 days after a restore", async () => {
  const unknown = () => service.requests.openLink("A".repeat(43));
  expect(await unknown()).toEqual({ kind: "unknown" });
  const knownUntil = service.clock();
  await loseThreeDays();
  expect(await unknown()).toEqual({ kind: "unknown", knownUntil });
  service.pass({ days: statusDays });
  expect(await unknown()).toEqual({ kind: "unknown" });
});

/** Records that a backup made just now was restored. Returns the unconfirmed restore. */
async function restoreCopy() {
  const at = service.clock();
  const report = {
    copies: [{ file: "copy", takenAt: at.toString() }],
    ...(await compareCopies(undefined, service.database.read)),
  };
  await recordRestored(service, { name: "Nadia", at, knownUntil: at, report });
  const restore = await findUnconfirmedRestore(service.database.read);
  if (!restore) throw new Error("no unconfirmed restore");
  service.pass({ minutes: 1 });
  return restore;
}

async function restoreAndWrite(): Promise<void> {
  const restore = await restoreCopy();
  await writeLetters(service, restore, "Nadia", service.clock());
  await confirmRestored(service, restore, "Nadia", service.clock());
  await service.round();
}

const letterTo = (address: string) =>
  service.sent.findLast(({ to, kind }) => to === address && kind === "restored");

describe("restore letters", () => {
  test("writes one restore letter to each requester with an open request", async () => {
    await service.submitMany(501, (number) => ({ email: `s${number}@uni.example` }));
    const restore = await restoreCopy();
    expect(await writeLetters(service, restore, "Nadia", service.clock())).toBe(501);
    expect(await writeLetters(service, restore, "Nadia", service.clock())).toBe(0);
  });

  test("states the time of the backup and the cancellation deadline in restore letters", async () => {
    await service.submitConfirmed();
    await restoreAndWrite();
    const text = service.newest("restored").letter.text.replaceAll(/\s+/g, " ");
    expect(text).toContain("Our records end on Sunday, 22 November 2026");
    expect(text).toContain("We won't do anything before Mon 23 Nov, 11:00 AM");
    expect(text).toContain("https://rides.example/delete-my-account ");
    expect(service.newest("restored").letter.html).toMatch(
      /send it again at\s+https:\/\/rides\.example\/delete-my-account/,
    );
  });

  test("lets requesters cancel through the restore letter's link", async () => {
    const reference = await service.submitConfirmed();
    await restoreAndWrite();
    await service.requests.cancel(await service.openMail("restored"));
    expect(await service.desk.find(reference)).toMatchObject({ state: "cancelled" });
  });

  test("tells requesters to do nothing if their account was deleted after the backup", async () => {
    await service.submitMailed();
    await restoreAndWrite();
    expect(service.newest("restored").letter.text.replaceAll(/\s+/g, " ")).toContain(
      "If we've already emailed you to say your account has been deleted, that email is correct and the receipt in it is valid. Do nothing.",
    );
  });

  test("lets requesters confirm through the restore letter's link", async () => {
    const { reference } = await service.submitMailed();
    await restoreAndWrite();
    await service.requests.confirm(await service.openMail("restored"));
    expect(await service.desk.find(reference)).toMatchObject({ state: "confirmed" });
  });

  test("keeps an unconfirmed request while its restore letter can't be delivered", async () => {
    const { reference } = await service.submitMailed();
    service.answer = () => failed("mail server down (421)");
    await restoreAndWrite();
    for (let hour = 0; hour < 200; hour++) await service.round({ hours: 1 });
    service.answer = () => ({ kind: "delivered" });
    await service.desk.retry("Nadia");
    await service.requests.confirm(await service.openMail("restored"));
    expect(await service.desk.find(reference)).toMatchObject({ state: "confirmed" });
  });

  test("sends the restore letter to the contact if the mailbox is closed", async () => {
    await service.enterClosed();
    await restoreAndWrite();
    expect(letterTo("me@home.example")?.message).toMatchObject({ isEntered: true });
    expect(letterTo("old@uni.example")).toBeUndefined();
  });

  test("sets the cancellation deadline a day after a delayed restore letter is sent", async () => {
    await service.submitConfirmed();
    service.answer = () => failed("mail server down (421)");
    await restoreAndWrite();
    service.answer = () => ({ kind: "delivered" });
    await service.round({ days: 2 });
    expect(service.newest("restored").message).toMatchObject({
      cancelUntil: service
        .clock()
        .add({ hours: 24 })
        .round({ smallestUnit: "hour", roundingMode: "ceil" })
        .toString({ fractionalSecondDigits: 3 }),
    });
  });
});

test("sends restore letters after an operator reports that a copied folder is outdated", async () => {
  await service.submitConfirmed();
  const knownUntil = service.clock();
  const held = await holdFound(service, "moved", knownUntil.add({ hours: 48 }));
  if (!held) throw new Error("database is not held");
  service.pass({ days: 2 });
  await holdAsOlder(service, held, "Nadia", service.clock());
  const restore = await findUnconfirmedRestore(service.database.read);
  if (!restore) throw new Error("no unconfirmed restore");
  expect(await writeLetters(service, restore, "Nadia", service.clock())).toBe(1);
  await confirmRestored(service, restore, "Nadia", service.clock());
  await service.round();
  expect(service.newest("restored").message).toMatchObject({
    copiedAt: knownUntil.toString({ fractionalSecondDigits: 3 }),
  });
  expect(await findUnconfirmedRestore(service.database.read)).toBeUndefined();
});

describe("a request that was open in the backup", () => {
  let reference: string;
  beforeEach(async () => {
    reference = await service.submitConfirmed();
  });

  const take = async () => {
    const result = await service.take(reference);
    return result.kind === "refused" ? result.refusal : result.kind;
  };

  test("refuses to take a request before the deadline in its restore letter", async () => {
    await restoreAndWrite();
    expect(await take()).toBe("after-restore");
    service.pass({ hours: 24 });
    expect(await take()).toBe("after-restore");
    service.pass({ hours: 1 });
    expect(await take()).toBe("done");
  });

  test("refuses to complete a request before the deadline in its restore letter", async () => {
    await service.take(reference);
    await restoreAndWrite();
    const address = ["anika@uni.example"];
    const complete = () =>
      service.desk.submit(
        { act: "complete", reference, typed: { ...sampleChecklist, address } },
        "Nadia",
      );
    expect(await complete()).toMatchObject({ refusal: "after-restore" });
    service.pass({ hours: 25 });
    expect(await complete()).toMatchObject({ kind: "done" });
  });

  test("refuses checklist answers before the deadline in the restore letter", async () => {
    await service.take(reference);
    await restoreAndWrite();
    expect(await service.begin(reference)).toMatchObject({ refusal: "after-restore" });
    service.pass({ hours: 25 });
    expect(await service.begin(reference)).toMatchObject({ kind: "done" });
  });

  test("refuses to take a request while its restore letter can't be sent", async () => {
    service.answer = () => failed("login refused (535)", { permanent: true });
    await restoreAndWrite();
    service.pass({ days: 9 });
    expect(await take()).toBe("after-restore");
  });

  /** Returns the operator page's explanation of why the request can't be completed. */
  async function readWhyNot() {
    const story = await service.desk.readDetail(reference);
    if (!story) throw new Error(reference);
    const context = { ...story, services: service, name: "Nadia", now: service.clock() };
    const because = findWhyNot("complete", context);
    const dates = createCalendarWords({
      locale: "en-GB-u-hc-h12",
      timeZone: "Asia/Dhaka",
      holidays: {},
    });
    const words = { operator: readEnglish("operator"), dates };
    return because && explainWhyNot(words, because, story.request, story.grace);
  }

  test("tells operators when they can complete the request", async () => {
    await restoreAndWrite();
    expect(await readWhyNot()).toMatch(
      /^Wait until 23\sNov\s2026, 11:00\sAM\. The person has a day/,
    );
  });

  test("tells operators that the restore letter is unsent", async () => {
    await restoreCopy();
    expect(await readWhyNot()).toMatch(/email .* has not gone out yet/);
  });

  test("starts the grace period even if the mailbox refuses the restore letter", async () => {
    service.answer = ({ to }) =>
      to === "anika@uni.example"
        ? failed("recipient refused (550)", { permanent: true })
        : { kind: "delivered" };
    await restoreAndWrite();
    expect(await take()).toBe("after-restore");
    service.pass({ hours: 25 });
    expect(await take()).toBe("done");
  });

  test("starts a new grace period after a second restore", async () => {
    await restoreAndWrite();
    service.pass({ hours: 25 });
    await restoreAndWrite();
    expect(await take()).toBe("after-restore");
  });
});

test("applies no grace period to a request submitted after the restore", async () => {
  await restoreAndWrite();
  const reference = await service.submitConfirmed({ email: "new@uni.example" });
  expect(await service.take(reference)).toMatchObject({ kind: "done" });
});
