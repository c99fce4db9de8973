import { redirect } from "react-router";
import { paths } from "../../../server/platform/http/paths.ts";
import { wordsAt } from "../../words.ts";
import type { Route } from "./+types/submit-request";

/** Target of the form's island (`app/server-entry.ts`). Redirects a visitor to the form. */
export function loader({ request }: Route.LoaderArgs) {
  throw redirect(wordsAt(new URL(request.url)).to(paths.deletion), 303);
}
