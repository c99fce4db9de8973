import { useMemo } from "react";
import { data, Form, useNavigation } from "react-router";
import type { QueuedRequest } from "../../../server/deletion-requests/desk.ts";
import { isWorking } from "../../../server/deletion-requests/store/request.ts";
import { paths } from "../../../server/http/paths.ts";
import { getServices } from "../../services-context.ts";
import { Button, ButtonLink } from "../../ui/button.tsx";
import { describedBy } from "../../ui/field.tsx";
import { WithAddresses } from "../../ui/line-breaks.tsx";
import { useWords, wordsAt } from "../../words.ts";
import type { Route } from "./+types/batch-page";
import { AccountKinds, isOfPlace, Stores } from "./desk/checklist.tsx";
import styles from "./desk/desk.module.css";
import { tellDone } from "./desk/desk-answer.ts";
import { doAct, whyNot } from "./desk/do-act.ts";
import { Due } from "./desk/due.tsx";
import { isWorthReading, sendOrKeep, type Unreached } from "./desk/offline.ts";
import { type FieldProblem, first, readTyped, type Typed } from "./desk/read-act.ts";
import { checklistOf } from "./desk/request-view.ts";
import { toRow } from "./desk/row-view.ts";
import { Told } from "./desk/told.tsx";
import { problemOf, Wrong } from "./desk/wrong.tsx";
import { requireOperator } from "./guard.ts";
import { OperatorPage, operatorMeta } from "./operator-page.tsx";
import { tellTouch } from "./touch-purpose.ts";
import { WithPicture } from "./with-picture.tsx";

export const meta = (args: Route.MetaArgs) => operatorMeta(args, "batch");

type BatchAct = "take" | "complete";

/** More at once nobody confirms by name. */
const mostAtOnce = 50;

export async function loader(args: Route.LoaderArgs) {
  const { operator } = requireOperator(args);
  const { desk, operatorDesk } = getServices(args.context);
  const url = new URL(args.request.url);
  const words = wordsAt(url);
  const references = [...new Set(url.searchParams.getAll("r"))].slice(0, mostAtOnce);
  const found: QueuedRequest[] = [];
  for (const reference of references) {
    const request = await desk.find(reference);
    if (request && isWorking(request)) found.push(...operatorDesk.withDaysLeft([request]));
  }
  const shown = await operatorDesk.sightOf(operator.name);
  const act: BatchAct = url.searchParams.get("act") === "complete" ? "complete" : "take";
  return {
    act,
    rows: found.map((request) => {
      const possible = operatorDesk.possible({ request, mails: [] }, operator.name)[act];
      return {
        ...toRow(words, request, shown),
        /** Said before anything is typed for it. */
        why: possible.can ? undefined : whyNot(words, possible.because, request),
      };
    }),
    checklist: checklistOf(words, operatorDesk),
  };
}

type Results = {
  /** What was done, by reference. */
  done: string[];
  problems: Record<string, FieldProblem[]>;
  typed: Typed;
};

/** Each request by itself: one that cannot be done keeps no other from it. */
export async function action(args: Route.ActionArgs) {
  const { request, context } = args;
  const typed = readTyped(await request.formData());
  const act: BatchAct = first(typed, "act") === "complete" ? "complete" : "take";
  const { operator } =
    act === "complete" ? requireOperator(args, { fresh: true }) : requireOperator(args);
  const { desk, operatorDesk } = getServices(context);
  const words = wordsAt(new URL(request.url));
  const results: Results = { done: [], problems: {}, typed };
  const chosen = [...new Set(typed.r)].slice(0, mostAtOnce);
  const hasAddress = chosen.some((reference) => first(typed, `${reference}-address`) !== "");
  for (const reference of chosen) {
    const own: Typed = {
      act: [act],
      place: typed.place ?? [],
      address: typed[`${reference}-address`] ?? [],
      account: typed[`${reference}-account`] ?? [],
    };
    // Whose address nobody typed is not called done; where none was typed, the first says all that is missing.
    const isEmpty = act === "complete" && first(own, "address") === "";
    if (isEmpty && (hasAddress || reference !== chosen[0])) continue;
    const asked = { words, desk, operatorDesk, name: operator.name, reference, typed: own };
    const outcome = await doAct(asked);
    if (outcome.kind === "done") results.done.push(reference);
    else {
      results.problems[reference] =
        outcome.kind === "problem"
          ? outcome.problems.map(({ field, words: text }) => ({
              words: text,
              ...(field && { field: isOfPlace(field) ? field : `${reference}-${field}` }),
            }))
          : [{ words: words.operator.desk.problems.unknown }];
    }
  }
  const isWhole = Object.keys(results.problems).length === 0;
  if (isWhole && results.done.length > 0) {
    return tellDone(words, paths.operator, { act, count: results.done.length });
  }
  return data({ results }, { status: results.done.length > 0 ? 409 : 422 });
}

export const clientAction = ({ serverAction, request }: Route.ClientActionArgs) =>
  sendOrKeep(serverAction, request);

export const shouldRevalidate = isWorthReading;

