import { redirect } from "react-router";
import { paths } from "../../../server/http/paths.ts";
import { wordsAt } from "../../words.ts";
import type { Route } from "./+types/submit-request";

/** Where the form's island posts (`app/server-entry.ts`). Whoever types this address wants the form. */
export function loader({ request }: Route.LoaderArgs) {
  throw redirect(wordsAt(new URL(request.url)).to(paths.deletion), 303);
}
