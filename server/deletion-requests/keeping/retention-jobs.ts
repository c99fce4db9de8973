import type { Database } from "../../database/database.ts";
import { isHeldByRestore } from "../../database/restore-hold.ts";
import type { Write } from "../../database/statement.ts";
import type { KeeperByClock } from "../life/promised-dates.ts";
import type { Office } from "../working/acts.ts";
import type { Forgetting } from "./erasing.ts";
import { complete, endHolds, tellLate } from "./promises.ts";
import { closeStatusPages, erase, expire, forgetOld } from "./retention.ts";
import { digest, type NoticeServices, takeAsTold, warn } from "./team-notices.ts";

/**
 * What time alone brings: unconfirmed requests go, ended ones lose their personal data, old ones are forgotten, and
 * the operators are told what is due. Safe to run at any moment and any number of times. Each step asks an index what
 * is due, and takes it in small lots between which everybody else is served: nothing to do costs nothing.
 */
export type Upkeep = ReturnType<typeof createUpkeep>;

type Services = Office &
  NoticeServices & {
    database: Database;
    clock: () => Temporal.Instant;
    forgetting: Forgetting;
    onOutbox?: () => void;
  };

type Step = (services: Services, now: Temporal.Instant) => Promise<void>;

const keepers: Record<KeeperByClock, Step> = {
  ...{ complete, expire, erase, closeStatusPages, forgetOld, endHolds, tellLate },
};

export function createUpkeep(services: Services) {
  const { database, clock, forgetting } = services;
  return {
    /** Somebody has just seen what the mails of this moment would tell the operators: they are not sent. */
    takeAsTold: (transaction: Write, now: Temporal.Instant) =>
      takeAsTold(services, transaction, now),

    /**
     * Every step is tried, whatever became of the others; the first problem is thrown in the end.
     * @param mayErase false while the clock cannot be trusted: what is gone does not come back with the right time, nor a
     *   mail to a person that says that a day has passed
     */
    async run(mayErase = true): Promise<void> {
      const now = clock();
      if (await isHeldByRestore(database.read)) return;
      const problems: unknown[] = [];
      const sweep: Step = (_, at) => forgetting.finish(at);
      for (const step of [...(mayErase ? Object.values(keepers) : []), sweep, warn, digest]) {
        await step(services, now).catch((problem: unknown) => problems.push(problem));
      }
      services.onOutbox?.();
      if (problems.length > 0) throw problems[0];
    },
  };
}
