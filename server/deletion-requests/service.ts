import { type Database, isStorageProblem } from "../database/database.ts";
import { type MaskedEmail, maskEmail } from "./email-address.ts";
import { isFormKey } from "./form-key.ts";
import { parseReference } from "./reference.ts";
import {
  addSubmission,
  findRequest,
  findSubmission,
  listRequests,
  type RequestRecord,
  removeRequest,
  type SubmissionRecord,
} from "./store.ts";
import { type Problem, parseSubmission } from "./submission.ts";

/** What the site and the command line may do with deletion requests. */

export type StoredSubmission = {
  formKey: string;
  reference: string;
  maskedEmail: MaskedEmail;
  receivedAt: Temporal.Instant;
};

export type SubmitResult =
  | { kind: "stored"; submission: StoredSubmission }
  | { kind: "refused"; problems: Problem[] }
  | { kind: "not-stored" };

export type DeletionRequests = ReturnType<typeof createDeletionRequests>;

/** How long a success panel can be read again with its form key. */
const panelHours = 1;

export function createDeletionRequests(services: {
  database: Database;
  clock: () => Temporal.Instant;
  /** Told when a request could not be stored; the error names no person. */
  onStorageProblem?: (error: unknown) => void;
}) {
  const { database, clock } = services;

  return {
    /**
     * Stores a posted form. `stored` means that it is on the disk. The answer depends on the form alone, never on
     * what is known about the address; the same form key again gives the first answer again.
     */
    async submit(fields: Record<string, unknown>): Promise<SubmitResult> {
      const parsed = parseSubmission(fields);
      if (!parsed.ok) return { kind: "refused", problems: parsed.problems };
      const { submission } = parsed;
      try {
        const stored = await database.write(
          async (transaction) =>
            (await findSubmission(transaction, submission.formKey)) ??
            (await addSubmission(transaction, submission, clock())),
        );
        return { kind: "stored", submission: toStored(submission.formKey, stored) };
      } catch (error) {
        if (!isStorageProblem(error)) throw error;
        services.onStorageProblem?.(error);
        return { kind: "not-stored" };
      }
    },

    /** For the success panel after a redirect. Undefined for a key that is unknown, malformed or an hour old. */
    async findSubmission(formKey: unknown): Promise<StoredSubmission | undefined> {
      if (!isFormKey(formKey)) return undefined;
      const stored = await findSubmission(database.kysely, formKey);
      if (!stored) return undefined;
      const age = clock().since(stored.receivedAt);
      return age.total("hours") < panelHours ? toStored(formKey, stored) : undefined;
    },

    async findByReference(typed: string): Promise<RequestRecord | undefined> {
      const reference = parseReference(typed);
      return reference === undefined ? undefined : findRequest(database.kysely, reference);
    },

    /** Oldest first. */
    list(): Promise<RequestRecord[]> {
      return listRequests(database.kysely);
    },

    /** Removes a request and every trace of it from the files. */
    async remove(request: RequestRecord): Promise<void> {
      await database.write((transaction) => removeRequest(transaction, request.id));
      database.erasePhysically();
    },
  };
}

function toStored(formKey: string, stored: SubmissionRecord): StoredSubmission {
  return {
    formKey,
    reference: stored.reference,
    maskedEmail: maskEmail(stored.email),
    receivedAt: stored.receivedAt,
  };
}
