import { useId, useRef, useState } from "react";
import type { NewPasskeyQuestion, PasskeyQuestion } from "../../../server/sign-in/door.ts";
import { Button } from "../../ui/button.tsx";
import { Notice } from "../../ui/notice.tsx";
import { useWords } from "../../words.ts";
import { askPasskey, hasPasskeys, makePasskey } from "./passkeys.ts";

type Asking =
  | { kind: "get"; options: PasskeyQuestion }
  | { kind: "create"; options: NewPasskeyQuestion };

/** A button that asks the device for its passkey, and sends the answer as an ordinary form. */
export function PasskeyForm({
  action,
  label,
  fields = [],
  look = "primary",
  ...asking
}: Asking & {
  action: string;
  label: string;
  /** What goes with the answer. */
  fields?: [name: string, value: string][];
  look?: "primary" | "plain";
}) {
  const { door } = useWords().operator;
  const form = useRef<HTMLFormElement>(null);
  const answer = useRef<HTMLInputElement>(null);
  const voice = useId();
  const [state, setState] = useState<"ready" | "asking" | "cancelled" | "here" | "none">("ready");

  async function ask() {
    if (!hasPasskeys()) return setState("none");
    setState("asking");
    try {
      const made =
        asking.kind === "get"
          ? await askPasskey(asking.options)
          : await makePasskey(asking.options);
      if (!form.current || !answer.current) return;
      answer.current.value = JSON.stringify(made);
      HTMLFormElement.prototype.submit.call(form.current);
    } catch (error) {
      setState((error as Error).name === "InvalidStateError" ? "here" : "cancelled");
    }
  }

  const said = {
    ready: "",
    asking: door.signIn.waiting,
    cancelled: door.cancelled,
    here: door.alreadyHere,
    none: door.noPasskeys,
  }[state];
  return (
    <form ref={form} method="post" action={action} className="desk-form">
      {fields.map(([name, value], index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: what was typed stays as it is, and may repeat itself
        <input key={index} type="hidden" name={name} value={value} />
      ))}
      <input ref={answer} type="hidden" name="passkey" defaultValue="" />
      <Button look={look} onClick={ask} aria-describedby={voice}>
        {label}
      </Button>
      <p id={voice} role="status" className="desk-said">
        {said}
      </p>
      <noscript>
        <Notice tone="danger">
          <p>{door.noScript}</p>
        </Notice>
      </noscript>
    </form>
  );
}
