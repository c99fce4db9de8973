import type { FormHandler } from "../server/app.ts";
import { paths } from "../server/http/paths.ts";
import type { SiteServices } from "../server/services.ts";
import { answerBackgroundForm, answerPageForm } from "./pages/delete-account/answer-form.ts";

/** Every address that takes a posted form. All others refuse every method that could change something. */
export function createForms(services: SiteServices): Record<string, FormHandler> {
  return {
    [paths.deletion]: answerPageForm(services),
    [paths.deletionRequests]: answerBackgroundForm(services),
  };
}
