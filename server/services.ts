import type { Logger } from "pino";
import { accountChannel } from "./account-system/events.ts";
import { createHook, type Hook } from "./account-system/hook.ts";
import { createReconciliation, findSilence, tellStuck } from "./account-system/reconciliation.ts";
import { createAccountChannel } from "./account-system/sending.ts";
import { isStorageProblem } from "./database/database.ts";
import { nameOfError } from "./database/trouble.ts";
import { createSubmitting } from "./deletion-requests/asking/submitting.ts";
import { createVisits } from "./deletion-requests/asking/visits.ts";
import { createUpkeep } from "./deletion-requests/keeping/retention-jobs.ts";
import { listPublishedKeys } from "./deletion-requests/ledger/entries.ts";
import { createForgetting } from "./deletion-requests/store/erasing.ts";
import {
  createMailWriters,
  createReceiptWriter,
  type MailWriter,
  type SpokenCampus,
  type SpokenSite,
} from "./deletion-requests/telling/mail-writer.ts";
import { createMailChannels, tellTrouble } from "./deletion-requests/telling/mails.ts";
import { createDesk } from "./deletion-requests/working/desk.ts";
import { createHealth } from "./health.ts";
import { createClientAddress, createNetworkBudget } from "./http/networks.ts";
import { hookPaths } from "./http/paths.ts";
import { createMailer } from "./mail/mailer.ts";
import type { Foundation } from "./open.ts";
import { createOperatorDesk } from "./operator-desk/operator-desk.ts";
import { createOutboxWorker } from "./outbox/worker.ts";
import { createLoop, createScheduler, type Scheduler } from "./scheduler.ts";
import { createSecurityEvents } from "./security-events.ts";
import { createHandOver } from "./sign-in/hand-over.ts";
import { createSignIn, type SignIn } from "./sign-in/sign-in.ts";
import { createTeam } from "./sign-in/team.ts";

/** What the build made for the services. */
export type BuiltFiles = SpokenSite & {
  /** Absolute path of the built files for browsers. */
  clientDir: string;
  /** Text of a built file, by its address. */
  readAsset: (path: string) => string;
};

/** Builds everything that runs: what the pages use, and the rounds that send mail and keep the promises of time. */
export function createServices(foundation: Foundation, bundle: BuiltFiles, log: Logger) {
  const { config, database, mailFiles } = foundation;
  const { publicUrl } = config;
  const accountSystem = config.accountSystem.mode === "off" ? undefined : config.accountSystem;
  const duty = database.duty("upkeep");
  const loop = createLoop();
  const shared = {
    ...foundation,
    log,
    onOutbox: loop.wake,
    onStorageProblem: (error: unknown) =>
      log.error({ error: describeError(error) }, "a request could not be stored"),
  };
  const byOne = { ...shared, database: duty.database };
  const writeMail = createMailWriters(bundle, publicUrl);
  const security = createSecurityEvents(shared);
  const rounds = createScheduler({
    ...shared,
    loop,
    duty,
    upkeep: createUpkeep({
      ...byOne,
      ...(accountSystem?.mode === "live" && {
        findSilence: () => findSilence(byOne.database.read, byOne.clock()),
      }),
      forgetting: createForgetting({ ...byOne, removeMailFiles: mailFiles.remove }),
    }),
    reconcile: accountSystem && createReconciliation({ ...byOne, mode: accountSystem.mode }),
    security,
    outbox: createOutbox(shared, bundle.campus, writeMail, () => rounds.hurry()),
  });
  const { product: siteName } = bundle.campus.settings;
  const place = publicUrl + hookPaths.accountSystem;
  const onDisbelieved = security.refusedSignature;
  const site = createSiteServices(shared, bundle, {
    rounds,
    writeMail,
    operators: security.watch(createSignIn({ ...shared, publicUrl, siteName })),
    hook: accountSystem && createHook({ ...shared, onDisbelieved, place }, accountSystem),
  });
  return { site, rounds };
}

type Shared = Foundation & {
  log: Logger;
  onOutbox: () => void;
  onStorageProblem: (error: unknown) => void;
};

