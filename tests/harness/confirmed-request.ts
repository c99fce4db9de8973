import { findRequest } from "../../server/deletion-requests/store/finding.ts";
import { findSubmission } from "../../server/deletion-requests/store/forms.ts";
import { applyAct } from "../../server/deletion-requests/working/apply-act.ts";
import { filledForm } from "./deletion-form.ts";
import type { ServerProcess } from "./server-process.ts";
import { beside } from "./sign-in.ts";
import type { TestSite } from "./test-site.ts";

/**
 * A request that was sent with the public form and confirmed, for tests of what comes then. Returns its reference.
 * @param query such as `?lang=bn`
 */
export async function confirmedRequest(
  {
    post,
    foundation,
    clock,
  }: Pick<TestSite, "foundation" | "clock"> & {
    post: (path: string, fields: Record<string, string>) => Promise<Response>;
  },
  email: string,
  query = "",
): Promise<string> {
  const fields = filledForm({ email, reason: "other", feedback: "" });
  await post(`/delete-my-account${query}`, fields);
  const { database } = foundation;
  return database.write(async (transaction) => {
    const submission = await findSubmission(transaction, fields.formKey);
    const request =
      submission && (await findRequest(transaction, { reference: submission.reference }));
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

/** The same on a server that runs in a process of its own. */
export function confirmedRequestOn(
  server: Pick<ServerProcess, "dataDir" | "url">,
  email: string,
): Promise<string> {
  const post = (path: string, fields: Record<string, string>) =>
    fetch(new URL(path, server.url), {
      method: "POST",
      headers: { Origin: server.url },
      body: new URLSearchParams(fields),
      redirect: "manual",
    });
  return beside(server, (foundation) =>
    confirmedRequest({ post, foundation, clock: foundation.clock }, email),
  );
}
