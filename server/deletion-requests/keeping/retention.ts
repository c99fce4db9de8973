import { dateAt } from "../../calendar/business-days.ts";
import type { Database } from "../../database/database.ts";
import { dropOldRestores } from "../../database/restore-hold.ts";
import { letOthersIn } from "../../let-others-in.ts";
import { dropPastAbsences } from "../../operators/absences.ts";
import { dropSettledMessages, isDelayed } from "../../outbox/outbox.ts";
import { dropOldForms } from "../asking/form-quota.ts";
import { forgetEntries, hasEntriesBefore } from "../ledger/chain.ts";
import { tally } from "../ledger/monthly-counters.ts";
import { eraseAfterDays, isEnded } from "../life/request.ts";
import { dropOldActs } from "../store/audit-log.ts";
import { enterExpiry } from "../store/changes.ts";
import { listErasable, listExpired, listForgettable } from "../store/due-work.ts";
import { addEvent } from "../store/events.ts";
import { findRequestById } from "../store/finding.ts";
import { listReferences } from "../store/forms.ts";
import { dropGone, enterGone } from "../store/gone-references.ts";
import { closeLinks } from "../store/links.ts";
import type { Office } from "../working/acts.ts";
import type { Forgetting } from "./erasing.ts";
import { forgetAll, lot } from "./lots.ts";
import { goneReferences } from "./removing.ts";

/** What goes by itself, and when: requests that nobody confirms, names of those that ended, links, and in the end all. */

type Services = Office & { database: Database; forgetting: Forgetting };

/** What left long ago and belongs to no request. */
const dropSettledAfterDays = 30;
/** CCPA regulations section 7101: a log of requests is kept for 24 months. */
const forgetAfterMonths = 24;

/** Nobody confirmed it while its links worked: nothing of it is left but a hash of its references. */
export async function expire(services: Services, now: Temporal.Instant): Promise<void> {
  const { database, calendar, keys, forgetting } = services;
  const today = dateAt(calendar, now);
  await forgetAll(
    forgetting,
    () => listExpired(database.read, { until: now, limit: lot }),
    async (transaction, forget, id) => {
      const request = await findRequestById(transaction, { id });
      if (request?.state !== "received") return;
      if (Temporal.Instant.compare(request.expiresAt, now) > 0) return;
      // Nobody can press a button that did not arrive yet.
      if (await isDelayed(transaction, { ownerId: id, kind: "confirm" })) {
        await enterExpiry(transaction, { id, expiresAt: now.add({ hours: 24 }) });
        return;
      }
      await enterGone(
        transaction,
        keys,
        await listReferences(transaction, { requestId: id, limit: goneReferences }),
        "expired",
        now,
      );
      await forget(id, "whole", now);
      await tally(transaction, today, "expired");
    },
  );
}

/** It has ended, and its person knows or had time to: what names them goes. */
export async function erase(services: Services, now: Temporal.Instant): Promise<void> {
  const { database, forgetting } = services;
  const latest = now.subtract({ hours: eraseAfterDays * 24 });
  await forgetAll(
    forgetting,
    () => listErasable(database.read, latest, lot),
    async (transaction, forget, id) => {
      const request = await findRequestById(transaction, { id });
      if (!request || !isEnded(request) || request.erasedAt) return;
      await forget(id, "person", now);
      await addEvent(transaction, request, { actor: "system", type: "erase", at: now });
    },
  );
}

/** The pages of ended requests open no longer. */
export async function closeStatusPages(
  { database }: Services,
  now: Temporal.Instant,
): Promise<void> {
  await database.write((transaction) => closeLinks(transaction, { now }));
}

/** What is as old as the law asks for goes altogether, and with it what was kept about it. */
export async function forgetOld(services: Services, now: Temporal.Instant): Promise<void> {
  const { database, calendar, keys, forgetting } = services;
  const before = now
    .toZonedDateTimeISO(calendar.timeZone)
    .subtract({ months: forgetAfterMonths })
    .toInstant();
  await forgetAll(
    forgetting,
    () => listForgettable(database.read, { until: before, limit: lot }),
    (_, forget, id) => forget(id, "whole", now),
  );
  while (await hasEntriesBefore(database.read, before)) {
    await database.write((transaction) => forgetEntries(transaction, keys, before, lot, now));
    await letOthersIn();
  }
  const settledBefore = now.subtract({ hours: dropSettledAfterDays * 24 });
  await database.write(async (transaction) => {
    await dropSettledMessages(transaction, { before: settledBefore });
    await dropOldActs(transaction, { before });
    await dropOldRestores(transaction, { before });
    await dropGone(transaction, { before });
    await dropOldForms(transaction, now);
    await dropPastAbsences(transaction, { today: dateAt(calendar, now) });
  });
}
