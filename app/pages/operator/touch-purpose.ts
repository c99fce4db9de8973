import { paths } from "../../../server/http/paths.ts";
import type { PostedFields } from "../../../server/http/posted-form.ts";
import type { Words } from "../../words.ts";

export type TouchPurpose = {
  act: string;
  of: string | undefined;
  /** Why the passkey is asked for. */
  why: keyof Words["operator"]["door"]["touch"]["why"];
};

/** What somebody is about to do and to what, where the address or the form that waits for their passkey says so. */
export function touchPurpose(
  { operator, say }: Words,
  wanted: string,
  fields: PostedFields,
): TouchPurpose | undefined {
  const { desk, door, frame, people, watch } = operator;
  const { pathname } = new URL(wanted, "https://desk.invalid");
  const typed = (name: string) => [fields[name] ?? []].flat().filter((text) => text !== "");
  const [act] = typed("act");
  const purpose = (
    why: TouchPurpose["why"],
    words: string,
    of: readonly string[] = [],
  ): TouchPurpose => ({ act: words, of: of.join(", ") || undefined, why });
  switch (pathname) {
    case paths.operatorBatch:
      return purpose("undo", desk.acts.complete, typed("r"));
    case paths.operatorFiguresFile:
      return purpose("out", watch.figures.file);
    case paths.operatorSubject:
    case paths.operatorSubjectFile:
      return purpose("out", frame.pages.subject.title, typed("address"));
    case paths.operatorPeople:
      if (act === "invite") return purpose("access", people.invite.title, typed("name"));
      if (act === "invite-again") return purpose("access", people.invite.again, typed("name"));
      if (act === "remove") {
        return purpose("access", say(people.remove, { name: typed("name").join() }));
      }
      return purpose("access", people.change, typed("name"));
    case paths.operatorMe: {
      const { me } = door;
      if (act === "new-codes") return purpose("access", me.newCodes);
      return purpose("access", act === "remove-passkey" ? me.remove : me.addDevice);
    }
  }
  const reference = pathname.split("/").at(-1) ?? "";
  return pathname === paths.operatorRequest(reference) && (act === "complete" || act === "refuse")
    ? purpose("undo", desk.acts[act], [reference])
    : undefined;
}

/** What the page that asks for the passkey says: its title, why, and its button. */
export function tellTouch({ operator, say }: Words, purpose: TouchPurpose | undefined) {
  const { touch } = operator.door;
  const { title, about } = operator.frame.pages.touch;
  if (!purpose) return { title, why: about ?? "", button: touch.button };
  const { act, of, why } = purpose;
  return {
    why: touch.why[why],
    title: of === undefined ? act : say(touch.what, { act, of }),
    button: say(touch.buttonFor, { act }),
  };
}

/** Whether somebody typed or chose what waits, besides what a form says of itself. */
export function isTyped(fields: PostedFields): boolean {
  return Object.keys(fields).some((name) => !["act", "seen", "passkey", "kept"].includes(name));
}

/** The page from which somebody came to the passkey; a file is none. */
export function pageBefore({ to }: Words, wanted: string): string {
  const { pathname } = new URL(wanted, "https://desk.invalid");
  if (pathname === paths.operatorFiguresFile) return to(paths.operatorFigures);
  return pathname === paths.operatorSubjectFile ? to(paths.operatorSubject) : wanted;
}
