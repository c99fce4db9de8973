import type { Page } from "@playwright/test";
import type { AccountAnswer } from "../../server/account-system/contract/answers.ts";
import { addJob } from "../../server/account-system/deletion-jobs.ts";
import { takeAnswer } from "../../server/account-system/inbound/take-answer.ts";
import { sampleWords } from "../../server/cli/sample-words.ts";
import { seededDays, seedRequests } from "../../server/cli/seed.ts";
import { byOperator } from "../../server/deletion-requests/service.fixture.ts";
import {
  kindsToAnswer,
  recipientsToNotify,
} from "../../server/deletion-requests/state-machine/checklist.ts";
import {
  isEnded,
  isWorking,
  type StoredRequest,
} from "../../server/deletion-requests/state-machine/request.ts";
import { toFormValues } from "../../server/platform/forms/form-values.ts";
import { paths } from "../../server/platform/http/paths.ts";
import { addressIn, calendar, campus, dataList, editionIn, editions } from "./campus.ts";
import { chooseDay } from "./deletion-form.ts";
import { unfold } from "./in-page.ts";
import type { Scene } from "./page-scenes.ts";
import { operatorCookie, signIn } from "./sign-in.ts";
import { openTestSite } from "./test-site.ts";

/**
 * Scenes of every operator page in every state, for screenshots and for the tests of all pages.
 * They use the forty seeded requests.
 */

const morning = Temporal.PlainDateTime.from("2026-12-01T09:00")
  .toZonedDateTime(calendar.timeZone)
  .toInstant();

/**
 * Opens a site with every state that the scenes show.
 * @param language language of the operator pages; the requests are in all languages of the campus
 */
