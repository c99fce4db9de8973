import { redirect } from "react-router";
import { paths } from "../../../server/http/paths.ts";
import { first } from "../../../server/operator-desk/walk.ts";
import { getServices } from "../../services-context.ts";
import { Button } from "../../ui/button.tsx";
import { Notice } from "../../ui/notice.tsx";
import { useWords, type Words, wordsAt } from "../../words.ts";
import type { Route } from "./+types/away-page";
import { tellDaysAway } from "./days-away.ts";
import { type Answer, readTyped, showAgain } from "./desk/answer.ts";
import { Fields, type FieldView, untouched } from "./desk/fields.tsx";
import { Told } from "./desk/told.tsx";
import { requireOperator } from "./guard.ts";
import { OperatorPage, operatorMeta } from "./operator-frame.tsx";

export const meta = (args: Route.MetaArgs) => operatorMeta(args, "away");

type Loaded = Awaited<ReturnType<typeof loader>>;

export async function loader(args: Route.LoaderArgs) {
  const { operator } = requireOperator(args);
  return { operator, ...(await getServices(args.context).watch.presence()) };
}

function fieldsOf({ operator }: Words, { operator: me, today, team }: Loaded): FieldView[] {
  const { away } = operator.watch;
  const who = team.map(({ id, name }) => ({
    value: String(id),
    words: id === me.id ? `${name} (${away.you})` : name,
  }));
  const reasons = Object.entries(away.reasons).map(([value, words]) => ({ value, words }));
  const whose = { kind: "list", name: "who", label: away.who, options: who } as const;
  return [
    // An admin enters it for whoever forgot to.
    ...(me.role === "admin" ? [{ ...whose, value: String(me.id) }] : []),
    { kind: "date", name: "from", label: away.from },
    { kind: "date", name: "until", label: away.until, min: today.toString() },
    { kind: "list", name: "reason", label: away.reason, options: reasons },
  ];
}

export async function action(args: Route.ActionArgs) {
  const { operator } = requireOperator(args);
  const { watch } = getServices(args.context);
  const words = wordsAt(new URL(args.request.url));
  const typed = readTyped(await args.request.formData());
  const text = (name: string) => first(typed, name);
  const back = () => redirect(words.to(paths.operatorAway), 303);
  if (text("act") === "end") {
    await watch.comeBack(Number(text("id")), operator);
    return back();
  }
  const absence = { reason: text("reason"), from: text("from"), until: text("until") };
  const result = await watch.goAway(absence, Number(text("who") || operator.id), operator);
  if (result === "done") return back();
  const { problems: told } = words.operator.watch.away;
  const problems = [
    {
      field: result === "no-dates" ? "from" : "until",
      words: told[result === "not-yours" ? "no-dates" : result],
    },
  ];
  return showAgain(typed, 422, problems);
}

export default function AwayPage({
  loaderData,
  actionData: answer,
}: {
  loaderData: Loaded;
  actionData?: Answer;
}) {
  const { nobodyThere, absences } = loaderData;
  const words = useWords();
  const { dates, operator, say } = words;
  const { away } = operator.watch;
  return (
    <OperatorPage name="away">
      <Told answer={answer} />
      {nobodyThere ? (
        <Notice tone="danger">
          <p>{say(operator.watch.health.presence.nobody, { date: dates.day(nobodyThere) })}</p>
        </Notice>
      ) : null}
      <div className="desk-columns">
        <section className="desk-card" aria-labelledby="planned">
          <h2 id="planned" data-told={answer ? undefined : "sent"} tabIndex={-1}>
            {away.planned}
          </h2>
          {absences.length === 0 ? <p>{away.none}</p> : <Absences {...loaderData} />}
        </section>
        <form data-kept="" method="post" className="desk-card" aria-labelledby="add-title">
          <h2 id="add-title">{away.addTitle}</h2>
          <p>{away.addAbout}</p>
          <Fields fields={fieldsOf(words, loaderData)} filled={answer ?? untouched} />
          <Button type="submit" look="primary">
            {away.add}
          </Button>
        </form>
      </div>
    </OperatorPage>
  );
}

function Absences({ operator: me, absences, today }: Loaded) {
  const words = useWords();
  const { away } = words.operator.watch;
  return (
    <ul className="desk-rows">
      {absences.map((absence) => {
        const { id, operatorId, name, reason } = absence;
        const span = tellDaysAway(words, absence.from, absence.until);
        const isMine = operatorId === me.id;
        const isNow = Temporal.PlainDate.compare(absence.from, today) <= 0;
        return (
          <li key={id}>
            <div>
              <b>
                {name}
                {isMine ? ` (${away.you})` : ""}
              </b>
              <p>{[isNow && away.today, span, away.reasons[reason]].filter(Boolean).join(" · ")}</p>
            </div>
            {isMine || me.role === "admin" ? (
              <form data-kept="" method="post">
                <input type="hidden" name="act" value="end" />
                <input type="hidden" name="id" value={id} />
                <Button type="submit" aria-label={words.say(away.endOf, { name, span })}>
                  {away.end}
                </Button>
              </form>
            ) : null}
          </li>
        );
      })}
    </ul>
  );
}
