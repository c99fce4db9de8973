import { redirect } from "react-router";
import { parseEmailAddress } from "../../../server/addresses/email-address.ts";
import { writeSubjectPage } from "../../../server/deletion-requests/telling/subject-page.ts";
import { first } from "../../../server/forms/typed.ts";
import { paths } from "../../../server/http/paths.ts";
import { languages, wordsAt } from "../../words.ts";
import type { Route } from "./+types/subject-file";
import { requireOperator } from "./guard.ts";

/**
 * Everything that is held about one address, as a file: for programs, or to read in the language in which they
 * last asked. That somebody took it stands in the history.
 */
export async function action(args: Route.ActionArgs) {
  const signedIn = requireOperator(args);
  const { operatorDesk } = signedIn.services;
  const { to } = signedIn.words;
  const address = parseEmailAddress(first(signedIn.typed, "address"));
  // The page before asks for both, so this is only met where somebody waited long.
  if (!address.ok || !signedIn.isFresh) return redirect(to(paths.operatorSubject), 303);
  const subject = await operatorDesk.takeSubject(address.email, signedIn.operator.name);
  const words = languages.find(({ settings }) => settings.language === subject.language);
  const [text, type, ending] =
    first(signedIn.typed, "as") === "json"
      ? [`${JSON.stringify(subject, undefined, 2)}\n`, "application/json", "json"]
      : [writeSubjectPage(subject, words ?? wordsAt({ search: "" })), "text/html", "html"];
  return new Response(text, {
    headers: {
      "Content-Type": `${type}; charset=utf-8`,
      "Content-Disposition": `attachment; filename="held-data.${ending}"`,
    },
  });
}

/** Nothing is told about anybody without a form. */
export function loader(args: Route.LoaderArgs) {
  return redirect(requireOperator(args).words.to(paths.operatorSubject), 303);
}
