import { dateAt } from "../calendar/business-days.ts";
import type { Database } from "../database/database.ts";
import type { Write } from "../database/statement.ts";
import { enterAct, type JournalAct } from "../deletion-requests/store/audit-log.ts";
import { findNobodyThere } from "../deletion-requests/telling/presence.ts";
import { collectSubject, type Subject } from "../deletion-requests/telling/subject.ts";
import type { Office } from "../deletion-requests/working/acts.ts";
import type { Desk } from "../deletion-requests/working/desk.ts";
import {
  type Absence,
  type AbsenceProblem,
  addAbsence,
  isAwayOn,
  listAbsences,
  parseAbsence,
  removeAbsence,
  type TypedAbsence,
} from "../operators/absences.ts";
import { listOperators } from "../operators/operators.ts";

/** What operators keep an eye on beside the requests: each other. */
export type Watch = ReturnType<typeof createWatch>;

/** Who acts, as the guard of the pages knows them. */
type Actor = { id: number; name: string; role: "operator" | "admin" };

export function createWatch(
  services: Pick<Office, "calendar"> & {
    database: Database;
    clock: () => Temporal.Instant;
    desk: Desk;
  },
) {
  const { database, calendar, clock, desk } = services;
  const today = () => dateAt(calendar, clock());

  function enter(transaction: Write, by: Actor, act: JournalAct, about: string): Promise<number> {
    return enterAct(transaction, { at: clock(), name: by.name, act, about });
  }

  return {
    /** Absences that are not over, the first to begin first, and when nobody will be there. */
    async presence(): Promise<{
      today: Temporal.PlainDate;
      absences: (Absence & { now: boolean })[];
      nobodyThere: Temporal.PlainDate | undefined;
      team: { id: number; name: string }[];
    }> {
      const { read } = database;
      const day = today();
      const operators = await listOperators(read);
      return {
        today: day,
        absences: (await listAbsences(read, day)).map((absence) => ({
          ...absence,
          now: isAwayOn(absence, day),
        })),
        nobodyThere: await findNobodyThere(read, calendar, day),
        team: operators.flatMap(({ id, name, leftAt }) => (leftAt ? [] : [{ id, name }])),
      };
    },

    /** @param operatorId whose absence it is: one's own, or for an admin anybody's of the team */
    async goAway(
      typed: TypedAbsence,
      operatorId: number,
      by: Actor,
    ): Promise<AbsenceProblem | "done" | "not-yours"> {
      const parsed = parseAbsence(typed, today());
      if (!parsed.ok) return parsed.problem;
      if (operatorId !== by.id && by.role !== "admin") return "not-yours";
      const { absence } = parsed;
      const team = await listOperators(database.read);
      const whose = team.find(({ id, leftAt }) => id === operatorId && leftAt === undefined);
      if (!whose) return "not-yours";
      return database.write(async (transaction) => {
        if (!(await addAbsence(transaction, operatorId, absence))) return "too-many";
        await enter(transaction, by, "away", `${whose.name} ${absence.from}/${absence.until}`);
        return "done";
      });
    },

    /** Somebody is back. False when it is gone already, or another one's. */
    async comeBack(id: number, by: Actor): Promise<boolean> {
      const found = (await listAbsences(database.read, today())).find((one) => one.id === id);
      if (!found || (found.operatorId !== by.id && by.role !== "admin")) return false;
      return database.write(async (transaction) => {
        const { operatorId } = found;
        const removed = (await removeAbsence(transaction, { id, operatorId })) > 0;
        const about = `${found.name} ${found.from}/${found.until}`;
        if (removed) await enter(transaction, by, "away-end", about);
        return removed;
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
