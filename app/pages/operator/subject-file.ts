import { redirect } from "react-router";
import { renderPersonalDataPage } from "../../../server/deletion-requests/presenters/personal-data-page.ts";
import { parseEmailAddress } from "../../../server/platform/addresses/email-address.ts";
import { firstValue } from "../../../server/platform/forms/form-values.ts";
import { paths } from "../../../server/platform/http/paths.ts";
import { languages, wordsAt } from "../../words.ts";
import type { Route } from "./+types/subject-file";
import { requireOperator } from "./guard.ts";

/**
 * Downloads all data about an email address, as JSON or as a page in the language of the latest
 * request. The download is recorded in the history.
 */
export async function action(args: Route.ActionArgs) {
  const signedIn = requireOperator(args);
  const { operatorDesk } = signedIn.services;
  const { to } = signedIn.words;
  const address = parseEmailAddress(firstValue(signedIn.typed, "address"));
  // The previous page required a valid email address and a recent passkey check, so this redirect
  // happens only if the operator submits the form much later.
  if (!address.ok || !signedIn.isFresh) return redirect(to(paths.operatorSubject), 303);
  const subject = await operatorDesk.takeSubject(address.email, signedIn.operator.name);
  const words = languages.find(({ settings }) => settings.language === subject.language);
  const [text, type, ending] =
    firstValue(signedIn.typed, "as") === "json"
      ? [`${JSON.stringify(subject, undefined, 2)}\n`, "application/json", "json"]
      : [renderPersonalDataPage(subject, words ?? wordsAt({ pathname: "/" })), "text/html", "html"];
  return new Response(text, {
    headers: {
      "Content-Type": `${type}; charset=utf-8`,
      "Content-Disposition": `attachment; filename="held-data.${ending}"`,
    },
  });
}

/** Redirects GET requests, because only a posted form may get the data. */
export function loader(args: Route.LoaderArgs) {
  return redirect(requireOperator(args).words.to(paths.operatorSubject), 303);
}
