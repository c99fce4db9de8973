import { data } from "react-router";
import { parseEmailAddress } from "../../../server/addresses/email-address.ts";
import { paths } from "../../../server/http/paths.ts";
import { getServices } from "../../services-context.ts";
import { Button } from "../../ui/button.tsx";
import { Notice } from "../../ui/notice.tsx";
import { useWords } from "../../words.ts";
import type { Route } from "./+types/subject-page";
import { requireOperator } from "./guard.ts";
import { OperatorPage, operatorMeta } from "./operator-page.tsx";
import styles from "./watch.module.css";
import { WithPicture } from "./with-picture.tsx";

export const meta = (args: Route.MetaArgs) => operatorMeta(args, "subject");

export function loader(args: Route.LoaderArgs) {
  requireOperator(args);
  return {};
}

/** The address is posted, so that it stands in no log and no history. */
export async function action(args: Route.ActionArgs) {
  requireOperator(args, { fresh: true });
  const typed = String((await args.request.formData()).get("address") ?? "");
  const address = parseEmailAddress(typed);
  if (!address.ok) return data({ typed, found: undefined }, { status: 422 });
  const found = await getServices(args.context).desk.search(address.email);
  return data({ typed: address.email, found: found.length });
}

export default function SubjectPage({ actionData }: Route.ComponentProps) {
  const { operator, say, to } = useWords();
  const { subject } = operator.watch;
  const found = actionData?.found;
  const page = (
    <OperatorPage name="subject">
      <div className={found === undefined ? styles.stack : `${styles.stack} ${styles.beside}`}>
        {actionData && found !== undefined ? (
          <form
            method="post"
            action={to(paths.operatorSubjectFile)}
            className={styles.panel}
            aria-label={actionData.typed}
          >
            <h2>{actionData.typed}</h2>
            <p role="status">{found === 0 ? subject.none : say(subject.found, { count: found })}</p>
            <input type="hidden" name="address" value={actionData.typed} />
            <div className={styles.row}>
              <Button type="submit" look="primary" name="as" value="page">
                {subject.page}
              </Button>
              <Button type="submit" name="as" value="json">
                {subject.json}
              </Button>
            </div>
            <p className={styles.about}>{subject.care}</p>
          </form>
        ) : null}
        <form data-kept="" method="post" className={styles.panel}>
          {found === undefined ? null : <h2>{subject.another}</h2>}
          {actionData && found === undefined ? (
            <Notice tone="danger" role="alert">
              <p id="address-problem">{subject.noAddress}</p>
            </Notice>
          ) : null}
          <div className={styles.fields}>
            <div className={styles.field}>
              <label htmlFor="address">{subject.address}</label>
              <input
                id="address"
                name="address"
                type="email"
                required
                autoComplete="off"
                defaultValue={found === undefined ? (actionData?.typed ?? "") : ""}
                aria-describedby={actionData && found === undefined ? "address-problem" : undefined}
                aria-invalid={actionData && found === undefined ? true : undefined}
              />
            </div>
          </div>
          <Button type="submit" look={found === undefined ? "primary" : "plain"}>
            {subject.find}
          </Button>
        </form>
      </div>
    </OperatorPage>
  );
  return found === undefined ? <WithPicture name="safety">{page}</WithPicture> : page;
}
