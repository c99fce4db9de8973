import { toChoice } from "../../../../server/deletion-requests/commands/acts.ts";
import { explainWhyNot } from "../../../../server/deletion-requests/presenters/history.ts";
import { presentFacts } from "../../../../server/deletion-requests/presenters/request.ts";
import type { QueuedRequest } from "../../../../server/deletion-requests/queries/request-queries.ts";
import {
  holdOf,
  isEnded,
  isWorking,
  ownerOf,
} from "../../../../server/deletion-requests/state-machine/request.ts";
import { isSameName } from "../../../../server/deletion-requests/state-machine/state-machine.ts";
import type { ListedRequest, Viewer } from "../../../../server/operator-desk/desk-queries.ts";
import { warnBusinessDays } from "../../../../server/periods.ts";
import { paths } from "../../../../server/platform/http/paths.ts";
import { nameLanguage } from "../../../../server/platform/i18n/texts.ts";
import { Button } from "../../../components/button.tsx";
import { Text } from "../../../components/text.tsx";
import { type PageWords, useWords } from "../../../words.ts";
import styles from "./desk.module.css";
import { Hidden } from "./fields.tsx";

/**
 * Renders a list of requests, each on two lines. Lists with checkboxes or of selected requests have
 * no heading; only their label contains the title.
 */
export function Rows({
  requests,
  title,
  ...each
}: Omit<Parameters<typeof RequestRow>[0], "request"> & {
  requests: readonly ListedRequest[];
  title: string;
}) {
  const { card } = useWords().operator.desk;
  if (requests.length === 0) return null;
  return (
    <section className={`${styles.card} frame`} aria-label={title}>
      {each.act === "take" ? (
        // This checkbox needs the operators' script, so styles hide it from browsers without
        // JavaScript.
        <label className={`${styles.all} target soft`}>
          <input type="checkbox" data-choose-all="r" />
          <span>
            <Text>{card.chooseAll}</Text>
          </span>
        </label>
      ) : null}
      {each.act === "take" || each.noteOf ? null : (
        <h2>
          <Text>{title}</Text>
        </h2>
      )}
      <ul>
        {requests.map((request) => (
          <RequestRow key={request.reference} request={request} {...each} />
        ))}
      </ul>
    </section>
  );
}

/**
 * Renders a request on two lines: due date, account and notes. The entire row is a link to the
 * request.
 * @param act the act behind the row's button, if any; `take` adds a checkbox
 * @param formKey the page's idempotency key
 * @param noteOf returns additional notes
 */
function RequestRow({
  request,
  viewer,
  act,
  formKey = "",
  noteOf,
}: {
  request: ListedRequest;
  viewer: Viewer;
  act?: "take" | "undo" | undefined;
  formKey?: string;
  noteOf?: (request: ListedRequest) => string | undefined;
}) {
  const words = useWords();
  const { operator, say, to } = words;
  const { acts, card, list } = operator.desk;
  const { reference } = request;
  const waits = holdOf(request) !== undefined;
  const isFree = isWorking(request) && !waits && ownerOf(request) === undefined;
  const canTake = isFree && !request.marks.system && !request.grace;
  const canChoose = canTake || (!waits && isSameName(ownerOf(request) ?? "", viewer.name));
  const notes = [...shortNotes(words, request, viewer), noteOf?.(request)];
  return (
    <li className={styles.request}>
      {act === "take" && canChoose ? (
        <input
          type="checkbox"
          name="r"
          value={toChoice(request)}
          form="together"
          // "Choose all" skips requests with a message, because operators must read the message
          // first.
          data-apart={request.marks.wrote ? "" : undefined}
          aria-label={say(card.choose, { reference })}
        />
      ) : null}
      <div className={styles.line}>
        <a href={to(paths.operatorRequest(reference))} className="covers">
          <Text>{reference}</Text>
        </a>
        <span className={styles.address}>
          <Text>{request.email ?? list.erased}</Text>
        </span>
      </div>
      <div className={`${styles.meta} row soft`}>
        {waits ? null : <Due request={request} />}
        {notes.filter(Boolean).map((note) => (
          <span key={note}>
            <Text>{note}</Text>
          </span>
        ))}
      </div>
      {act === "undo" || (act === "take" && canTake) ? (
        <form method="post" action={to(paths.operator)} data-kept="">
          <Hidden fields={{ r: toChoice(request), formKey }} />
          <Button type="submit" name="act" value={act}>
            {acts[act]}
          </Button>
        </form>
      ) : null}
    </li>
  );
}

