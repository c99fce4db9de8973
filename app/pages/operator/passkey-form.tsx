import type { FormValues } from "../../../server/platform/forms/form-values.ts";
import type { DoorProblem } from "../../../server/team/sign-in/passkeys.ts";
import { Button } from "../../components/button.tsx";
import { Notice } from "../../components/notice.tsx";
import { Text } from "../../components/text.tsx";
import { useWords } from "../../words.ts";
import { Hidden } from "./desk/fields.tsx";
import type { PasskeyTask } from "./operator.script.ts";
import { NoticeBox } from "./operator-frame.tsx";

/**
 * Renders a button that prompts for the device's passkey and submits the result as an ordinary
 * form.
 */
export function PasskeyForm({
  action,
  label,
  fields,
  kind,
  options,
}: {
  kind: PasskeyTask["kind"];
  options: object;
  action: string;
  label: string;
  /** Fields to submit along with the device's answer. */
  fields: Record<string, string> | FormValues;
}) {
  const { door } = useWords().operator;
  const says = {
    asking: door.signIn.waiting,
    cancelled: kind === "get" ? door.cancelled : door.notMade,
    here: door.alreadyHere,
    none: door.noPasskeys,
    failed: kind === "get" ? door.unreadable : door.unreadableNew,
  };
  return (
    <form
      method="post"
      action={action}
      className="desk-form stack"
      data-passkey={JSON.stringify({ kind, options, says })}
    >
      <Hidden fields={{ ...fields, passkey: "" }} />
      <Button type="submit" variant="primary">
        {label}
      </Button>
      <p role="status" />
      <noscript>
        <Notice tone="danger">
          <p>
            <Text>{door.noScript}</Text>
          </p>
        </Notice>
      </noscript>
    </form>
  );
}

export function DoorProblemNotice({ problem }: { problem: DoorProblem | undefined }) {
  const { problems } = useWords().operator.door;
  return problem ? (
    <NoticeBox tone="danger">
      <p>
        <Text>{problems[problem]}</Text>
      </p>
    </NoticeBox>
  ) : null;
}

/** Renders the recovery codes, one per line, with buttons to copy, save or print them. */
export function RecoveryCodes({ codes }: { codes: readonly string[] }) {
  const { codes: words } = useWords().operator.door;
  if (codes.length === 0) return null;
  const text = `${codes.join("\n")}\n`;
  return (
    <>
      <ol className="columns lines">
        {codes.map((code) => (
          <li key={code}>
            <code dir="ltr">{code}</code>
          </li>
        ))}
      </ol>
      <p className="desk-buttons row">
        <Button data-copy={text} data-says={words.copied}>
          {words.copy}
        </Button>
        <a
          className="target"
          download="recovery-codes.txt"
          href={`data:text/plain,${encodeURIComponent(text)}`}
        >
          <Text>{words.save}</Text>
        </a>
        <Button data-print="">{words.print}</Button>
        <span role="status" />
      </p>
    </>
  );
}
