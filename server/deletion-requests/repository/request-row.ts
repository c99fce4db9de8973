import { z } from "zod";
import { approvalDays, noticeHours } from "../../periods.ts";
import { matchEmail } from "../../platform/addresses/email-address.ts";
import type { SkippedDay } from "../../platform/calendar/business-days.ts";
import type { KeyedHash } from "../../platform/crypto/keys.ts";
import type { RowIn } from "../../platform/database/rows.ts";
import { type Completion, completionSchema } from "../state-machine/completion.ts";
import {
  actors,
  type Confirmed,
  type Ended,
  fieldsOf,
  type Hold,
  holdReasons,
  type Received,
  reasonCodes,
  refusalReasons,
  type StoredRequest,
} from "../state-machine/request.ts";

/**
 * Converts between rows and requests. These functions need no database, so pages can use them too.
 */

/**
 * Converts a row to a request.
 * @throws if the row lacks a field that its state requires, or contains an unknown code
 */
export function toRequest(row: RowIn<"requests">): StoredRequest {
  return parse("requests", row.id, () => {
    const { state, id, language, sent, receivedAt, enteredBy } = row;
    const common: Received = {
      id,
      language,
      sent,
      receivedAt,
      enteredBy,
      reference: need(row, "reference"),
      reason: oneOf(reasonCodes, row.reason),
      contact: row.contact || undefined,
    };
    if (state === "received") {
      const expiresAt = need(row, "expiresAt");
      const approvableAt = approvableIn(row, expiresAt);
      return { ...common, state, email: need(row, "email"), expiresAt, approvableAt };
    }
    const confirmed: Confirmed = {
      ...common,
      confirmedAt: need(row, "confirmedAt"),
      confirmedOn: need(row, "confirmedOn"),
      dueOn: need(row, "dueOn"),
      skipped: JSON.parse(row.skipped ?? "[]") as SkippedDay[],
      firstDueOn: need(row, "firstDueOn"),
      onTimeBy: need(row, "onTimeBy"),
    };
    const { owner, startedAt, erasedAt } = row;
    const checklist =
      row.walk === undefined ? undefined : checklistSchema.parse(JSON.parse(row.walk));
    const completion = row.completion === undefined ? undefined : toCompletion(row.completion);
    if (state === "confirmed" || state === "in-progress") {
      const done = row.doneAt && { at: row.doneAt, completion: need({ completion }, "completion") };
      const working = {
        ...confirmed,
        email: need(row, "email"),
        hold: toHold(row),
        owner,
        done,
        checklist,
      };
      if (state === "confirmed") return { ...working, state };
      return { ...working, state, startedAt: need(row, "startedAt") };
    }
    const ended: Ended = {
      ...confirmed,
      startedAt,
      completion,
      erasedAt,
      email: row.email || undefined,
      endedAt: need(row, "endedAt"),
      endedBy: oneOf(actors, row.endedBy),
      // Versions that don't know this column confirm a request without clearing the column. The
      // value is therefore valid only if the request ended at the time of its confirmation.
      approvableAt: row.endedAt?.equals(confirmed.confirmedAt) ? row.approvableAt : undefined,
    };
    if (state === "refused") {
      return { ...ended, state, refusalReason: oneOf(refusalReasons, row.refusalReason) };
    }
    return { ...ended, state: oneOf(["completed", "cancelled"] as const, state) };
  });
}

const checklistSchema = z.record(z.string(), z.array(z.string()));

/**
 * Returns when an entered request can be approved. Derives the time from the expiry for rows from
 * versions up to 1.11, which didn't store it.
 */
function approvableIn(row: RowIn<"requests">, expiresAt: Temporal.Instant) {
  if (row.approvableAt || row.enteredBy === undefined) return row.approvableAt;
  return expiresAt.subtract({ hours: approvalDays * 24 }).add({ hours: noticeHours });
}

function toHold(row: RowIn<"requests">): Hold | undefined {
  if (!row.heldUntil) return undefined;
  return {
    reason: oneOf(holdReasons, row.heldReason),
    until: row.heldUntil,
    // Older versions don't store who set a hold. The account system can't end such a hold.
    by: row.heldBy === "system" ? "system" : "operator",
  };
}

function toCompletion(text: string): Completion {
  const read = completionSchema.safeParse(JSON.parse(text));
  if (!read.success) throw new Error("completion is invalid");
  return read.data;
}

/**
 * Converts a request to a row. This is the inverse of `toRequest`. Clears the columns that don't
 * exist in the request's state. Also clears the timestamps of sent notices, but `saveRequest` stores
 * those of warnings and late notices only if the due date or the expiry has changed.
 * @param account hash of the email address; only ended requests store it
 */
export function toRow(request: StoredRequest, account?: KeyedHash): RowIn<"requests"> {
  const {
    email = "",
    contact = "",
    skipped,
    hold,
    done,
    checklist,
    ...columns
  } = fieldsOf(request);
  const completion = columns.completion ?? done?.completion;
  return {
    ...columns,
    email,
    emailMatch: matchEmail(email),
    contact,
    contactMatch: matchEmail(contact),
    skipped: skipped && JSON.stringify(skipped),
    doneAt: done?.at,
    walk: checklist && JSON.stringify(checklist),
    completion: completion && JSON.stringify(completion),
    heldReason: hold?.reason,
    heldUntil: hold?.until,
    heldBy: hold?.by,
    addressHash: account?.hash,
    addressHashVersion: account?.version,
    warnedAt: undefined,
    toldLateAt: undefined,
    toldAt: undefined,
  };
}

/**
 * Parses a row. Errors contain only the row's id, because its values may be personal data. The
 * error's code names the row in the log, which omits messages.
 */
export function parse<T>(table: string, id: number, read: () => T): T {
  try {
    return read();
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : "";
    const error = new Error(`Row ${id} of ${table} is invalid: ${reason}`);
    throw Object.assign(error, { code: `${table} ${id}` });
  }
}

export function need<Row, Name extends keyof Row & string>(row: Row, name: Name) {
  if (!row[name]) throw new Error(`${name} is missing`);
  return row[name];
}

export function oneOf<T extends string>(known: readonly T[], value: string | undefined): T {
  const found = known.find((item) => item === value);
  if (found === undefined) throw new Error("unknown code");
  return found;
}
