import { afterEach, beforeEach } from "vitest";
import {
  startReceiver,
  type TestReceiver,
} from "../../server/account-system/account-system.fixture.ts";
import { runCommand } from "../../server/command-line/account-system.ts";
import { runOnRestored } from "../../server/command-line/restore.ts";
import type { AccountSystemConfig } from "../../server/config.ts";
import { compareCopies, enterRestored } from "../../server/deletion-requests/keeping/restore.ts";
import { hookPaths } from "../../server/http/paths.ts";
import { Secret } from "../../server/keys/keys.ts";
import { addOperator } from "../../server/operators/operators.ts";
import { expectAsAgreed } from "./account-contract.ts";
import { campus } from "./campus.ts";
import { openSiteWithMail } from "./site-with-mail.ts";

export type AccountWalk = Awaited<ReturnType<typeof walkWithAccounts>>;

const pollToken = "a-token-for-whoever-fetches-events-0123456789";

/** How a site is set that stands beside this account system. */
type Setting = (receiver: TestReceiver) => AccountSystemConfig;

/** How a site is set whose account system is not called, and fetches its events. */
export function fetchesEvents(receiver: TestReceiver): AccountSystemConfig {
  const { mode, inboundSecrets } = receiver.config();
  return { mode, inboundSecrets, url: undefined, secrets: [], pollToken: new Secret(pollToken) };
}

type FetchedItems = {
  id: string;
  event: { type: string; data: Record<string, unknown> & { id: string } };
}[];

/** The walk of the test that runs, in a file that begins with `walkForEachTest()`. */
export let walk: AccountWalk;

export function walkForEachTest(): void {
  beforeEach(async () => {
    walk = await walkWithAccounts();
  });
  afterEach(() => walk[Symbol.asyncDispose]());
}

/** Begins the test's walk anew, on a site that is set otherwise. */
export async function walkOtherwise(set: Setting): Promise<void> {
  await walk[Symbol.asyncDispose]();
  walk = await walkWithAccounts(set);
}

/**
 * A site with a mail server and an account system on this machine. Students ask and confirm as people do; the account
 * system receives and answers by signed calls.
 */
export async function walkWithAccounts(set: Setting = (receiver) => receiver.config()) {
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
    /** A confirmed request of a student of this name; the account system was told of it unless a test kept it from that. */
    async confirmed(name: string) {
      const email = `${name}.rahman@uni.example`;
      const { reference } = await story.confirmed(email);
      await site.rounds.runOnce();
      return { email, reference };
    },
    /** One that the account system has begun with, and what it is to say once the account is deleted. */
    async begun(name: string) {
      const request = await this.confirmed(name);
      await this.said("started", { id: this.idOf() });
      return { ...request, answer: this.deleted() };
    },
    /** Calls the hook as the account system does. */
    async say(type: string, data: Record<string, unknown>, change: { id?: string } = {}) {
      const answer = { type: `account.deletion.${type}`, data };
      return this.call(receiver.sign(answer, site.clock(), change));
    },
    async call({ query = "", ...init }: RequestInit & { query?: string }) {
      const response = await site.ask(hookPaths.accountSystem + query, { method: "POST", ...init });
      const body = (await response.json()) as Record<string, unknown>;
      return { status: response.status, body, headers: response.headers };
    },
    /** What waits for one that fetches. */
    async fetchEvents(query = "") {
      const headers = { Authorization: `Bearer ${pollToken}` };
      const { body } = await this.call({ method: "GET", query, headers });
      return body as { items: FetchedItems; leasedUntil: string };
    },
    /** `npm run account-system -- WORDS`. */
    command: (...words: string[]) =>
      runCommand(words, {
        ...site.foundation,
        config: { accountSystem, publicUrl: site.publicUrl },
      }),
    /** What came to it, oldest first. */
    heard: () => receiver.received.map(({ event }) => event.type.replace("account.deletion.", "")),
    /** What it says as it may, and the state that comes of it. */
    async said(type: string, data: Record<string, unknown>): Promise<unknown> {
      const { status, body } = await this.say(type, data);
      if (status !== 200) throw new Error(`${type} was answered with ${status}`);
      return body.state;
    },
    /** What it says and may not say now: why not. */
    async forbidden(type: string, data: Record<string, unknown>): Promise<unknown> {
      const { status, body } = await this.say(type, data);
      if (status !== 409) throw new Error(`${type} was answered with ${status}`);
      return body.because;
    },
    /** Time passes, as often as that, and what is due then is done each time. */
    async pass(duration: Temporal.DurationLike, times = 1): Promise<void> {
      for (let time = 0; time < times; time++) {
        site.wait(duration);
        await site.rounds.runOnce();
      }
    },
    /** Under which name the newest request was handed over, or that of a reference. */
    idOf: (reference?: string) => String(receiver.newest("requested", reference).event.data.id),
    /** What it says of the account of the newest request, once that is deleted. */
    deleted: () => deletedAsAsked(receiver.newest("requested").event.data),
    mailsTo: (email: string) => mail.received.filter(({ to }) => to.includes(email)),
    /** The mails that tell operators of the account system. */
    toldOperators: () =>
      mail.received.filter(
        ({ mail }) => mail.subject === campus.mail["operator-account-system"].subject,
      ),
    /** What waits for the account system or was sent to it, oldest first. */
    events: async () =>
      site.kysely
        .selectFrom("outbox")
        .selectAll()
        .where("recipient", "=", "account-system")
        .orderBy("id")
        .execute(),
    /** What is stored is from now on a copy that was put back, and waits for somebody to look at it. */
    async putBackCopy(): Promise<void> {
      const at = site.clock();
      const copies = [{ file: "copy", takenAt: at.toString() }];
      const found = await compareCopies(undefined, site.foundation.database.read);
      const report = { copies, ...found };
      await enterRestored(site.foundation, { name: "Nadia", at, knownUntil: at, report });
    },
    /** Somebody has looked at it. */
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

/** What an account system says of an account that it deleted: about each kind of data that it was asked about. */
export function deletedAsAsked({ id, kinds, tell }: Record<string, unknown>) {
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
