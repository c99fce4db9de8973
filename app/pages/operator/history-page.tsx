import type { TeamAct } from "../../../server/deletion-requests/store/audit-log.ts";
import { paths } from "../../../server/http/paths.ts";
import { useWords, type Words } from "../../words.ts";
import type { Route } from "./+types/history-page";
import { tellDaysAway, toEventLine } from "./desk/request-detail.ts";
import { requireOperator } from "./guard.ts";
import { OperatorPage } from "./operator-frame.tsx";

const shown = 50;

export async function loader(args: Route.LoaderArgs) {
  const { services, url, words } = requireOperator(args, { admin: true });
  const before = url.searchParams.get("before");
  const { acts, next } = await services.desk.teamActs(shown, before);
  return {
    lines: acts.map((act) => toLine(words, act)),
    older: next && words.to(paths.operatorHistory, { before: next }),
  };
}

function toLine(words: Words, act: TeamAct) {
  const at = words.dates.momentBriefly(act.at);
  if (act.kind === "journal") {
    const acts: Record<string, string | undefined> = words.operator.people.history.acts;
    const { name } = act;
    if (act.act === "hand-over") return { at, name, ...tellHandOver(words, act.about) };
    const about = tellAbout(words, act);
    return { at, name, what: acts[act.act] ?? act.act, about, reference: undefined };
  }
  const event = { ...act, actor: "operator", type: act.act, note: "" } as const;
  const { who, what, details } = toEventLine(words, event);
  // Reasons are sentences of mails; here they are parts of one.
  const about = details.map((detail) => detail.replace(/[.।]$/, "")).join(" · ");
  return { at, name: who, what, about, reference: act.reference };
}

/** What was ticked stands as `tick LINE: WHO`; of the old team only who stays is ticked. */
function tellHandOver({ operator: { handOver } }: Words, text: string) {
  const [, verb = "", line = "", who = ""] = /^(\w+) ?(\w*)(.*)$/.exec(text) ?? [];
  const acts: Record<string, string> = handOver.acts;
  const lines: Record<string, string> = { ...handOver.lines, leavers: handOver.stays };
  return { what: acts[verb] ?? verb, about: (lines[line] ?? "") + who, reference: undefined };
}

/** What stands behind an act, in words: what is written down for programs is a moment, a role or a verdict. */
function tellAbout(words: Words, { act, about }: { act: string; about: string }): string {
  const { history, roles } = words.operator.people;
  const [name = "", role] = about.split(": ");
  switch (act) {
    case "restore":
      return words.dates.momentBriefly(Temporal.Instant.from(about));
    case "change-role":
      return `${name}: ${role === "admin" ? roles.admin : roles.operator}`;
    case "ledger-verify":
      return about === "whole" ? history.whole : history.notWhole;
    case "account-recheck":
      return about.replace(/\D+/, "");
    default:
      return tellSpan(words, about);
  }
}

/** Days away are written down as `NAME FROM/UNTIL`. */
function tellSpan(words: Words, about: string): string {
  const [span, from, until] = /(\d{4}-\d\d-\d\d)\/(\d{4}-\d\d-\d\d)$/.exec(about) ?? [];
  if (!span || !from || !until) return about;
  const { PlainDate } = Temporal;
  const days = tellDaysAway(words, PlainDate.from(from), PlainDate.from(until));
  return about.replace(` ${span}`, `, ${days}`);
}

export default function HistoryPage({ loaderData }: Route.ComponentProps) {
  const { operator: words, to } = useWords();
  const { history } = words.people;
  const { lines, older } = loaderData;
  return (
    <OperatorPage>
      {lines.length === 0 ? <p>{words.frame.nothing}</p> : null}
      <ol className="lines">
        {lines.map(({ at, name, what, about, reference }, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a page of what is past, in its order.
          <li key={index}>
            <p>
              {reference ? <a href={to(paths.operatorRequest(reference))}>{reference}</a> : null}{" "}
              <b>{name}</b> {what}
              {about ? `: ${about}` : ""}
            </p>
            <p className="soft">{at}</p>
          </li>
        ))}
      </ol>
      {older === undefined ? null : <a href={older}>{history.older}</a>}
    </OperatorPage>
  );
}
