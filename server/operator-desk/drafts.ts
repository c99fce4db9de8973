import { isForm, typedTexts } from "../deletion-requests/commands/acts.ts";
import { findTyped, type QueryServices } from "../deletion-requests/queries/request-queries.ts";
import { isEnded } from "../deletion-requests/state-machine/request.ts";
import { deleting, listing, replacing } from "../platform/database/statement.ts";
import type { FormValues } from "../platform/forms/form-values.ts";
import { findOperator } from "../team/roster/operators.ts";

/**
 * Unsent text from a form on a request's page. The server stores drafts, because phone browsers
 * discard the contents of closed tabs.
 */
export type Draft = { typed: FormValues; savedAt: Temporal.Instant };

const mostForms = 50;

export function createDrafts(services: QueryServices) {
  const { database, clock } = services;

  const keyOf = async (reference: string, name: string) => {
    const request = await findTyped(services, reference);
    const operator = await findOperator(database.read, name);
    return request && operator ? { request, operatorId: operator.id } : undefined;
  };

  return {
    /** Returns an operator's drafts for a request, keyed by the form's act. */
    async read(reference: string, name: string): Promise<Map<string, Draft>> {
      const key = await keyOf(reference, name);
      if (!key) return new Map();
      const of = { requestId: key.request.id, operatorId: key.operatorId, limit: mostForms };
      const rows = await draftsOf(database.read, of);
      return new Map(
        rows.flatMap(({ form, text, savedAt }) =>
          // The text is empty if the request's personal data has been erased.
          text === "" ? [] : [[form, { typed: JSON.parse(text) as FormValues, savedAt }] as const],
        ),
      );
    },

    /**
     * Saves a form's free-text fields, or deletes the draft if all of them are empty. Saves nothing
     * for an erased request.
     */
    async save(reference: string, name: string, form: string, typed: FormValues): Promise<void> {
      const key = isForm(form) ? await keyOf(reference, name) : undefined;
      if (!key || (isEnded(key.request) && key.request.erasedAt)) return;
      const texts = typedTexts(form, typed);
      const of = { operatorId: key.operatorId, requestId: key.request.id, form };
      await database.write(async (transaction) => {
        if (Object.keys(texts).length === 0) await deleteDraft(transaction, of);
        else await putDraft(transaction, { ...of, text: JSON.stringify(texts), savedAt: clock() });
      });
    },

    /** Deletes a form's draft after the form is submitted. */
    async drop(reference: string, name: string, form: string): Promise<void> {
      const key = await keyOf(reference, name);
      if (!key) return;
      const of = { operatorId: key.operatorId, requestId: key.request.id, form };
      await database.write((transaction) => deleteDraft(transaction, of));
    },
  };
}

const putDraft = replacing("drafts");
const deleteDraft = deleting("drafts", { operatorId: "=", requestId: "=", form: "=" });
const draftsOf = listing("drafts", { operatorId: "=", requestId: "=" }, ["form"]);
