import { Form, useNavigation } from "react-router";
import { paths } from "../../../../server/http/paths.ts";
import type { Group } from "../../../../server/operator-desk/acts.ts";
import { Button, ButtonLink } from "../../../ui/button.tsx";
import { WithAddresses } from "../../../ui/line-breaks.tsx";
import { useWords } from "../../../words.ts";
import styles from "./desk.module.css";
import { Due } from "./due.tsx";
import type { RowView } from "./row-view.ts";

/** A request on a card of Today: whose account, by when, and the one thing to do next. */
export function RequestRow({ row, group }: { row: RowView; group: Group }) {
  const { operator, to } = useWords();
  const { card, list, request: labels, whyNot } = operator.desk;
  const path = to(paths.operatorRequest(row.reference));
  const isOthers = row.owner !== undefined && !row.owner.isOwn;
  const isSaidToBeOwn = row.owner?.isOwn && group !== "mine";
  const hasMeta = isOthers || isSaidToBeOwn || row.hold || row.leaves || row.enteredBy;
  const isOffered = group === "mine" || group === "nobody" || (group === "late" && !row.hold);
  const canChoose = isOffered && !isOthers;
  return (
    <li className={styles.row}>
      {canChoose ? (
        <input
          type="checkbox"
          className={styles.choose}
          name="r"
          value={row.reference}
          form="together"
          aria-label={card.choose.replace("{reference}", row.reference)}
        />
      ) : null}
      <div className={styles.what}>
        <p>
          <a href={path} data-request="">
            {row.reference}
          </a>{" "}
          <span className={styles.address}>
            <WithAddresses text={row.address ?? list.erased} />
          </span>
        </p>
        {row.due ? <Due due={row.due} /> : null}
        {hasMeta ? (
          <p className={styles.meta}>
            {row.owner && isOthers ? <span>{row.owner.standing}</span> : null}
            {isSaidToBeOwn ? <span>{card.yours}</span> : null}
            {row.hold ? (
              <span>
                {labels.held}, {row.hold}
              </span>
            ) : null}
            {row.leaves ? <span>{row.leaves}</span> : null}
            {row.enteredBy ? (
              <span>
                {row.enteredBy.isOwn
                  ? whyNot["needs-second-person"]
                  : card.enteredBy.replace("{name}", row.enteredBy.name)}
              </span>
            ) : null}
          </p>
        ) : null}
      </div>
      <Next row={row} group={group} path={path} />
    </li>
  );
}

function Next({ row, group, path }: { row: RowView; group: Group; path: string }) {
  const { operator, to } = useWords();
  const { acts, card } = operator.desk;
  const { formData } = useNavigation();
  if (group === "done") return <ButtonLink href={path}>{acts.undo}</ButtonLink>;
  // Whoever entered it cannot be the second to look at it.
  if (group === "approve") {
    return row.enteredBy?.isOwn ? null : <ButtonLink href={path}>{acts.approve}</ButtonLink>;
  }
  if (row.owner?.isOwn && !row.hold) return <ButtonLink href={path}>{acts.complete}</ButtonLink>;
  // Whoever is away has to be relieved of it first.
  if (row.owner?.isAway && (!row.hold || group === "late")) {
    return <ButtonLink href={`${path}#hand-back`}>{acts["hand-back"]}</ButtonLink>;
  }
  const canTake = (group === "nobody" || group === "late") && !row.owner && !row.hold;
  if (!canTake) return null;
  // Taking is safe to show before it is known: whoever was first is told by the server, and nothing is lost.
  const isTaken = formData?.get("reference") === row.reference;
  return (
    <Form method="post" action={to(paths.operator)} preventScrollReset>
      <input type="hidden" name="reference" value={row.reference} />
      <Button type="submit" aria-disabled={isTaken || undefined}>
        {isTaken ? card.yours : acts.take}
      </Button>
    </Form>
  );
}
