import { pathToFileURL } from "node:url";
import type { Logger } from "pino";
import { createHook, type Hook } from "./account-system/inbound/hook.ts";
import { accountChannel } from "./account-system/outbound/events.ts";
import { createAccountChannel } from "./account-system/outbound/sender.ts";
import {
  alertToStuckEvent,
  createReconciliation,
  findSilence,
} from "./account-system/reconciliation.ts";
import { createOperatorCommands } from "./deletion-requests/commands/operator-commands.ts";
import { createUpkeep } from "./deletion-requests/jobs/retention-jobs.ts";
import { listPublishedKeys } from "./deletion-requests/ledger/entries.ts";
import {
  createMailWriters,
  createReceiptWriter,
  type MailWriter,
} from "./deletion-requests/mails/mail-writer.ts";
import { alertToUndelivered, createMailChannels } from "./deletion-requests/mails/mails.ts";
import type { SpokenCampus, SpokenSite } from "./deletion-requests/mails/wording.ts";
import { createErasure } from "./deletion-requests/repository/erasing.ts";
import { createSubmitting } from "./deletion-requests/self-service/submitting.ts";
import { createVisits } from "./deletion-requests/self-service/visits.ts";
import { createMailer, type Mailer } from "./delivery/mailer.ts";
import { createOutboxWorker } from "./delivery/worker.ts";
import { createHealth } from "./health.ts";
import { createMetrics, type Metrics } from "./metrics.ts";
import type { Foundation } from "./open.ts";
import { createDeskQueries } from "./operator-desk/desk-queries.ts";
import { isStorageProblem } from "./platform/database/database.ts";
import { errorName } from "./platform/database/storage-errors.ts";
import { createClientAddress, createNetworkBudget, createTrust } from "./platform/http/networks.ts";
import { hookPaths } from "./platform/http/paths.ts";
import { createRequestIds, type RequestIds } from "./platform/http/request-ids.ts";
import { createLoop, createScheduler, type Scheduler, type Timers } from "./scheduler.ts";
import { createSecurityEvents } from "./security-events.ts";
import { createHandOver } from "./team/sign-in/hand-over.ts";
import { createTeam } from "./team/sign-in/membership.ts";
import { createSignIn, type SignIn } from "./team/sign-in/sign-in.ts";

export type BuiltFiles = SpokenSite & {
  /** Absolute path of the folder with the files for browsers. */
  clientDir: string;
  /** Returns the text of the built file at a URL path. */
  readAsset: (path: string) => string;
};

/** Dependencies on the outside world: email, timers and randomness. Tests pass their own. */
export type Means = {
  /** Renders emails. Defaults to the text in the bundle. */
  writeMail: MailWriter;
  /** Sends emails. Defaults to the mailer in the settings. */
  mailer: Mailer;
  timers: Timers;
  /** Reads a monotonic clock, in milliseconds. */
  elapsedMs: () => number;
  /** Returns a random number from 0 to 1, for the jitter of retries. */
  random: () => number;
};

/**
 * Composition root: creates the services for the pages, and the scheduler that sends emails and
 * meets deadlines.
 */
export function createServices(
  foundation: Foundation,
  bundle: BuiltFiles,
  log: Logger,
  means: Partial<Means> = {},
) {
  const { config, database, mailFiles } = foundation;
  const { publicUrl } = config;
  const accountSystem = config.accountSystem.mode === "off" ? undefined : config.accountSystem;
  const duty = database.duty("upkeep");
  const loop = createLoop(means);
  const requestIds = createRequestIds(createTrust(config.trustProxy));
  const factsOf = (error: unknown) => ({
    id: requestIds.current(),
    error: describeError(error, {
      withStack: !config.production || log.isLevelEnabled("debug"),
    }),
  });
  const shared = {
    ...foundation,
    log,
    requestIds,
    factsOf,
    onOutbox: loop.messageAdded,
    onStorageProblem: (error: unknown) =>
      log.error(factsOf(error), "a request could not be stored"),
  };
  const byOne = { ...shared, database: duty.database };
  const writeMail = means.writeMail ?? createMailWriters(bundle, publicUrl);
  const mailer = means.mailer ?? createSiteMailer(shared, bundle.campus.settings);
  const outbox = createOutbox(shared, bundle.campus, {
    ...means,
    mailer,
    writeMail,
    onNotified: () => rounds.hurry(),
  });
  const security = createSecurityEvents(shared);
  const rounds = createScheduler({
    ...shared,
    ...means,
    loop,
    duty,
    upkeep: createUpkeep({
      ...byOne,
      ...(accountSystem?.mode === "live" && {
        findSilence: () => findSilence(byOne.database.read, byOne.clock()),
      }),
      forgetting: createErasure({ ...byOne, removeMailFiles: mailFiles.remove }),
    }),
    reconcile: accountSystem && createReconciliation({ ...byOne, mode: accountSystem.mode }),
    security,
    outbox,
  });
  const { product: siteName } = bundle.campus.settings;
  const place = publicUrl + hookPaths.accountSystem;
  const onRefusedSignature = security.refusedSignature;
  const metrics = config.metricsPort === undefined ? undefined : createMetrics(shared);
  let isStopping = false;
  const site = createSiteServices(shared, bundle, {
    rounds,
    metrics,
    writeMail,
    operators: security.watch(createSignIn({ ...shared, publicUrl, siteName })),
    hook: accountSystem && createHook({ ...shared, onRefusedSignature, place }, accountSystem),
    isStopping: () => isStopping,
  });
  /** Stops the scheduler after the messages in flight are sent. */
  const stop = async () => {
    isStopping = true;
    await rounds.stop();
    mailer.close?.();
  };
  return { site, rounds, outbox, metrics, stop };
}

