import type { Logger } from "pino";
import type { Campus } from "../campus-reader/campus.ts";
import { createAccountSystem } from "./account-system/account-system.ts";
import { findLongestWaiting } from "./account-system/hand-overs.ts";
import type { Hook } from "./account-system/hook.ts";
import { isStorageProblem } from "./database/database.ts";
import { nameOfError } from "./database/error-name.ts";
import { createSubmitting } from "./deletion-requests/asking/submitting.ts";
import { createVisits } from "./deletion-requests/asking/visits.ts";
import { createForgetting } from "./deletion-requests/keeping/erasing.ts";
import { createUpkeep } from "./deletion-requests/keeping/retention-jobs.ts";
import { listHeads, listPublishedKeys } from "./deletion-requests/ledger/chain.ts";
import {
  createMailChannels,
  createTroubleReport,
} from "./deletion-requests/telling/mail-channels.ts";
import {
  createMailWriter,
  createReceiptWriter,
  joinMailWriters,
  type MailWriter,
} from "./deletion-requests/telling/mail-writer.ts";
import { createDesk } from "./deletion-requests/working/desk.ts";
import { createHealth } from "./health.ts";
import { createClientAddress } from "./http/client-address.ts";
import { createNetworkBudget } from "./http/network-budget.ts";
import { hookPaths, paths } from "./http/paths.ts";
import { createSubmissionDoor } from "./http/submission-door.ts";
import { inLanguage } from "./language/in-language.ts";
import type { MailLook } from "./mail/blocks.ts";
import { createMailer } from "./mail/mailer.ts";
import type { Foundation } from "./open.ts";
import { createOperatorDesk } from "./operator-desk/operator-desk.ts";
import { createOutboxWorker } from "./outbox/worker.ts";
import { createRounds, type Rounds } from "./rounds.ts";
import { createSecurityEvents } from "./security-events.ts";
import { createOperatorDoor, type OperatorDoor } from "./sign-in/door.ts";
import { createHandOver } from "./sign-in/hand-over.ts";
import { createTeam } from "./sign-in/team.ts";

type SpokenCampus = Pick<Campus, "settings" | "dataKinds" | "holidays" | "mail">;

/** What the services of a site are made of, beside the foundation. */
export type SiteMaterial = {
  campus: SpokenCampus;
  /** The same in the campus's other languages. */
  translations: readonly SpokenCampus[];
  /** The mails' colours. */
  look: MailLook;
  bundle: {
    /** Absolute path of the built files for browsers. */
    clientDir: string;
    /** Text of a built file, by its address. */
    readAsset: (path: string) => string;
  };
  log: Logger;
};

/** Writes a mail in any language of the campus, its link leading on in it. */
export function createMailWriters(
  { campus, translations, look }: Pick<SiteMaterial, "campus" | "translations" | "look">,
  publicUrl: string,
): MailWriter {
  return joinMailWriters(
    [campus, ...translations].map(({ mail, dataKinds, holidays, settings }) => {
      const { language, timeZone } = settings;
      const isFirst = language === campus.settings.language;
      const at = (path: string) => publicUrl + (isFirst ? path : inLanguage(path, language));
      const linkTo = (token: string) => at(`${paths.deletion}?link=${token}`);
      const receiptKeysAt = at(paths.receiptKeys);
      const receiptKeyAt = (version: number) => publicUrl + paths.receiptKey(version);
      const deskAt = (reference?: string) =>
        publicUrl + (reference === undefined ? paths.operator : paths.operatorRequest(reference));
      const names = [settings.product, settings.developer, settings.campus];
      const words = { words: mail, dataKinds, holidays, language, names, timeZone };
      const hem = settings.motifs === "delta" ? ("scallops" as const) : ("waves" as const);
      const options = { ...words, look, hem, linkTo, deskAt, receiptKeysAt, receiptKeyAt };
      return [language, createMailWriter(options)];
    }),
  );
}

/** The newest stands for all before it; older ones are for whoever noted one. */
const shownHeads = 92;

