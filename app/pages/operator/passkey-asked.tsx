import { paths } from "../../../server/http/paths.ts";
import { ButtonLink } from "../../ui/button.tsx";
import { useWords } from "../../words.ts";
import type { Refused } from "./guard.ts";
import { PasskeyForm } from "./passkey-form.tsx";
import { isTyped, pageBefore, tellTouch, touchPurpose } from "./touch-purpose.ts";
import { withQuery } from "./with-query.ts";

/** In place of what a form would have done: the passkey is asked for first. Everything that was typed goes on with it. */
export function PasskeyAsked({ refused }: { refused: Refused }) {
  const words = useWords();
  const { to } = words;
  const { door, frame } = words.operator;
  const isTouch = refused.refused === "touch";
  const touch = tellTouch(words, touchPurpose(words, refused.action, refused.fields));
  const path = to(isTouch ? paths.operatorTouch : paths.operatorSignIn);
  return (
    <>
      <header className="desk-heading">
        <h1>{isTouch ? touch.title : frame.pages.signIn.title}</h1>
        <p>
          {isTouch ? touch.why : door.signIn.kept}
          {isTouch && isTyped(refused.fields) ? ` ${door.touch.kept}` : null}
        </p>
      </header>
      <div className="desk-column">
        <PasskeyForm
          kind="get"
          action={withQuery(path, { to: refused.action })}
          options={refused.options}
          label={isTouch ? touch.button : door.signIn.button}
          fields={[
            ...Object.entries(refused.fields)
              .filter(([name]) => name !== "passkey" && name !== "kept")
              .flatMap(([name, values]) =>
                [values].flat().map((value): [string, string] => [name, value]),
              ),
            ["kept", "1"],
          ]}
        />
        {isTouch ? (
          <ButtonLink href={pageBefore(words, refused.action)}>{door.touch.back}</ButtonLink>
        ) : null}
      </div>
    </>
  );
}
