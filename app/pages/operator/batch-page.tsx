import { isWorking } from "../../../server/deletion-requests/life/request.ts";
import type { QueuedRequest } from "../../../server/deletion-requests/working/reading.ts";
import { paths } from "../../../server/http/paths.ts";
import { getServices } from "../../services-context.ts";
import { ButtonLink } from "../../ui/button.tsx";
import { useWords } from "../../words.ts";
import type { Route } from "./+types/batch-page";
import { ActForm } from "./desk/act-form.tsx";
import { type Answer, answerAct, mostAtOnce, readTyped, whyNot } from "./desk/answer.ts";
import styles from "./desk/desk.module.css";
import { Rows } from "./desk/request-row.tsx";
import { Told } from "./desk/told.tsx";
import { requireOperator } from "./guard.ts";
import { OperatorPage, operatorMeta, WithPicture } from "./operator-frame.tsx";

/** Several requests at once: the same form as of one. One that cannot be done keeps no other from it. */

export const meta = (args: Route.MetaArgs) => operatorMeta(args, "batch");

type Loaded = Awaited<ReturnType<typeof loader>>;

export async function loader(args: Route.LoaderArgs) {
  const { operator } = requireOperator(args);
  const { desk, operatorDesk, visit } = getServices(args.context);
  const { searchParams } = new URL(args.request.url);
  // A form that came back says which they were.
  const posted = [visit.posted?.r ?? []].flat();
  const references = posted.length > 0 ? posted : searchParams.getAll("r");
  const asked = visit.posted?.act ?? searchParams.get("act");
  const act = asked === "later" ? "later" : "complete";
  const requests: QueuedRequest[] = [];
  for (const reference of new Set(references.slice(0, mostAtOnce))) {
    const request = await desk.find(reference);
    if (request && isWorking(request)) requests.push(operatorDesk.withDaysLeft(request));
  }
  const possible = new Map(
    requests.map((request) => {
      const look = operatorDesk.look({ request, mails: [] }, operator.name);
      return [request.reference, operatorDesk.acts[act].can(look)] as const;
    }),
  );
  const open = requests.filter(({ reference }) => possible.get(reference)?.can);
  const matter = operatorDesk.matterOf(open);
  const sight = await operatorDesk.sightOf(operator.name);
  return { act, requests, possible, matter, sight } as const;
}

export async function action(args: Route.ActionArgs) {
  const typed = readTyped(await args.request.formData());
  return answerAct(args, { ...typed, r: typed.r ?? [] }, typed.r ?? [], paths.operator);
}

export default function BatchPage({
  loaderData: { act, requests, possible, matter, sight },
  actionData: answer,
}: {
  loaderData: Loaded;
  actionData?: Answer;
}) {
  const words = useWords();
  const { operator, to, say } = words;
  const { about, acts: labels, together } = operator.desk;
  const today = operator.frame.fault.today;
  if (requests.length === 0) {
    return (
      <WithPicture name="empty-shelf">
        <OperatorPage name="batch" about={together.none}>
          <ButtonLink href={to(paths.operator)}>{today}</ButtonLink>
        </OperatorPage>
      </WithPicture>
    );
  }
  // Said before anything is typed for it.
  const tell = (request: QueuedRequest) => {
    const can = possible.get(request.reference);
    if (answer?.done.includes(request.reference)) return together.done;
    return can && !can.can ? whyNot(words, can.because, request) : undefined;
  };
  const isLater = act === "later";
  const title = say(isLater ? together.laterTitle : together.completeTitle, {
    count: requests.length,
  });
  return (
    <OperatorPage name="batch" title={title} about={null}>
      <Told answer={answer} />
      <div className={styles.batch}>
        <Rows {...{ requests, sight, tell }} title={title} />
        {matter.requests.length > 0 ? (
          <div className={styles.next}>
            <h2>{labels[act]}</h2>
            <ActForm
              {...{ act, matter, answer }}
              about={isLater ? about.later : together.completeText}
              look="primary"
            />
          </div>
        ) : null}
      </div>
      <p className="desk-buttons">
        <a href={to(paths.operator)}>{today}</a>
      </p>
    </OperatorPage>
  );
}
