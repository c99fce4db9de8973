import type { HandOver } from "../../../../server/account-system/hand-overs.ts";
import { isWorking } from "../../../../server/deletion-requests/life/request.ts";
import type { Story } from "../../../../server/deletion-requests/working/reading.ts";
import { tellDeliveryProblem } from "../../../../server/mail/delivery-problem.ts";
import { isRecipientRefused } from "../../../../server/mail/mail-problem.ts";
import type { Sight } from "../../../../server/operator-desk/operator-desk.ts";
import type { Words } from "../../../words.ts";
import { tellLeaving, tellWait } from "./request-row.tsx";
import type { StoryLine } from "./story.ts";

/** What the state of a request does not say and whoever opens it must know first: of what, and how it stands with it. */
export function tellSituation(
  words: Words,
  { request, events, mails }: Story,
  lines: readonly StoryLine[],
  handOver: HandOver | undefined,
  sight: Sight,
): { of: string; text: string }[] {
  const { operator, mail, dates } = words;
  const { request: labels, groups, whyNot } = operator.desk;
  const found: { of: string; text: string }[] = [];
  const tell = (of: string, text: string | undefined) => {
    if (text !== undefined) found.push({ of, text });
  };
  tell(labels.held, tellWait(words, request, sight));
  const undelivered = mails.filter(({ state }) => state === "needs-person");
  if (undelivered.length > 0) {
    const { title, address, other } = labels.undelivered;
    const problems = undelivered.map(
      ({ kind, lastProblem }) =>
        `${mail.mailKinds[kind] ?? kind}, ${tellDeliveryProblem(mail.deliveryProblems, lastProblem)}`,
    );
    const isAddress = undelivered.some(
      ({ lastProblem }) =>
        isRecipientRefused(lastProblem) || lastProblem.startsWith("address not usable"),
    );
    tell(title, `${[...new Set(problems)].join("; ")}. ${isAddress ? address : other}`);
  }
  tell(groups.done, tellLeaving(words, request));
  tell(labels.system, tellSystem(words, { request, events }, lines, handOver, sight));
  const last = events.findLastIndex(({ type }) => type !== "note");
  const reopened = events[last]?.type === "reopen" ? lines[last] : undefined;
  if (isWorking(request) && reopened) tell(`${reopened.who} ${reopened.what}`, reopened.quote);
  if (request.state === "received" && !request.enteredBy) {
    const until = dates.momentBriefly(request.expiresAt);
    // Nobody can confirm with a link that did not come.
    const hasLink = !undelivered.some(({ kind }) => kind === "confirm");
    tell(labels.expires, hasLink ? `${until}. ${whyNot["not-confirmed"]}` : until);
  }
  return found;
}

/** What the account system does, or cannot do, with a request that nobody has taken from it. */
function tellSystem(
  { operator }: Words,
  { request, events }: Pick<Story, "request" | "events">,
  lines: readonly StoryLine[],
  handOver: HandOver | undefined,
  { marks }: Sight,
): string | undefined {
  if (!handOver || !isWorking(request) || request.done) return undefined;
  const { state } = handOver;
  const says = operator.desk.request.systemStates[state];
  const isStuck = state === "blocked" || state === "failed";
  const isAtIt = marks.get(request.id)?.has("system") === true;
  if (state !== "deleted-held" && !isAtIt && !(isStuck && !request.owner)) return undefined;
  const why = lines[events.findLastIndex(({ type }) => type === "failed")]?.quote ?? "";
  return `${says} ${isAtIt ? "" : why}`.trim();
}
