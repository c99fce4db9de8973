import type { DoorProblem } from "../../../server/sign-in/door-problem.ts";
import { Button } from "../../ui/button.tsx";
import { Notice } from "../../ui/notice.tsx";
import { useWords } from "../../words.ts";

/** What a form has its device asked for, and what is said meanwhile: it waits, was cancelled, has one already, can have none. */
export type PasskeyTask = { says: Record<"asking" | "cancelled" | "here" | "none", string> } & (
  | { kind: "get"; options: PublicKeyCredentialRequestOptionsJSON }
  | { kind: "create"; options: PublicKeyCredentialCreationOptionsJSON }
);

/** A button that asks the device for its passkey, and sends the answer as an ordinary form. */
export function PasskeyForm({
  action,
  label,
  fields = [],
  kind,
  options,
}: {
  kind: PasskeyTask["kind"];
  options: object;
  action: string;
  label: string;
  /** What goes with the answer. */
  fields?: [name: string, value: string][];
}) {
  const { door } = useWords().operator;
  const says = {
    asking: door.signIn.waiting,
    cancelled: door.cancelled,
    here: door.alreadyHere,
    none: door.noPasskeys,
  };
  return (
    <form
      method="post"
      action={action}
      className="desk-form stack"
      data-passkey={JSON.stringify({ kind, options, says })}
    >
      {fields.map(([name, value], index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: what was typed stays as it is, and may repeat itself
        <input key={index} type="hidden" name={name} value={value} />
      ))}
      <input type="hidden" name="passkey" />
      <Button type="submit" look="primary">
        {label}
      </Button>
      <p role="status" className="desk-said" />
      <noscript>
        <Notice tone="danger">
          <p>{door.noScript}</p>
        </Notice>
      </noscript>
    </form>
  );
}

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
