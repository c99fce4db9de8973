/**
 * Every date that a person has from us in writing: who keeps it, and where it is said. A keeper is a step of `retention-jobs.ts`
 * that acts by the clock, what is asked each time somebody comes, or the command that makes a copy. `promised-dates.test.ts` moves the clock over each.
 */
export const promisedDates = {
  due: {
    is: "the day by which the account is deleted",
    keptBy: "tellLate",
    saidIn: "mail.yaml (confirmed, in-progress, held, released, extended), the status page",
  },
  wait: {
    is: "the last day on which a request waits, whoever set it",
    keptBy: "endHolds",
    saidIn: "mail.yaml (held), the status page",
  },
  receipt: {
    is: "the moment at which what was called done is final",
    keptBy: "complete",
    saidIn: "the status page",
  },
  link: {
    is: "the moment until which a link confirms",
    keptBy: "hasExpired",
    saidIn: "mail.yaml (confirm), the success panel",
  },
  unconfirmed: {
    is: "when a request that nobody confirms disappears",
    keptBy: "expire",
    saidIn: "mail.yaml (confirm), the data table, the privacy policy",
  },
  statusPage: {
    is: "until when the page of an ended request opens",
    keptBy: "closeStatusPages",
    saidIn: "mail.yaml (completed), the receipt page",
  },
  erasure: {
    is: "when an ended request loses address and feedback: once its person was told, a refused one 30 days after the end",
    keptBy: "erase",
    saidIn: "mail.yaml (completed, refused), the data table, the privacy policy",
  },
  proof: {
    is: "when what is left of a request goes",
    keptBy: "forgetOld",
    saidIn: "the data table, the privacy policy",
  },
  backups: {
    is: "when the last copy that still holds a person's data is gone",
    keptBy: "enterAndTell",
    saidIn: "the receipt, the data table, the privacy policy",
  },
} as const satisfies Record<string, { is: string; keptBy: string; saidIn: string }>;

export type PromisedDate = keyof typeof promisedDates;

/** Those that time alone brings: `retention-jobs.ts` has a step of each name. */
export type KeeperByClock = Exclude<
  (typeof promisedDates)[PromisedDate]["keptBy"],
  "hasExpired" | "enterAndTell"
>;
