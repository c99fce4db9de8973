import type { Database } from "../database/database.ts";
import { collectSubject, type Subject } from "../deletion-requests/telling/subject.ts";
import type { Office } from "../deletion-requests/working/acts.ts";
import type { Desk } from "../deletion-requests/working/desk.ts";

export function createWatch(
  services: Pick<Office, "calendar"> & {
    database: Database;
    clock: () => Temporal.Instant;
    desk: Desk;
  },
) {
  const { desk } = services;
  return {
    /** Everything that is held about an address, to be handed out; entered with the references alone. */
    async takeSubject(address: string, by: { name: string }): Promise<Subject> {
      const found = await desk.search(address);
      const subject = await collectSubject(services, address, found);
      await desk.enter(by.name, "subject-file", found.map(({ reference }) => reference).join(" "));
      return subject;
    },
  };
}
