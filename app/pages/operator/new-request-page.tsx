import { useWords } from "../../words.ts";
import type { Route } from "./+types/new-request-page";
import { DeskForm, DoneNotice } from "./desk/act-form.tsx";
import { answerAct, type DeskAnswer } from "./desk/answer.ts";
import styles from "./desk/desk.module.css";
import { requireOperator } from "./guard.ts";
import { OperatorPage } from "./operator-frame.tsx";

/** Page on which an operator enters a request for someone whose mailbox is closed. */

export function loader(args: Route.LoaderArgs) {
  return { matter: requireOperator(args).services.operatorDesk.matterOf([]) };
}

export function action(args: Route.ActionArgs) {
  return answerAct(args, { ...requireOperator(args).typed, act: ["enter"] }, [""]);
}

export default function NewRequestPage({
  loaderData: { matter },
  actionData: answer,
}: {
  loaderData: ReturnType<typeof loader>;
  actionData?: DeskAnswer;
}) {
  const { about } = useWords().operator.desk;
  return (
    <OperatorPage>
      <DoneNotice answer={answer} />
      <div className={`${styles.next} ${styles.entry} desk-form frame`}>
        <DeskForm
          act="enter"
          about={matter.isAlone ? about.enterAlone : about.enter}
          variant="primary"
          {...{ matter, answer }}
        />
      </div>
    </OperatorPage>
  );
}