export async function openDeskScenes(language = campus.settings.language) {
  const words = editionIn(language);
  const { desk, door } = words.operator;
  const { explanation } = sampleWords(words);
  const to = (path: string) => addressIn(language, path);
  const opensAt = morning.subtract({ hours: seededDays * 24 });
  const site = await openTestSite({ listen: true, isDrill: true, opensAt });
  const { publicUrl, database, clock } = site;
  const { desk: work, operatorDesk, operators, team: coming } = site.services;
  await seedRequests(
    {
      ...{ foundation: site.foundation, site: site.services, rounds: site.rounds },
      campuses: editions,
      setClock: (at) => site.wait(at.since(clock())),
    },
    morning,
  );
  const invitation = { name: "Nadia", address: "nadia@uni.example", admin: true, again: true };
  const invited = await coming.invite(invitation, "drill");
  const link = invited.kind === "invited" ? invited.link : "";
  const empty = await openTestSite({ listen: true });

  const { requests = [] } = (await work.list(["working", "received", "ended"], 100)) ?? {};
  const states = await findStates(requests);
  const foreign = requests.find(
    (stored) => stored.state === "confirmed" && stored.language !== language,
  );

  /** Hands a request over to the account system and processes these answers. */
  async function hand(
    reference: string,
    answers: readonly Omit<AccountAnswer, "data">[],
  ): Promise<void> {
    const request = await work.find(reference);
    if (!request) throw new Error(`There is no request ${reference}`);
    const { publicId } = await database.write((transaction) =>
      addJob(transaction, { requestId: request.id, test: false, now: clock() }),
    );
    for (const step of answers) {
      const data = { ...dataOf[step.type], id: publicId };
      const answer = { ...step, data } as AccountAnswer;
      const result = await takeAnswer(site.foundation, `${publicId} ${step.type}`, answer);
      if (!result.ok) throw new Error(`${step.type}: ${JSON.stringify(result)}`);
    }
  }
  const started = { type: "account.deletion.started" } as const;
  await hand(states["with-system"], [started]);
  await hand(states["system-failed"], [started, { type: "account.deletion.failed" }]);
  await hand(states["system-done"], [started, { type: "account.deletion.completed" }]);

  const nadia = await signedIn("Nadia", "admin");
  const { token: first } = await signIn(empty.foundation, empty.clock(), "Nadia", "admin");
  const atEmpty = (path: string) => (page: Page) =>
    go(page, path, operatorCookie(empty.publicUrl, first), empty.publicUrl);
  const typed = toFormValues({ reason: "exams", from: "2026-12-01", until: "2026-12-07" });
  const { cookie: tariq } = await signIn(site.foundation, clock(), "Tariq", "operator");
  const found = await operators.findSession(tariq);
  if (found) await operators.startAbsence(typed, found);

  async function signedIn(name: string, role: "operator" | "admin", agoMinutes = 0) {
    const at = clock().subtract({ minutes: agoMinutes });
    const { token } = await signIn(site.foundation, at, name, role);
    return operatorCookie(publicUrl, token);
  }
  async function findStates(all: readonly StoredRequest[]) {
    const today = operatorDesk.matterOf([]).today;
    const undelivered: string[] = [];
    for (const { reference } of all) {
      const { mails = [] } = (await work.readDetail(reference)) ?? {};
      if (mails.some(({ lastProblem }) => lastProblem)) undelivered.push(reference);
    }
    const taken = new Set<string>();
    const find = (wish: (stored: StoredRequest) => boolean): string => {
      const found = all.find((stored) => !taken.has(stored.reference) && wish(stored));
      if (!found) throw new Error(`No request of the drill matches: ${wish}`);
      taken.add(found.reference);
      return found.reference;
    };
    const isLate = (stored: StoredRequest) =>
      isWorking(stored) && Temporal.PlainDate.compare(stored.dueOn, today) < 0;
    const isFree = (stored: StoredRequest) => stored.state === "confirmed" && !isLate(stored);
    return {
      late: find((stored) => isLate(stored) && stored.state === "confirmed"),
      mine: find(
        (stored) => isWorking(stored) && stored.owner === "Nadia" && !stored.hold && !stored.done,
      ),
      held: find((stored) => isWorking(stored) && stored.hold !== undefined && !isLate(stored)),
      done: find((stored) => isWorking(stored) && stored.done !== undefined),
      "to-approve": find((stored) => stored.enteredBy === "Tariq"),
      undelivered: find(({ reference }) => undelivered.includes(reference)),
      unconfirmed: find((stored) => stored.state === "received" && stored.enteredBy === undefined),
      completed: find((stored) => stored.state === "completed" && stored.email !== undefined),
      erased: find((stored) => isEnded(stored) && stored.erasedAt !== undefined),
      refused: find(({ state }) => state === "refused"),
      new: find(isFree),
      "with-system": find(isFree),
      "system-failed": find(isFree),
      "system-done": find(isFree),
    };
  }

  const go = async (page: Page, path: string, cookie = nadia, origin = publicUrl) => {
    await page.context().addCookies([cookie]);
    await page.goto(origin + to(path));
  };
  const at = (path: string) => (page: Page) => go(page, path);
  /** Returns a scene that submits a form without the browser's validation. */
  const sent =
    (path: string, form: string, fill: (page: Page) => Promise<unknown> = async () => {}) =>
    async (page: Page) => {
      await go(page, path);
      await page.evaluate(unfold);
      await fill(page);
      // On a checklist, the last button completes the request.
      await page.locator(form).evaluate((element: HTMLFormElement) => {
        element.noValidate = true;
        const buttons = element.querySelectorAll<HTMLButtonElement>("button[type=submit]");
        element.requestSubmit([...buttons].at(-1));
      });
      await page.locator("[role=alert], #told, main [aria-invalid=true]").first().waitFor();
    };
  const request = (state: keyof typeof states) => paths.operatorRequest(states[state]);
  const batch = (act: string, ...of: (keyof typeof states)[]) =>
    `${paths.operator}?act=${act}&${of.map((state) => `r=${states[state]}`).join("&")}`;
  const formOf = (act: string) => `form:has(> input[name=act][value="${act}"])`;

  /** The most recent scene that changes a shared request. Such scenes run one after another. */
  let last: Promise<unknown> = Promise.resolve();
  const alone = (show: Scene["show"]) => (page: Page) => {
    const mine = last.catch(() => {}).then(() => show(page));
    last = mine;
    return mine;
  };

  const scenes: Scene[] = [
    { name: "today", show: at(paths.operator) },
    { name: "today-taken", show: alone(taken) },
    { name: "today-empty", show: atEmpty(paths.operator) },
    { name: "today-chosen", show: chosen },
    {
      name: "search-nothing",
      show: sent(paths.operator, "search form", (page) =>
        page.locator("#search").fill("nobody@uni.example"),
      ),
    },
    { name: "new-request", show: at(paths.operatorNewRequest) },
    { name: "new-request-problems", show: sent(paths.operatorNewRequest, "main form") },
    { name: "batch-later", show: at(batch("later", "new", "late")) },
    { name: "batch-complete", show: at(batch("complete", "mine")) },
    { name: "batch-problems", show: sent(batch("complete", "mine"), "main form") },
    { name: "health", show: at(paths.operatorHealth) },
    { name: "figures", show: at(paths.operatorFigures) },
    { name: "figures-empty", show: atEmpty(paths.operatorFigures) },
    { name: "subject", show: at(paths.operatorSubject) },
    {
      name: "subject-found",
      show: async (page) => {
        await go(page, paths.operatorSubject);
        const found = await work.find(states.undelivered);
        await page.locator("#address").fill(found?.email ?? "");
        await page.locator("main form button").last().click();
        await page.locator("main [role=status]").first().waitFor();
      },
    },
    { name: "people", show: at(paths.operatorPeople) },
    { name: "people-problems", show: sent(paths.operatorPeople, formOf("invite")) },
    { name: "history", show: at(paths.operatorHistory) },
    { name: "first-day", show: at(paths.operatorHandOver) },
    { name: "me", show: at(paths.operatorMe) },
    { name: "me-problems", show: sent(paths.operatorMe, formOf("away")) },
    { name: "touch-kept", show: promptForTouch },
    { name: "sign-in", show: atDoor(paths.operatorSignIn) },
    { name: "sign-in-problem", show: withWrongCode },
    { name: "enrol", show: atDoor(link.slice(publicUrl.length)) },
    { name: "enrol-problem", show: atDoor(`${paths.operatorEnrol}#nobody`) },
    { name: "missing", show: at("/operator/requests/2222-2222") },
    {
      name: "admins-only",
      show: async (page) => go(page, paths.operatorPeople, await signedIn("Tariq", "operator")),
    },
    ...Object.keys(states).map((state) => ({
      name: `request-${state}`,
      show: at(request(state as keyof typeof states)),
    })),
    {
      name: "request-everything-open",
      show: async (page) => {
        await go(page, request("mine"));
        await page.evaluate(unfold);
      },
    },
    { name: "request-problems", show: sent(request("new"), formOf("refuse")) },
    { name: "request-overtaken", show: alone(overtaken) },
    { name: "request-offline", show: offline },
    ...(foreign ? [{ name: "request-other-language", show: previewed(foreign.reference) }] : []),
    { name: "sending-later", show: sendingLater("new") },
    { name: "sending-batch", show: sendingLater("new", "late", ...(foreign ? [foreign] : [])) },
  ];

  function atDoor(path: string) {
    return async (page: Page) => {
      await page.context().clearCookies();
      await page.goto("about:blank");
      await page.goto(publicUrl + to(path));
      await page.locator("main button, main [class*=notice], main [role=alert]").first().waitFor();
    };
  }
  async function withWrongCode(page: Page) {
    await atDoor(paths.operatorSignIn)(page);
    await page.locator("main summary").click();
    await page.locator("#code").fill("0000-0000-0000-0000");
    await page.locator("main details button").click();
    await page.getByText(door.problems["code-unknown"]).waitFor();
  }
  async function promptForTouch(page: Page) {
    await go(page, request("new"), await signedIn("Nadia", "admin", 20));
    const form = page.locator(formOf("refuse"));
    await page.locator("details#refuse summary").click();
    await form.locator("input[value=no-account]").check();
    await form.getByRole("button", { name: desk.form.preview }).click();
    await page.getByRole("button", { name: desk.sending.send.refuse }).click();
    await page.locator("input[name=passkey]").waitFor({ state: "attached" });
  }
  /**
   * Takes a request on Today. Undoes the act so that later screenshots show the request unchanged.
   */
  async function taken(page: Page) {
    await go(page, paths.operator);
    const row = page.locator("main li", { hasText: states.late });
    await row.locator("form button").click();
    await page.locator("#told").waitFor();
    await work.act(states.late, { type: "undo", explanation: "" }, "Nadia");
  }
  async function chosen(page: Page) {
    await go(page, paths.operator);
    for (const box of await page.locator("input[type=checkbox][name=r]").all()) await box.check();
    await page.evaluate(() => scrollTo(0, 0));
  }
  /** Previews the refusal of a request whose language differs from the page's. */
  function previewed(reference: string) {
    return async (page: Page) => {
      await go(page, paths.operatorRequest(reference));
      await page.locator("details#refuse summary").click();
      const form = page.locator(formOf("refuse"));
      await form.locator("input[value=no-account]").check();
      await form.getByRole("button", { name: desk.form.preview }).click();
      await page.locator("main pre").waitFor();
    };
  }
  /** Previews emails about a later due date, one per language of the requests. */
  function sendingLater(...of: (keyof typeof states | { reference: string })[]) {
    const references = of.map((choice) =>
      typeof choice === "string" ? states[choice] : choice.reference,
    );
    const [only = ""] = references;
    const query = references.map((reference) => `r=${reference}`).join("&");
    const path =
      references.length === 1
        ? paths.operatorRequest(only)
        : `${paths.operator}?act=later&${query}`;
    return async (page: Page) => {
      await go(page, path);
      await page.evaluate(unfold);
      const form = page.locator(formOf("later"));
      await form.locator("input[value=time]").check();
      await chooseDay(form);
      for (const box of await form.locator("input[name=r][type=checkbox]").all()) await box.check();
      await form.locator("button[name=preview]").click();
      await page.locator("main pre").first().waitFor();
    };
  }
  async function overtaken(page: Page) {
    await go(page, request("new"));
    await page.locator("#note-note").waitFor({ state: "attached" });
    // Another operator puts the request on hold in the meantime and then lifts the hold, so the
    // request is unchanged in other screenshots.
    const hold = {
      type: "hold",
      reason: "dues",
      until: operatorDesk.matterOf([]).today,
      explanation: "",
    } as const;
    for (const act of [hold, { type: "release" } as const]) {
      await byOperator(site.foundation, states.new, act, "Tariq");
    }
    await page.locator(formOf("take")).locator("button[type=submit]").click();
    await page.locator("#told").waitFor();
  }
  async function offline(page: Page) {
    await go(page, request("mine"));
    await page.locator("details#note summary").click();
    await page.locator("#note-note").fill(explanation);
    await page.context().setOffline(true);
    await page.locator(formOf("note")).locator("button[type=submit]").click();
    await page.locator("#told").waitFor();
    await page.context().setOffline(false);
  }

  return {
    scenes,
    states,
    async [Symbol.asyncDispose]() {
      await site[Symbol.asyncDispose]();
      await empty[Symbol.asyncDispose]();
    },
  };
}

const dataOf: Partial<Record<AccountAnswer["type"], Record<string, unknown>>> = {
  "account.deletion.failed": {
    reason: "Step 3 of 5, wallet: its ledger is locked until midnight.",
    again: true,
  },
  "account.deletion.completed": {
    lines: kindsToAnswer(dataList).map((place, index) =>
      index === 1
        ? { ...place, outcome: "kept", reason: "legal-duty", until: "2027-06-30" }
        : { ...place, outcome: index % 4 === 3 ? "none" : "deleted" },
    ),
    told: recipientsToNotify(dataList),
    backupsGoneBy: "2026-12-31",
    accountId: "u-48210",
  },
};
