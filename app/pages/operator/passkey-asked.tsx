import { paths } from "../../../server/http/paths.ts";
import type { PostedFields } from "../../../server/http/posted-form.ts";
import { ButtonLink } from "../../ui/button.tsx";
import { useWords, type Words } from "../../words.ts";
import { DoorProblemNotice } from "./door-problem.tsx";
import type { Refused } from "./guard.ts";
import { PasskeyForm } from "./passkey-form.tsx";
import { withQuery } from "./with-query.ts";

/** In place of what a form would have done: the passkey is asked for first. Everything that was typed goes on with it. */
export function PasskeyAsked({ refused: { refused, ...asked } }: { refused: Refused }) {
  const words = useWords();
  const { to } = words;
  const { door, frame } = words.operator;
  const isTouch = refused === "touch";
  const typed = Object.entries(asked.fields)
    .filter(([name]) => name !== "passkey" && name !== "kept")
    .flatMap(([name, values]) => [values].flat().map((value): [string, string] => [name, value]));
  return (
    <>
      <header className="desk-heading">
        <h1>
          {isTouch ? tellPurpose(words, asked.action, asked.fields) : frame.pages.signIn.title}
        </h1>
        <p>{isTouch ? door.touch.why : door.signIn.kept}</p>
      </header>
      <div className="desk-column">
        <DoorProblemNotice problem={asked.problem} />
        <PasskeyForm
          kind="get"
          action={withQuery(to(isTouch ? paths.operatorTouch : paths.operatorSignIn), {
            to: asked.action,
          })}
          options={asked.options}
          label={isTouch ? door.touch.button : door.signIn.button}
          fields={[...typed, ["kept", "1"]]}
        />
        {isTouch ? <ButtonLink href={asked.action}>{door.touch.back}</ButtonLink> : null}
      </div>
    </>
  );
}

/** What somebody is about to do and to what, as the form that waits for their passkey says. */
function tellPurpose({ operator, say }: Words, wanted: string, fields: PostedFields): string {
  const { desk, door, frame, people } = operator;
  const { me } = door;
  const { pathname } = new URL(wanted, "https://desk.invalid");
  const typed = (name: string) => [fields[name] ?? []].flat().filter((text) => text !== "");
  const of = (act: string, what: readonly string[]) =>
    [act, what.join(", ")].filter(Boolean).join(": ");
  const [act] = typed("act");
  switch (pathname) {
    case paths.operatorBatch:
      return of(desk.acts.complete, typed("r"));
    case paths.operatorSubject:
      return of(frame.pages.subject.title, typed("address"));
    case paths.operatorPeople:
      if (act === "invite") return of(people.invite.title, typed("name"));
      if (act === "invite-again") return of(people.invite.again, typed("name"));
      if (act === "remove") return say(people.remove, { name: typed("name").join() });
      return of(people.change, typed("name"));
    case paths.operatorMe:
      if (act === "new-codes") return me.newCodes;
      return act === "link-device"
        ? me.addOther
        : say(me.removeSure, { name: typed("name").join() });
  }
  return act === "complete" || act === "refuse"
    ? of(desk.acts[act], [pathname.split("/").at(-1) ?? ""])
    : frame.pages.touch.title;
}