type Shared = Foundation & {
  log: Logger;
  requestIds: RequestIds;
  factsOf: (error: unknown) => { id: string | undefined; error: string };
  onOutbox: () => void;
  onStorageProblem: (error: unknown) => void;
};

function createOutbox(
  shared: Shared,
  { settings }: SpokenCampus,
  means: Partial<Means> & Pick<Means, "mailer" | "writeMail"> & { onNotified: () => void },
) {
  const { config, keys } = shared;
  const { accountSystem } = config;
  const operatorAddress = config.operatorMail ?? settings.email;
  const mail = createMailChannels({ ...shared, ...means, operatorAddress });
  const isSentTo = accountSystem.mode !== "off" && accountSystem.url !== undefined;
  return createOutboxWorker({
    ...shared,
    ...means,
    channels: {
      ...mail,
      ...(isSentTo && { [accountChannel]: createAccountChannel(shared, accountSystem) }),
    },
    onStuck: (transaction, item, failure, now) => {
      const alert = item.recipient === accountChannel ? alertToStuckEvent : alertToUndelivered;
      return alert({ transaction, keys, now }, item, failure);
    },
  });
}

/**
 * Creates a mailer that sends emails by SMTP or writes them to files, depending on the settings.
 */
export function createSiteMailer(
  { config, mailFiles }: Pick<Foundation, "config" | "mailFiles">,
  { product, email }: Pick<SpokenCampus["settings"], "product" | "email">,
): Mailer {
  return createMailer({
    smtpUrl: config.smtpUrl,
    tls: config.smtpTls,
    files: mailFiles,
    from: { name: product, address: config.mailFrom ?? email, replyTo: email },
  });
}

/** Services for the pages. Tests pass their own. */
export type SiteServices = ReturnType<typeof createSiteServices>;

function createSiteServices(
  shared: Shared,
  { campus, clientDir, readAsset }: BuiltFiles,
  parts: {
    rounds: Scheduler;
    metrics: Metrics | undefined;
    writeMail: MailWriter;
    operators: SignIn;
    hook: Hook | undefined;
    isStopping: () => boolean;
  },
) {
  const { config, database, clock, log } = shared;
  const { rounds, metrics, writeMail, hook } = parts;
  const { maxUnconfirmed, publicUrl, deletionMode, isDrill } = config;
  const hooks: Record<string, Hook> = hook ? { [hookPaths.accountSystem]: hook } : {};
  const budget = createNetworkBudget({ ...shared, forms: config.submissionLimit });
  const submitting = createSubmitting({
    ...shared,
    maxUnconfirmed,
    budget,
    deletionMode,
    mailDomains: campus.settings.mailDomains,
  });
  return {
    publicUrl,
    deletionMode,
    /** Whether this server is a drill. Operator pages show a notice about it. */
    isDrill,
    submitting: metrics?.watch(submitting) ?? submitting,
    visits: createVisits(shared),
    budget,
    desk: createOperatorCommands(shared),
    operatorDesk: createDeskQueries({ ...shared, writeMail }),
    operators: parts.operators,
    /** Invites and removes operators. */
    team: createTeam({ ...shared, publicUrl }),
    /** Checklists for a new site's first day and for the yearly handover. */
    handOver: createHandOver(shared),
    /**
     * Webhooks for other programs, keyed by path. They authenticate their callers and accept calls
     * from any origin.
     */
    hooks,
    /** Lists the public keys of all signing keys that the server has ever had, newest first. */
    receiptKeys: () => listPublishedKeys(database.read),
    /**
     * Renders the receipt of a completed request as a file, identical to the attachment of the
     * email.
     */
    writeReceipt: createReceiptWriter(writeMail),
    clock,
    calendar: shared.calendar,
    clientDir,
    readAsset,
    /** Returns the client's IP address, even behind trusted proxies. */
    clientAddress: createClientAddress(config.trustProxy),
    health: createHealth({
      ...shared,
      maxUnconfirmed,
      isErasingHeld: rounds.isErasingHeld,
      hasAccountSystem: config.accountSystem.mode !== "off",
    }),
    isStopping: parts.isStopping,
    log,
    requestIds: shared.requestIds,
    /**
     * Checks whether an error means that the database failed, for example because it is
     * unavailable, full or damaged.
     */
    isStorageProblem,
    /**
     * Logs an error.
     * @param path URL path without the query string
     */
    reportError: (error: unknown, path: string) =>
      log.error({ path, ...shared.factsOf(error) }, "a page failed"),
  };
}

/**
 * Describes an error in one line, without user input: its name, its codes (including SQLite's) and
 * its location in our code, but not its message.
 * @param withStack whether to list the stack frames, one per line, instead of the location
 */
export function describeError(error: unknown, { withStack }: { withStack: boolean }): string {
  const frames = error instanceof Error ? (error.stack?.split("\n").slice(1, 6) ?? []) : [];
  const ownFrame = frames.find((frame) => !/node:|node_modules/.test(frame)) ?? frames[0] ?? "";
  const place = ownFrame.trim().replace(pathToFileURL(`${process.cwd()}/`).href, "");
  return [errorName(error), withStack ? frames.join("\n") : place].filter(Boolean).join(" ");
}