/**
 * Lists the notes except the due date. On phones, two lines have room only for notes that affect
 * whether an operator opens the request.
 */
function shortNotes(words: PageWords, request: ListedRequest, viewer: Viewer): string[] {
  const { dates, mail, operator, say } = words;
  const { card } = operator.desk;
  const notes = requestNotes(words, request, viewer);
  if (!isWorking(request)) return [nameState(words, request), ...notes];
  const { final, heldUntil } = presentFacts(request, "team");
  if (final) return [say(card.leaves, { time: dates.time(final.at) })];
  if (!heldUntil) return notes;
  return [say(mail.shared.heldUntil, { date: dates.dayNear(heldUntil.on) }), ...notes];
}

const signs = { late: "!", soon: "◔", calm: "○" } as const;

/** Returns the tone for a due date. The tone depends on how soon the date is. */
function toneOf({ daysLeft = 0 }: QueuedRequest): keyof typeof signs {
  return daysLeft < 0 ? "late" : daysLeft <= warnBusinessDays ? "soon" : "calm";
}

/** Returns whether a request is late or due within `warnBusinessDays`. Excludes requests on hold. */
export function isPressing(request: QueuedRequest): boolean {
  return isWorking(request) && toneOf(request) !== "calm" && holdOf(request) === undefined;
}

/**
 * Renders the due date with a color and, for operators who can't tell the colors apart, an icon.
 */
export function Due({ request }: { request: QueuedRequest }) {
  const { dates, mail } = useWords();
  if (!isWorking(request) || request.done) return null;
  const tone = toneOf(request);
  return (
    <p className={styles.due} data-tone={tone}>
      <span className={styles.sign} aria-hidden="true">
        <Text>{signs[tone]}</Text>
      </span>
      <span>
        <b>
          <Text>{dates.daysLeft(request.daysLeft ?? 0, mail.shared)}</Text>
        </b>{" "}
        <span>
          <Text>{dates.dayNear(request.dueOn)}</Text>
        </span>
      </span>
    </p>
  );
}

export function nameState({ operator, mail }: PageWords, request: ListedRequest): string {
  const isUnowned = ownerOf(request) === undefined && !request.marks.system;
  if (request.state === "received" && request.enteredBy) return operator.desk.groups.approve;
  return request.state === "in-progress" && isUnowned
    ? operator.desk.request.nobody
    : mail.shared.states[request.state];
}

/**
 * Formats when an entered request can be approved, or by when an operator must check for a reply
 * and decide.
 */
function formatApprovalTime({ dates, operator, say }: PageWords, request: ListedRequest) {
  if (request.state !== "received" || !request.approvableAt) return undefined;
  const { approvable, check } = operator.desk.card;
  const { approvableAt, expiresAt } = request;
  return request.canCheck
    ? say(check, { time: dates.momentBriefly(expiresAt) })
    : say(approvable, { time: dates.momentBriefly(approvableAt) });
}

/** Returns notes on a listed request, such as its owner, its language, and why it must wait. */
export function requestNotes(
  words: PageWords,
  request: ListedRequest,
  { name, away, isAlone }: Viewer,
) {
  const { operator, settings, mail, say } = words;
  const { card, whyNot } = operator.desk;
  const { state, language, contact, marks } = request;
  const toCheck = formatApprovalTime(words, request);
  const owner = ownerOf(request);
  const entered = isEnded(request) ? undefined : request.enteredBy;
  const isOwn = (owner: string) => isSameName(owner, name);
  return [
    owner &&
      (isOwn(owner) ? card.yours : say(away.has(owner) ? card.away : card.owner, { name: owner })),
    entered && !isOwn(entered) && say(card.enteredBy, { name: entered }),
    entered && isOwn(entered) && !isAlone && whyNot["needs-second-person"],
    toCheck,
    language !== "" && language !== settings.language && nameLanguage(mail.locale, language),
    request.grace && explainWhyNot(words, "after-restore", request, request.grace),
    // Only requests for a closed mailbox have a contact address.
    contact !== undefined && state !== "received" && card.closed,
    ...(["wrote", "undelivered", "system"] as const).map((mark) => marks[mark] && card[mark]),
  ].filter((text) => typeof text === "string" && text !== "") as string[];
}
