import { createFormKey } from "../../server/deletion-requests/form-key.ts";
import { findRequest } from "../../server/deletion-requests/store/finding.ts";
import { findSubmission } from "../../server/deletion-requests/store/forms.ts";
import { applyAct } from "../../server/deletion-requests/transitions.ts";
import type { TestSite } from "./test-site.ts";

/**
 * A request that was sent with the public form and confirmed, for tests of what comes then. Returns its reference.
 * @param query such as `?lang=bn`
 */
export async function confirmedRequest(
  { post, foundation, clock }: Pick<TestSite, "post" | "foundation" | "clock">,
  email: string,
  query = "",
): Promise<string> {
  const formKey = createFormKey();
  const fields = { email, reason: "other", feedback: "", confirmation: "yes", formKey };
  await post(`/delete-my-account${query}`, fields);
  const { database } = foundation;
  return database.write(async (transaction) => {
    const submission = await findSubmission(transaction, formKey);
    const request = submission && (await findRequest(transaction, submission.reference));
    if (!request) throw new Error(`The form of ${email} was not stored`);
    const { reference, reason } = request;
    const act = { type: "confirm", reference, reason } as const;
    const result = await applyAct(
      foundation,
      transaction,
      request,
      act,
      { actor: "person" },
      clock(),
    );
    if (!result.ok) throw new Error(result.refusal);
    return reference;
  });
}
