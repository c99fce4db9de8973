import { redirect } from "react-router";
import { paths } from "../../../server/http/paths.ts";

/** Where the form's island posts (`app/forms.ts`). Whoever types this address wants the form. */
export function loader() {
  throw redirect(paths.deletion, 303);
}