export default function BatchPage({ loaderData, actionData }: Route.ComponentProps) {
  const { act, rows, checklist } = loaderData;
  const answer = actionData as { results?: Results; offline?: Unreached } | undefined;
  const results = answer?.results;
  const typed = results?.typed ?? {};
  const words = useWords();
  const { operator, to, say } = words;
  const { about, acts, together, form, card } = operator.desk;
  const isBusy = useNavigation().formMethod === "POST";
  const problems = Object.values(results?.problems ?? {}).flat();
  const isDone = (reference: string) => results?.done.includes(reference) ?? false;
  const open = rows.filter(({ reference, why }) => !isDone(reference) && why === undefined);
  const wrong = (name: string) => problemOf(problems, name);
  // What went wrong has the focus once, however often the page is drawn.
  const unfinished = useMemo(
    () => results && { act, typed: {}, problems: tellProblems(results, together.none) },
    [results, act, together],
  );
  const query = new URLSearchParams([
    ["act", act],
    ...rows.map(({ reference }) => ["r", reference]),
  ]);
  const count = Math.max(1, open.length);
  const takeText = !open.some(({ isBegun }) => isBegun)
    ? say(together.takeText, { count })
    : count === 1
      ? about.takeBegun
      : together.takeSomeText;
  const title = act === "take" ? together.takeTitle : together.completeTitle;
  const [only] = rows.length === 1 ? rows : [];
  if (rows.length === 0) {
    return (
      <WithPicture name="empty-shelf">
        <OperatorPage name="batch" about={together.none}>
          <ButtonLink href={to(paths.operator)}>{operator.frame.fault.today}</ButtonLink>
        </OperatorPage>
      </WithPicture>
    );
  }
  return (
    <OperatorPage
      name="batch"
      title={
        only
          ? tellTouch(words, { act: acts[act], of: only.reference, why: "undo" }).title
          : say(title, { count })
      }
      about={act === "take" ? takeText : say(together.completeText, { count })}
    >
      <Form method="post" action={to(`${paths.operatorBatch}?${query}`)} className={styles.batch}>
        <input type="hidden" name="act" value={act} />
        <Told
          offline={answer?.offline}
          unfinished={unfinished}
          title={results && results.done.length > 0 ? together.partly : undefined}
        />
        {act === "complete" ? (
          <div className={styles.paper}>
            <Stores checklist={checklist} typed={typed} problems={problems} />
          </div>
        ) : null}
        <ul className={styles.chosen}>
          {rows.map((row) => (
            <li key={row.reference} data-done={isDone(row.reference) || undefined}>
              <p>
                <a href={to(paths.operatorRequest(row.reference))}>{row.reference}</a>{" "}
                <span className={styles.address}>
                  <WithAddresses text={row.address ?? ""} />
                </span>
              </p>
              {isDone(row.reference) ? (
                <p className={styles.meta}>{act === "take" ? together.taken : together.done}</p>
              ) : (
                <>
                  {row.due ? <Due due={row.due} /> : null}
                  {row.owner && !row.owner.isOwn ? (
                    <p className={styles.meta}>{row.owner.standing}</p>
                  ) : null}
                  {row.why && !results?.problems[row.reference] ? (
                    <p className={styles.meta}>{row.why}</p>
                  ) : act === "take" ? (
                    <label className={styles.tick}>
                      <input
                        type="checkbox"
                        name="r"
                        value={row.reference}
                        defaultChecked={results ? typed.r?.includes(row.reference) : true}
                      />
                      <span>{card.choose.replace("{reference}", row.reference)}</span>
                    </label>
                  ) : (
                    <>
                      <input type="hidden" name="r" value={row.reference} />
                      <div className={styles.field}>
                        <label htmlFor={`${row.reference}-address`}>{form.address}</label>
                        <Wrong
                          name={`${row.reference}-address`}
                          words={wrong(`${row.reference}-address`)}
                        />
                        <input
                          id={`${row.reference}-address`}
                          name={`${row.reference}-address`}
                          type="email"
                          autoComplete="off"
                          spellCheck={false}
                          aria-describedby={describedBy(`${row.reference}-address`, {
                            problem: wrong(`${row.reference}-address`),
                          })}
                          aria-invalid={wrong(`${row.reference}-address`) !== "" || undefined}
                          defaultValue={typed[`${row.reference}-address`]?.[0]}
                        />
                      </div>
                      <AccountKinds
                        name={`${row.reference}-account`}
                        typed={typed}
                        problem={wrong(`${row.reference}-account`)}
                        required={false}
                      />
                    </>
                  )}
                  {results?.problems[row.reference]
                    ?.filter(({ field }) => field === undefined)
                    .map((problem) => (
                      <p key={problem.words} className={styles.wrong}>
                        {problem.words}
                      </p>
                    ))}
                </>
              )}
            </li>
          ))}
        </ul>
        <div className={styles.buttons}>
          {open.length > 0 ? (
            <Button type="submit" look="primary" aria-disabled={isBusy || undefined}>
              {say(act === "take" ? together.takeAll : together.completeAll, { count })}
            </Button>
          ) : null}
          <ButtonLink href={to(paths.operator)}>{operator.frame.fault.today}</ButtonLink>
        </div>
      </Form>
    </OperatorPage>
  );
}

/** Everything that is wrong, once each, and of which request where there are several. */
function tellProblems({ problems, typed }: Results, none: string): FieldProblem[] {
  const isOnly = typed.r?.length === 1;
  const told = Object.entries(problems).flatMap(([reference, own]) =>
    own.map((one) =>
      isOnly || isOfPlace(one.field) ? one : { ...one, words: `${reference}: ${one.words}` },
    ),
  );
  const first = [...new Map(told.toReversed().map((one) => [one.words, one])).values()].reverse();
  return first.length > 0 ? first : [{ words: none }];
}
