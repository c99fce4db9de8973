import type { SubmissionAnswer, Submitting } from "../deletion-requests/asking/submitting.ts";
import type { NetworkBudget } from "./network-budget.ts";
import { networksOf } from "./networks.ts";
import type { PostedForm } from "./posted-form.ts";

/** The one way in for a posted form, whether the page or its island sent it. */
export function createSubmissionDoor(services: {
  submitting: Submitting;
  budget: Pick<NetworkBudget, "spendForm">;
  mode: "real" | "simulated";
}) {
  return {
    /** Stores what the form says, or tells why not. */
    async submit(
      posted: PostedForm,
      sender: {
        clientAddress: string /** Of the page that the form stood on. */;
        language?: string;
      },
    ): Promise<SubmissionAnswer> {
      if (posted.kind !== "form") return posted;
      if (services.mode === "simulated") return { kind: "simulated" };
      const spent = await services.budget.spendForm(sender.clientAddress);
      if (!spent.ok) return { kind: "too-many", retryAfterMs: spent.retryAfterMs };
      const networks = networksOf(sender.clientAddress);
      return services.submitting.submit(posted.fields, sender.language, networks);
    },
  };
}

/** The HTTP status of an answer. */
export function statusOf(answer: SubmissionAnswer): number {
  switch (answer.kind) {
    case "stored":
    case "simulated":
      return 200;
    case "refused":
      return 422;
    case "too-many":
    case "network-full":
      return 429;
    case "not-stored":
      return 503;
    case "foreign":
      return 403;
    case "too-large":
      return 413;
    case "malformed":
      return 400;
  }
}

/** Tells a program when to try again, where trying again can help. */
export function retryHeaders(answer: SubmissionAnswer): Record<string, string> {
  if (answer.kind === "too-many") {
    return { "Retry-After": String(Math.max(1, Math.ceil(answer.retryAfterMs / 1000))) };
  }
  if (answer.kind === "network-full") return { "Retry-After": "3600" };
  return answer.kind === "not-stored" ? { "Retry-After": "60" } : {};
}
