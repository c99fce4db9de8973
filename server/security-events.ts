import type { Database } from "./database/database.ts";
import { type JournalAct, listActs, listActsAfter } from "./deletion-requests/journal.ts";
import type { OperatorDoor } from "./sign-in/door.ts";

/**
 * What whoever watches over the service looks for, as one kind of line in the log (`event: "security"`): who was refused, and
 * every change of who may come in, made on the pages or in the shell, because both stand in the journal. A line names an
 * operator at most; each server of several writes them all.
 */
const acts: readonly JournalAct[] = [
  "add-operator",
  "remove-operator",
  "invite",
  "change-role",
  "enrol",
  "sign-in",
  "sign-out",
  "recovery",
  "add-passkey",
  "remove-passkey",
  "passkey-doubted",
  "new-codes",
  "end-sessions",
];

/** In these the journal says who or which role, and never a device. */
const aboutPeople: readonly string[] = ["add-operator", "remove-operator", "invite", "change-role"];

const atOnce = 200;

export function createSecurityEvents(services: {
  database: Database;
  log: Record<"info" | "warn", (facts: Record<string, unknown>, text: string) => void>;
}) {
  const { database, log } = services;
  let last: number | undefined;

  /** Says of whoever is refused at one of the door's ways in why they were. */
  function told<Given extends unknown[], Result extends { kind: string }>(
    act: string,
    ask: (...given: Given) => Promise<Result>,
  ): (...given: Given) => Promise<Result> {
    return async (...given) => {
      const result = await ask(...given);
      if (result.kind === "refused" && "problem" in result) {
        log.warn({ event: "security", act, problem: result.problem }, "refused");
      }
      return result;
    };
  }

  return {
    watch: (door: OperatorDoor): OperatorDoor => ({
      ...door,
      signIn: told("sign-in", door.signIn),
      touch: told("touch", door.touch),
      welcome: told("invitation", door.welcome),
      enrol: told("enrol", door.enrol),
      recover: told("recovery", door.recover),
      addDevice: told("add-passkey", door.addDevice),
    }),

    /** Writes down what was entered since the last time; the first time it only looks where the journal ends. */
    async follow(): Promise<void> {
      last ??= (await listActs(database.read, 1))[0]?.id ?? 0;
      for (;;) {
        const entered = await listActsAfter(database.read, last, atOnce);
        for (const { id, act, name, about } of entered) {
          last = id;
          if (!acts.some((one) => one === act)) continue;
          const whom = aboutPeople.includes(act) ? { about } : {};
          log.info({ event: "security", act, name, ...whom }, "who may act");
        }
        if (entered.length < atOnce) return;
      }
    },
  };
}
