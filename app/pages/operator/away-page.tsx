import { data, redirect } from "react-router";
import { paths } from "../../../server/http/paths.ts";
import type { TypedAbsence } from "../../../server/operators/absences.ts";
import { getServices } from "../../services-context.ts";
import { Button } from "../../ui/button.tsx";
import { Notice } from "../../ui/notice.tsx";
import { useWords, wordsAt } from "../../words.ts";
import type { Route } from "./+types/away-page";
import { tellDaysAway } from "./days-away.ts";
import { requireOperator } from "./guard.ts";
import { OperatorPage, operatorMeta } from "./operator-page.tsx";
import styles from "./watch.module.css";

export const meta = (args: Route.MetaArgs) => operatorMeta(args, "away");

export async function loader(args: Route.LoaderArgs) {
  const { operator } = requireOperator(args);
  const words = wordsAt(new URL(args.request.url));
  const { today, absences, nobodyThere, team } = await getServices(args.context).watch.presence();
  return {
    today: today.toString(),
    nobodyThere: nobodyThere && words.dates.day(nobodyThere),
    // An admin enters it for whoever forgot to.
    team: operator.role === "admin" ? team : [],
    me: operator.id,
    absences: absences.map((absence) => ({
      id: absence.id,
      name: absence.name,
      mine: absence.operatorId === operator.id,
      endable: absence.operatorId === operator.id || operator.role === "admin",
      reason: absence.reason,
      now: absence.now,
      span: tellDaysAway(words, absence.from, absence.until),
    })),
  };
}

export async function action(args: Route.ActionArgs) {
  const { operator } = requireOperator(args);
  const { watch } = getServices(args.context);
  const form = await args.request.formData();
  const text = (name: string) => String(form.get(name) ?? "");
  const here = wordsAt(new URL(args.request.url)).to(paths.operatorAway);
  if (text("act") === "end") {
    await watch.comeBack(Number(text("id")), operator);
    return redirect(here, 303);
  }
  const typed: TypedAbsence = { reason: text("reason"), from: text("from"), until: text("until") };
  const who = Number(text("who") || operator.id);
  const result = await watch.goAway(typed, who, operator);
  if (result === "done") return redirect(here, 303);
  const problem = result === "not-yours" ? "no-dates" : result;
  return data({ problem, typed, who }, { status: 422 });
}

export default function AwayPage({ loaderData, actionData }: Route.ComponentProps) {
  const { absences, nobodyThere } = loaderData;
  const { operator, say } = useWords();
  const { away } = operator.watch;
  const refused = actionData;
  return (
    <OperatorPage name="away">
      <div className={`${styles.stack} ${styles.beside}`}>
        {nobodyThere ? (
          <Notice tone="danger">
            <p>{say(away.nobodyThere, { date: nobodyThere })}</p>
          </Notice>
        ) : null}
        <section className={styles.panel} aria-labelledby="planned">
          <h2 id="planned" data-told={refused ? undefined : "sent"} tabIndex={-1}>
            {away.planned}
          </h2>
          {absences.length === 0 ? <p>{away.none}</p> : <Absences absences={absences} />}
        </section>
        <AbsenceForm {...loaderData} refused={refused} />
      </div>
    </OperatorPage>
  );
}

type Refused = Extract<Route.ComponentProps["actionData"], { problem: unknown }>;

type Shown = Route.ComponentProps["loaderData"];

function Absences({ absences }: Pick<Shown, "absences">) {
  const { operator, say } = useWords();
  const { away } = operator.watch;
  return (
    <ul className={styles.absences}>
      {absences.map(({ id, name, mine, endable, reason, now, span }) => (
        <li key={id}>
          <div>
            <b>
              {name}
              {mine ? ` (${away.you})` : ""}
            </b>
            {now ? <span className={styles.today}>{away.today}</span> : null}
            <p>
              {span}&nbsp;· <small>{away.reasons[reason]}</small>
            </p>
          </div>
          {endable ? (
            <form data-kept="" method="post">
              <input type="hidden" name="act" value="end" />
              <input type="hidden" name="id" value={id} />
              <Button type="submit" aria-label={say(away.endOf, { name, span })}>
                {away.end}
              </Button>
            </form>
          ) : null}
        </li>
      ))}
    </ul>
  );
}

function AbsenceForm({
  today,
  team,
  me,
  refused,
}: Pick<Shown, "today" | "team" | "me"> & {
  refused: Refused | undefined;
}) {
  const { away } = useWords().operator.watch;
  return (
    <form data-kept="" method="post" className={styles.panel} aria-labelledby="add-title">
      <h2 id="add-title">{away.addTitle}</h2>
      <p className={styles.about}>{away.addAbout}</p>
      {refused ? (
        <Notice tone="danger" role="alert">
          <p id="away-problem" data-told="" tabIndex={-1}>
            {away.problems[refused.problem]}
          </p>
        </Notice>
      ) : null}
      <div className={styles.fields}>
        {team.length > 0 ? (
          <div className={styles.field}>
            <label htmlFor="who">{away.who}</label>
            <select id="who" name="who" defaultValue={refused?.who ?? me}>
              {team.map(({ id, name }) => (
                <option key={id} value={id}>
                  {id === me ? `${name} (${away.you})` : name}
                </option>
              ))}
            </select>
          </div>
        ) : null}
        {(["from", "until"] as const).map((name) => (
          <div key={name} className={styles.field}>
            <label htmlFor={name}>{away[name]}</label>
            <input
              id={name}
              name={name}
              type="date"
              required
              min={name === "until" ? today : undefined}
              defaultValue={refused?.typed[name] ?? ""}
              aria-describedby={refused ? "away-problem" : undefined}
              aria-invalid={refused ? true : undefined}
            />
          </div>
        ))}
        <div className={styles.field}>
          <label htmlFor="reason">{away.reason}</label>
          <select id="reason" name="reason" defaultValue={refused?.typed.reason ?? "exams"}>
            {Object.entries(away.reasons).map(([reason, label]) => (
              <option key={reason} value={reason}>
                {label}
              </option>
            ))}
          </select>
        </div>
      </div>
      <Button type="submit" look="primary">
        {away.add}
      </Button>
    </form>
  );
}
