import type { DoorProblem } from "../../../server/sign-in/door-problem.ts";
import { Notice } from "../../ui/notice.tsx";
import { useWords } from "../../words.ts";

/** Why somebody stays outside, said where they are looking. */
export function DoorProblemNotice({ problem }: { problem: DoorProblem | undefined }) {
  const { problems } = useWords().operator.door;
  return problem ? (
    <div data-told="" tabIndex={-1}>
      <Notice tone="danger" role="alert">
        <p>{problems[problem]}</p>
      </Notice>
    </div>
  ) : null;
}
