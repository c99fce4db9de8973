import { afterEach, beforeEach } from "vitest";
import {
  startReceiver,
  type TestReceiver,
} from "../../server/account-system/account-system.fixture.ts";
import { runCommand } from "../../server/cli/account-system.ts";
import { runOnRestored } from "../../server/cli/restore.ts";
import type { AccountSystemConfig } from "../../server/config.ts";
import { compareCopies, recordRestored } from "../../server/deletion-requests/jobs/restore.ts";
import { Secret } from "../../server/platform/crypto/keys.ts";
import { hookPaths } from "../../server/platform/http/paths.ts";
import { addOperator } from "../../server/team/roster/operators.ts";
import { expectAsAgreed } from "./account-contract.ts";
import { campus } from "./campus.ts";
import { openSiteWithMail } from "./site-with-mail.ts";

export type AccountScenario = Awaited<ReturnType<typeof openAccountScenario>>;

const pollToken = "a-token-for-fetching-events-of-0123456789";

/** Chooses the site's account-system settings for a test receiver. */
type Setting = (receiver: TestReceiver) => AccountSystemConfig;

/** Configures an account system that polls for events and receives no webhook calls. */
export function fetchesEvents(receiver: TestReceiver): AccountSystemConfig {
  const { mode, inboundSecrets } = receiver.config();
  return { mode, inboundSecrets, url: undefined, secrets: [], pollToken: new Secret(pollToken) };
}

type FetchedItems = {
  id: string;
  event: { type: string; data: Record<string, unknown> & { id: string } };
}[];

/** The current test's scenario. Available in files that call `scenarioForEachTest()`. */
export let scenario: AccountScenario;

export function scenarioForEachTest(): void {
  beforeEach(async () => {
    scenario = await openAccountScenario();
  });
  afterEach(() => scenario[Symbol.asyncDispose]());
}

/** Replaces the current test's scenario. The new scenario's site has other settings. */
export async function replaceScenario(set: Setting): Promise<void> {
  await scenario[Symbol.asyncDispose]();
  scenario = await openAccountScenario(set);
}

/**
 * Opens a site with a local mail server and a local account system. Students submit and confirm
 * forms through the site. The site sends signed events to the account system, which calls the
 * site's webhook.
 */
export async function openAccountScenario(set: Setting = (receiver) => receiver.config()) {
  let clock = () => Temporal.Now.instant();
  const receiver = await startReceiver({ now: () => clock() });
  const accountSystem = set(receiver);
  const story = await openSiteWithMail({ accountSystem, listen: false });
  const { site, mail, desk } = story;
  clock = site.clock;
  await site.database.write((transaction) => addOperator(transaction, "Nadia", site.clock()));

  return {
    ...story,
    receiver,
    /**
     * Submits and confirms a request in this student's name, then delivers the `requested` event
     * unless the test prevents that.
     */
    async confirmed(name: string) {
      const email = `${name}.rahman@uni.example`;
      const { reference } = await story.confirmed(email);
      await site.rounds.runOnce();
      return { email, reference };
    },
    /**
     * Creates a request that the account system has reported as started. Returns the data of the
     * answer that would complete the request.
     */
    async started(name: string) {
      const request = await this.confirmed(name);
      await this.accepted("started", { id: this.idOf() });
      return { ...request, answer: this.deleted() };
    },
    /** Calls the site's webhook, as the account system does. */
    async answer(type: string, data: Record<string, unknown>, change: { id?: string } = {}) {
      const answer = { type: `account.deletion.${type}`, data };
      return this.call(receiver.sign(answer, site.clock(), change));
    },
    async call({ query = "", ...init }: RequestInit & { query?: string }) {
      const response = await site.ask(hookPaths.accountSystem + query, { method: "POST", ...init });
      const body = (await response.json()) as Record<string, unknown>;
      return { status: response.status, body, headers: response.headers };
    },
    /** Polls for waiting events, as a polling account system does. */
    async fetchEvents(query = "") {
      const headers = { Authorization: `Bearer ${pollToken}` };
      const { body } = await this.call({ method: "GET", query, headers });
      return body as { items: FetchedItems; leasedUntil: string };
    },
    /** Runs `npm run account-system -- …`. */
    command: (...words: string[]) =>
      runCommand(words, {
        ...site.foundation,
        config: { accountSystem, publicUrl: site.publicUrl },
      }),
    /** Types of received events without their common prefix, oldest first. */
    receivedTypes: () =>
      receiver.received.map(({ event }) => event.type.replace("account.deletion.", "")),
    /** Sends a message that the site must accept. Returns the request's new state. */
    async accepted(type: string, data: Record<string, unknown>): Promise<unknown> {
      const { status, body } = await this.answer(type, data);
      if (status !== 200) throw new Error(`${type} was answered with ${status}`);
      return body.state;
    },
    /** Sends a message that the site must refuse. Returns the reason for the refusal. */
    async refused(type: string, data: Record<string, unknown>): Promise<unknown> {
      const { status, body } = await this.answer(type, data);
      if (status !== 409) throw new Error(`${type} was answered with ${status}`);
      return body.because;
    },
    /** Advances the clock by `duration`, then runs all due jobs. Repeats this `times` times. */
    async pass(duration: Temporal.DurationLikeObject, times = 1): Promise<void> {
      for (let time = 0; time < times; time++) {
        site.wait(duration);
        await site.rounds.runOnce();
      }
    },
    /**
     * Returns the deletion's id from the newest `requested` event, or from the one with this
     * reference.
     */
    idOf: (reference?: string) => String(receiver.newest("requested", reference).event.data.id),
    /** Builds the completion data for the newest request. */
    deleted: () => deletionFor(receiver.newest("requested").event.data),
    mailsTo: (email: string) => mail.received.filter(({ to }) => to.includes(email)),
    teamMails: () =>
      mail.received.filter(
        ({ mail }) => mail.subject === campus.mail["operator-account-system"].subject,
      ),
    /** Queued and sent events for the account system, oldest first. */
    events: async () =>
      site.kysely
        .selectFrom("outbox")
        .selectAll()
        .where("recipient", "=", "account-system")
        .orderBy("id")
        .execute(),
    /** Marks the store as restored from a backup. Doesn't confirm the restore. */
    async putBackCopy(): Promise<void> {
      const at = site.clock();
      const copies = [{ file: "copy", takenAt: at.toString() }];
      const found = await compareCopies(undefined, site.foundation.database.read);
      const report = { copies, ...found };
      await recordRestored(site.foundation, { name: "Nadia", at, knownUntil: at, report });
    },
    async confirmCopy(): Promise<void> {
      for (const step of ["write", "confirm"]) {
        await runOnRestored([step, "--as", "Nadia"], site.foundation);
      }
      await site.rounds.runOnce();
    },
    async state(reference: string): Promise<string | undefined> {
      return (await desk.find(reference))?.state;
    },
    async [Symbol.asyncDispose]() {
      await story[Symbol.asyncDispose]();
      await receiver[Symbol.asyncDispose]();
      expectAsAgreed(receiver.received);
    },
  };
}

/** Builds an account system's completion data, with one result per kind of data in the event. */
export function deletionFor({ id, kinds, tell }: Record<string, unknown>) {
  const places = kinds as { store: string; kind: string }[];
  return {
    id,
    lines: places.map((place, index) =>
      index === places.length - 1
        ? { ...place, outcome: "none" }
        : { ...place, outcome: "deleted", count: 1 },
    ),
    told: tell as string[],
    backupsGoneBy: "2026-12-21",
    accountId: "u-17",
  };
}
