import { Notice } from "../../ui/notice.tsx";
import { useWords } from "../../words.ts";

/** Says that no answer came to a form; the page behind it is as it was, with everything that was typed. */
export function OfflineNotice({ answer }: { answer: unknown }) {
  const { problems } = useWords().operator.desk;
  const isOffline = typeof answer === "object" && answer !== null && "offline" in answer;
  return isOffline ? (
    <Notice tone="danger" role="alert">
      <p>
        {problems.offline} {answer.offline === "typed" ? problems.stillHere : null}
      </p>
    </Notice>
  ) : null;
}