/** Builds everything that runs: what the pages use, and the rounds that send mail and keep the promises of time. */
export function createServices(foundation: Foundation, material: SiteMaterial) {
  const { config, database } = foundation;
  const { log } = material;
  const { settings } = material.campus;
  const duty = database.duty("upkeep");
  const shared = {
    ...foundation,
    log,
    onOutbox: () => rounds.wake(),
    onStorageProblem: (error: unknown) =>
      log.error({ error: describeError(error) }, "a request could not be stored"),
  };
  const writeMail = createMailWriters(material, config.publicUrl);
  const security = createSecurityEvents(shared);
  const place = config.publicUrl + hookPaths.accountSystem;
  const accountSystem = createAccountSystem(
    { ...shared, onDisbelieved: security.refusedSignature, duty, place },
    config.accountSystem,
  );
  const rounds = createRounds({
    ...shared,
    duty,
    upkeep: createUpkeep({
      ...shared,
      database: duty.database,
      ...(config.accountSystem.mode === "live" && {
        findSilence: async () => (await findLongestWaiting(duty.database.read))?.since,
      }),
      forgetting: createForgetting({
        database: duty.database,
        removeMailFiles: foundation.mailFiles.remove,
      }),
    }),
    accountSystem,
    security,
    outbox: createOutbox(foundation, material, { writeMail, accountSystem }, () => rounds.hurry()),
  });
  const operators = createOperatorDoor({
    ...shared,
    publicUrl: config.publicUrl,
    siteName: settings.product,
  });
  const site = createSiteServices(foundation, material, {
    shared,
    rounds,
    writeMail,
    operators: security.watch(operators),
    hook: accountSystem.hook,
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
  foundation: Foundation,
  { campus: { settings }, log }: SiteMaterial,
  senders: { writeMail: MailWriter; accountSystem: ReturnType<typeof createAccountSystem> },
  onTold: () => void,
) {
  const { config, keys } = foundation;
  const { accountSystem, writeMail } = senders;
  const mailer = createMailer({
    smtpUrl: config.smtpUrl,
    tls: config.smtpTls,
    files: foundation.mailFiles,
    from: {
      name: settings.product,
      address: config.mailFrom ?? settings.email,
      replyTo: settings.email,
    },
  });
  const operatorAddress = config.operatorMail ?? settings.email;
  const mail = createMailChannels({ ...foundation, mailer, writeMail, operatorAddress, onTold });
  const tellMailTrouble = createTroubleReport(keys);
  return createOutboxWorker({
    ...foundation,
    log,
    channels: { ...mail, ...accountSystem.channels },
    onStuck: (transaction, item, failure, now) =>
      item.channel in accountSystem.channels
        ? accountSystem.tellStuck(transaction, item, failure, now)
        : tellMailTrouble(transaction, item, failure, now),
  });
}

/** What the pages may use. Everything that can be reached is handed in; tests hand in their own. */
export type SiteServices = ReturnType<typeof createSiteServices>;

function createSiteServices(
  { config, database, clock }: Foundation,
  material: SiteMaterial,
  parts: {
    shared: Shared;
    rounds: Rounds;
    writeMail: MailWriter;
    operators: OperatorDoor;
    hook: Hook | undefined;
  },
) {
  const { shared, rounds, writeMail } = parts;
  const { log } = shared;
  const { maxUnconfirmed, publicUrl, deletionMode, isDrill } = config;
  const submitting = createSubmitting({ ...shared, maxUnconfirmed });
  const hooks: Readonly<Record<string, Hook>> = parts.hook
    ? { [hookPaths.accountSystem]: parts.hook }
    : {};
  const budget = createNetworkBudget({ ...shared, forms: config.submissionLimit });
  return {
    publicUrl,
    deletionMode,
    /** Nothing here is real, and operators' pages say so. */
    isDrill,
    submitting,
    visits: createVisits(shared),
    /** What each client, and its networks, may cost. */
    budget,
    submissionDoor: createSubmissionDoor({ submitting, budget, mode: deletionMode }),
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
    /** How the ledger ended on each of the last days. */
    ledgerHeads: () => listHeads(database.read, clock(), shownHeads),
    /** The receipt of a completed request as a file, the same as its mail has. */
    writeReceipt: createReceiptWriter(writeMail),
    clock,
    ...material.bundle,
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
