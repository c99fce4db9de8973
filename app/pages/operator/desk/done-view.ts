import { createFormKey } from "../../../../server/deletion-requests/life/form-key.ts";
import type { Desk } from "../../../../server/deletion-requests/working/desk.ts";
import { isDeskAct } from "../../../../server/operator-desk/act-names.ts";
import type { OperatorDesk } from "../../../../server/operator-desk/operator-desk.ts";
import type { Words } from "../../../words.ts";
import type { DoneView } from "./desk-answer.ts";

/** More at once nobody does by name. */
export const mostAtOnce = 50;

/** What a page has to say of the last act, from its address, as far as it is still so. */
export async function readTold(
  words: Words,
  url: URL,
  services: { desk: Desk; operatorDesk: OperatorDesk },
  name: string,
): Promise<DoneView | undefined> {
  const act = url.searchParams.get("told") ?? "";
  const { told, toldSeveral } = words.operator.desk;
  const { acts, isUnknown, look } = services.operatorDesk;
  const isEntry = act === "enter" || act === "entered";
  if (!isEntry && !isDeskAct(act)) return undefined;
  const of: DoneView["of"] = [];
  for (const reference of url.searchParams.getAll("of").slice(0, mostAtOnce)) {
    const story = await services.desk.tell(reference);
    if (!story) continue;
    const { request, mails, seen } = story;
    const seenSo = look({ request, mails }, name);
    const stands = isEntry
      ? (request.state === "received") === (act === "enter")
      : acts[act].stands(request, name);
    if (!stands) continue;
    const canUndo = !isEntry && acts[act].undoable && isUnknown(seenSo);
    of.push({
      reference: request.reference,
      undo: canUndo ? { seen, formKey: createFormKey() } : undefined,
    });
  }
  const [one] = of;
  if (!one) return undefined;
  const isSeveral = of.length > 1 && (act === "take" || act === "complete");
  const text = isSeveral
    ? words.say(toldSeveral[act], { count: of.length })
    : words.say(told[act], { reference: one.reference });
  return { text, of };
}