/** What sends, by mail and to the account system. */
function createOutbox(
  shared: Shared,
  { settings }: SpokenCampus,
  writeMail: MailWriter,
  onTold: () => void,
) {
  const { config, keys, mailFiles } = shared;
  const { accountSystem } = config;
  const mailer = createMailer({
    smtpUrl: config.smtpUrl,
    tls: config.smtpTls,
    files: mailFiles,
    from: {
      name: settings.product,
      address: config.mailFrom ?? settings.email,
      replyTo: settings.email,
    },
  });
  const operatorAddress = config.operatorMail ?? settings.email;
  const mail = createMailChannels({ ...shared, mailer, writeMail, operatorAddress, onTold });
  const isSentTo = accountSystem.mode !== "off" && accountSystem.url !== undefined;
  return createOutboxWorker({
    ...shared,
    channels: {
      ...mail,
      ...(isSentTo && { [accountChannel]: createAccountChannel(shared, accountSystem) }),
    },
    onStuck: (transaction, item, failure, now) => {
      const tell = item.recipient === accountChannel ? tellStuck : tellTrouble;
      return tell(transaction, keys, item, failure, now);
    },
  });
}

/** What the pages may use. Everything that can be reached is handed in; tests hand in their own. */
export type SiteServices = ReturnType<typeof createSiteServices>;

function createSiteServices(
  shared: Shared,
  { campus, clientDir, readAsset }: BuiltFiles,
  parts: { rounds: Scheduler; writeMail: MailWriter; operators: SignIn; hook: Hook | undefined },
) {
  const { config, database, clock, log } = shared;
  const { rounds, writeMail, hook } = parts;
  const { maxUnconfirmed, publicUrl, deletionMode, isDrill } = config;
  const hooks: Record<string, Hook> = hook ? { [hookPaths.accountSystem]: hook } : {};
  const budget = createNetworkBudget({ ...shared, forms: config.submissionLimit });
  return {
    publicUrl,
    deletionMode,
    /** Nothing here is real, and operators' pages say so. */
    isDrill,
    submitting: createSubmitting({
      ...shared,
      maxUnconfirmed,
      budget,
      deletionMode,
      mailDomains: campus.settings.mailDomains,
    }),
    visits: createVisits(shared),
    /** What each client, and its networks, may cost. */
    budget,
    desk: createDesk(shared),
    operatorDesk: createOperatorDesk({ ...shared, writeMail }),
    operators: parts.operators,
    /** Lets somebody in to the operators' pages, or ends that. */
    team: createTeam({ ...shared, publicUrl }),
    /** A new site's first day, and the team's change once a year. */
    handOver: createHandOver(shared),
    /**
     * By address, where other programs call. A hook proves its callers by itself; that the call comes from elsewhere is
     * its purpose.
     */
    hooks,
    /** Every key that ever signed a receipt, newest first. */
    receiptKeys: () => listPublishedKeys(database.read),
    /** The receipt of a completed request as a file, the same as its mail has. */
    writeReceipt: createReceiptWriter(writeMail),
    clock,
    clientDir,
    readAsset,
    /** Address of the peer, after trusted hops. */
    clientAddress: createClientAddress(config.trustProxy),
    /** How the service is, for people and for `/healthz`. */
    health: createHealth({
      ...shared,
      maxUnconfirmed,
      isErasingHeld: rounds.isErasingHeld,
      hasAccountSystem: config.accountSystem.mode !== "off",
    }),
    log,
    /** Whether the store could not be used, so that the same may work later. */
    isStorageProblem,
    /** Told of every fault; `path` has no query. */
    reportError: (error: unknown, path: string) =>
      log.error({ path, error: describeError(error) }, "a page failed"),
  };
}

/** An error as text without what a person typed: its name, codes (SQLite's own, too) and where it happened. */
function describeError(error: unknown): string {
  const stack = error instanceof Error ? error.stack?.split("\n").slice(1, 6).join("\n") : "";
  return [nameOfError(error), stack].filter(Boolean).join(" ");
}
