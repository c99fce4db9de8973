import { dateAt } from "../calendar/business-days.ts";
import type { Database } from "../database/database.ts";
import type { Write } from "../database/statement.ts";
import { enterAct } from "../deletion-requests/store/audit-log.ts";
import { findNobodyThere } from "../deletion-requests/telling/presence.ts";
import { collectSubject, type Subject } from "../deletion-requests/telling/subject.ts";
import type { Office } from "../deletion-requests/working/acts.ts";
import type { Desk } from "../deletion-requests/working/desk.ts";
import {
  type Absence,
  type AbsenceProblem,
  addAbsence,
  listAbsences,
  parseAbsence,
  removeAbsence,
  type TypedAbsence,
} from "../operators/absences.ts";
import { listOperators } from "../operators/operators.ts";

/** What operators keep an eye on beside the requests: each other. */

/** Who acts, as the guard of the pages knows them. */
type Actor = { id: number; name: string; role: "operator" | "admin" };

const mayChange = (operatorId: number, by: Actor) => operatorId === by.id || by.role === "admin";

export function createWatch(
  services: Pick<Office, "calendar"> & {
    database: Database;
    clock: () => Temporal.Instant;
    desk: Desk;
  },
) {
  const { database, calendar, clock, desk } = services;
  const { read } = database;
  const today = () => dateAt(calendar, clock());

  /** Enters whose days change, and by whom. */
  function change(
    by: Actor,
    act: "away" | "away-end",
    { name, from, until }: Pick<Absence, "name" | "from" | "until">,
    work: (transaction: Write) => Promise<boolean>,
  ): Promise<boolean> {
    return database.write(async (transaction) => {
      const isDone = await work(transaction);
      const about = `${name} ${from}/${until}`;
      if (isDone) await enterAct(transaction, { at: clock(), name: by.name, act, about });
      return isDone;
    });
  }

  return {
    /** Absences that are not over, the first to begin first, and when nobody will be there. */
    presence: async () => ({
      today: today(),
      absences: await listAbsences(read, today()),
      nobodyThere: await findNobodyThere(read, calendar, today()),
      team: (await listOperators(read)).filter(({ leftAt }) => leftAt === undefined),
    }),

    /** @param operatorId whose absence it is: one's own, or for an admin anybody's of the team */
    async goAway(
      typed: TypedAbsence,
      operatorId: number,
      by: Actor,
    ): Promise<AbsenceProblem | "done" | "not-yours"> {
      const parsed = parseAbsence(typed, today());
      if (!parsed.ok) return parsed.problem;
      const { absence } = parsed;
      const team = await listOperators(read);
      const whose = team.find(({ id, leftAt }) => id === operatorId && leftAt === undefined);
      if (!whose || !mayChange(operatorId, by)) return "not-yours";
      const add = (transaction: Write) => addAbsence(transaction, operatorId, absence);
      const isAdded = await change(by, "away", { name: whose.name, ...absence }, add);
      return isAdded ? "done" : "too-many";
    },

    /** Somebody is back. False when it is gone already, or another one's. */
    async comeBack(id: number, by: Actor): Promise<boolean> {
      const found = (await listAbsences(read, today())).find((one) => one.id === id);
      if (!found || !mayChange(found.operatorId, by)) return false;
      return change(by, "away-end", found, async (transaction) => {
        return (await removeAbsence(transaction, found)) > 0;
      });
    },

    /** Everything that is held about an address, to be handed out; entered with the references alone. */
    async takeSubject(address: string, by: Actor): Promise<Subject> {
      const found = await desk.search(address);
      const subject = await collectSubject(services, address, found);
      await desk.enter(by.name, "subject-file", found.map(({ reference }) => reference).join(" "));
      return subject;
    },
  };
}
