import type { Database } from "../database/database.ts";
import type { StoredProblem } from "../mail/delivery-problem.ts";
import type { Channel } from "../outbox/worker.ts";
import { enterStop, findStanding } from "./hand-overs.ts";
import type { Send } from "./sending.ts";
import type { EventWriter } from "./writing.ts";

/** What every event waits with while the account system has said that it is gone. */
const stopped: StoredProblem = "stopped: the account system said that it is gone (410)";

/** Hands the outbox's events to the account system, by signed POST. */
export function createAccountChannel(services: {
  database: Database;
  clock: () => Temporal.Instant;
  writeEvent: EventWriter;
  send: Send;
}): Channel {
  const { database, clock } = services;
  return {
    async deliver(item) {
      if ((await findStanding(database.read)).stoppedAt) {
        return { kind: "failed", problem: stopped, permanent: true };
      }
      const event = await services.writeEvent(item);
      if (event === undefined) return { kind: "nobody" };
      if (event === "key-missing") {
        return { kind: "failed", problem: "key is missing", permanent: true };
      }
      const body = JSON.stringify(event);
      const sent = await services.send({ id: item.messageKey, body }, clock());
      if (sent.problem === undefined) return { kind: "delivered" };
      if (sent.gone) await database.write((transaction) => enterStop(transaction, { at: clock() }));
      return {
        kind: "failed",
        problem: sent.problem,
        permanent: sent.gone,
        notBefore: sent.notBefore,
      };
    },
  };
}
