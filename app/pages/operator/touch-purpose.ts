import { paths } from "../../../server/http/paths.ts";
import type { PostedFields } from "../../../server/http/posted-form.ts";
import type { Words } from "../../words.ts";

export type TouchPurpose = { act: string; of: string | undefined };

/** What somebody is about to do and to what, where the address or the form that waits for their passkey says so. */
export function touchPurpose(
  { operator }: Words,
  wanted: string,
  fields: PostedFields,
): TouchPurpose | undefined {
  const { desk, door, frame, people, watch } = operator;
  const { pathname } = new URL(wanted, "https://desk.invalid");
  const typed = (name: string) => [fields[name] ?? []].flat().filter((text) => text !== "");
  const [act] = typed("act");
  const purpose = (words: string, of: readonly string[] = []) => ({
    act: words,
    of: of.join(", ") || undefined,
  });
  switch (pathname) {
    case paths.operatorBatch:
      // Whose address nobody typed stays as it is.
      return purpose(
        desk.acts.complete,
        typed("r").filter((reference) => typed(`${reference}-address`).length > 0),
      );
    case paths.operatorFigures:
      return purpose(act === "end-feed" ? watch.figures.feed.end : watch.figures.feed.make);
    case paths.operatorFiguresFile:
      return purpose(watch.figures.file.button);
    case paths.operatorSubject:
      return purpose(frame.pages.subject.title, typed("address"));
    case paths.operatorPeople:
      if (act === "invite") return purpose(people.invite.title, typed("name"));
      if (act === "remove") return purpose(people.remove.replace("{name}", typed("name").join()));
      return purpose(people.change, typed("name"));
    case paths.operatorMe: {
      const { me } = door;
      if (act === "new-codes") return purpose(me.newCodes);
      return purpose(act === "remove-passkey" ? me.remove : me.addDevice);
    }
  }
  const reference = pathname.split("/").at(-1) ?? "";
  return pathname === paths.operatorRequest(reference) && (act === "complete" || act === "refuse")
    ? purpose(desk.acts[act], [reference])
    : undefined;
}

/** The title of the page that asks for the passkey, and its button. */
export function tellTouch({ operator }: Words, purpose: TouchPurpose | undefined) {
  const { touch } = operator.door;
  if (!purpose) return { title: operator.frame.pages.touch.title, button: touch.button };
  const { act, of } = purpose;
  return {
    title: of === undefined ? act : touch.what.replace("{act}", act).replace("{of}", of),
    button: touch.buttonFor.replace("{act}", act),
  };
}
