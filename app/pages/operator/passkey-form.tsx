import { Button } from "../../ui/button.tsx";
import { Notice } from "../../ui/notice.tsx";
import { useWords } from "../../words.ts";
import type { PasskeyTask } from "./passkeys.ts";

/** A button that asks the device for its passkey, and sends the answer as an ordinary form. */
export function PasskeyForm({
  action,
  label,
  fields = [],
  look = "primary",
  kind,
  options,
}: Pick<PasskeyTask, "kind" | "options"> & {
  action: string;
  label: string;
  /** What goes with the answer. */
  fields?: [name: string, value: string][];
  look?: "primary" | "plain";
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
      className="desk-form"
      data-passkey={JSON.stringify({ kind, options, says })}
    >
      {fields.map(([name, value], index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: what was typed stays as it is, and may repeat itself
        <input key={index} type="hidden" name={name} value={value} />
      ))}
      <input type="hidden" name="passkey" />
      <Button type="submit" look={look}>
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
