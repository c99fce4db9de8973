import { data } from "react-router";
import { matchEmail, parseEmailAddress } from "../../../server/addresses/email-address.ts";
import { createFormKey } from "../../../server/deletion-requests/life/form-key.ts";
import { isWorking } from "../../../server/deletion-requests/store/request.ts";
import type { QueuedRequest } from "../../../server/deletion-requests/working/reading.ts";
import { paths } from "../../../server/http/paths.ts";
import type { DeskAct } from "../../../server/operator-desk/act-names.ts";
import { first, type Typed } from "../../../server/operator-desk/walk.ts";
import { getServices } from "../../services-context.ts";
import { Button, ButtonLink } from "../../ui/button.tsx";
import { describedBy } from "../../ui/field.tsx";
import { WithAddresses } from "../../ui/line-breaks.tsx";
import { useWords, wordsAt } from "../../words.ts";
import type { Route } from "./+types/batch-page";
import styles from "./desk/desk.module.css";
import { tellDone } from "./desk/desk-answer.ts";
import { doAct, tellMeant, whyNot } from "./desk/do-act.ts";
import { mostAtOnce } from "./desk/done-view.ts";
import { Due } from "./desk/due.tsx";
import { type FieldProblem, readTyped } from "./desk/read-act.ts";
import { walkOf } from "./desk/request-view.ts";
import { type RowView, toRow } from "./desk/row-view.ts";
import { Told } from "./desk/told.tsx";
import { AccountKinds, Walk } from "./desk/walk.tsx";
import { problemOf, Wrong } from "./desk/wrong.tsx";
import { requireOperator } from "./guard.ts";
import { OperatorPage, operatorMeta } from "./operator-page.tsx";
import { tellTouch } from "./touch-purpose.ts";
import { WithPicture } from "./with-picture.tsx";

export const meta = (args: Route.MetaArgs) => operatorMeta(args, "batch");

type BatchAct = Extract<DeskAct, "take" | "complete">;

type Row = RowView & { why: string | undefined };

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
  const rows = found.map((request): Row => {
    const row = toRow(words, request, shown);
    const possible = operatorDesk.acts[act].can(
      operatorDesk.look({ request, mails: [] }, operator.name),
    );
    // What somebody has is taken from them one by one.
    const isOthers = act === "take" && possible.can && row.owner !== undefined;
    const because = isOthers ? "already-taken" : possible.can ? undefined : possible.because;
    /** Said before anything is typed for it. */
    return { ...row, why: because && whyNot(words, because, request) };
  });
  const open = rows.flatMap(({ why, address }) => (why || !address ? [] : [address]));
  return { act, rows, formKey: createFormKey(), walk: walkOf(words, operatorDesk, open) };
}

type Results = {
  /** What was done, by reference. */
  done: string[];
  /** What is wrong with one request, or with all of them under an empty name. */
  problems: Record<string, FieldProblem[]>;
  typed: Typed;
};

/** Each request by itself: one that cannot be done keeps no other from it. */
export async function action(args: Route.ActionArgs) {
  const { request, context } = args;
  const typed = readTyped(await request.formData());
  const act: BatchAct = first(typed, "act") === "complete" ? "complete" : "take";
  const { desk, operatorDesk, isStorageProblem } = getServices(context);
  const { operator } = operatorDesk.acts[act].serious
    ? requireOperator(args, { fresh: true })
    : requireOperator(args);
  const words = wordsAt(new URL(request.url));
  const { problems } = words.operator.desk;
  const results: Results = { done: [], problems: {}, typed };
  const chosen = [...new Set(typed.r)].slice(0, mostAtOnce);
  const byName = { name: operator.name, isStorageProblem };
  const { addressed, strange } =
    act === "complete"
      ? await findAddressed(desk, chosen, first(typed, "addresses"))
      : { addressed: chosen.map((reference) => ({ reference, address: "" })), strange: [] };
  for (const { reference, address } of addressed) {
    const own: Typed = { ...typed, act: [act], address: [address] };
    const asked = { words, desk, operatorDesk, ...byName, reference, typed: own };
    const outcome = await doAct(asked);
    if (outcome.kind === "done") results.done.push(reference);
    else {
      results.problems[reference] =
        outcome.kind === "problem" ? outcome.problems : [{ words: problems.unknown }];
    }
  }
  const wrong = strange.map(({ address, meant }) => ({
    field: "addresses",
    words: `${address}: ${problems.anotherAddress} ${tellMeant(words, meant)}`,
  }));
  if (addressed.length === 0 && wrong.length === 0) {
    wrong.push({ field: "addresses", words: problems.addressMissing });
  }
  if (wrong.length > 0) results.problems[""] = wrong;
  const isWhole = Object.keys(results.problems).length === 0;
  if (isWhole && results.done.length > 0) {
    return tellDone(words, paths.operator, { act, references: results.done });
  }
  return data({ results }, { status: results.done.length > 0 ? 409 : 422 });
}

/** Which of the chosen requests are of the addresses that were typed, one a line, and which lines are of none. */
async function findAddressed(
  desk: ReturnType<typeof getServices>["desk"],
  chosen: readonly string[],
  lines: string,
) {
  const byAddress = new Map<string, string>();
  for (const reference of chosen) {
    const request = await desk.find(reference);
    if (request?.email !== undefined) byAddress.set(matchEmail(request.email), reference);
  }
  const addressed: { reference: string; address: string }[] = [];
  const strange: { address: string; meant: string | undefined }[] = [];
  for (const address of new Set(lines.split(/[\s,;]+/).filter((line) => line !== ""))) {
    const read = parseEmailAddress(address);
    const reference = read.ok ? byAddress.get(matchEmail(read.email)) : undefined;
    if (reference) addressed.push({ reference, address });
    else {
      const found = await desk.search(address);
      strange.push({ address, meant: found.find(isWorking)?.reference });
    }
  }
  return { addressed, strange };
}

export default function BatchPage({ loaderData, actionData }: Route.ComponentProps) {
  const { act, rows, walk } = loaderData;
  const answer = actionData as { results?: Results } | undefined;
  const results = answer?.results;
  const typed = results?.typed ?? {};
  const words = useWords();
  const { operator, to, say } = words;
  const { about, acts: names, together } = operator.desk;
  const isDone = (reference: string) => results?.done.includes(reference) ?? false;
  const open = rows.filter(({ reference, why }) => !isDone(reference) && why === undefined);
  const problems = results ? tellProblems(results, together.none) : [];
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
          ? tellTouch(words, { act: names[act], of: only.reference, why: "undo" }).title
          : say(title, { count })
      }
      about={act === "take" ? takeText : say(together.completeText, { count })}
    >
      <form
        data-kept=""
        method="post"
        action={to(`${paths.operatorBatch}?${query}`)}
        className={styles.batch}
      >
        <input type="hidden" name="act" value={act} />
        <input type="hidden" name="formKey" value={loaderData.formKey} />
        <Told
          unfinished={results && { act, typed: {}, problems }}
          title={results && results.done.length > 0 ? together.partly : undefined}
        />
        <ul className={styles.chosen}>
          {rows.map((row) => (
            <Chosen key={row.reference} {...{ row, act, results }} isDone={isDone(row.reference)} />
          ))}
        </ul>
        {act === "complete" && open.length > 0 ? (
          <div className={styles.paper}>
            <Walk walk={walk} typed={typed} problems={problems}>
              <Addresses typed={typed} problem={problemOf(problems, "addresses")} />
              <AccountKinds typed={typed} problems={problems} />
            </Walk>
          </div>
        ) : null}
        <div className={styles.buttons}>
          {open.length > 0 ? (
            <Button type="submit" look="primary">
              {say(act === "take" ? together.takeAll : together.completeAll, { count })}
            </Button>
          ) : null}
          <ButtonLink href={to(paths.operator)}>{operator.frame.fault.today}</ButtonLink>
        </div>
      </form>
    </OperatorPage>
  );
}

/** One of the chosen requests, and what became of it. */
function Chosen({
  row,
  act,
  results,
  isDone,
}: {
  row: Row;
  act: BatchAct;
  results: Results | undefined;
  isDone: boolean;
}) {
  const { operator, to, say } = useWords();
  const { together, card } = operator.desk;
  const wrong = results?.problems[row.reference]?.filter(({ field }) => field === undefined) ?? [];
  return (
    <li data-done={isDone || undefined}>
      <p>
        <a href={to(paths.operatorRequest(row.reference))}>{row.reference}</a>{" "}
        <span className={styles.address}>
          <WithAddresses text={row.address ?? ""} />
        </span>
      </p>
      {isDone ? (
        <p className={styles.meta}>{act === "take" ? together.taken : together.done}</p>
      ) : (
        <>
          {row.due ? <Due due={row.due} /> : null}
          {row.owner && !row.owner.isOwn ? (
            <p className={styles.meta}>{row.owner.standing}</p>
          ) : null}
          {row.why && wrong.length === 0 ? <p className={styles.meta}>{row.why}</p> : null}
          {row.why ? null : act === "take" ? (
            <label className={styles.tick}>
              <input
                type="checkbox"
                name="r"
                value={row.reference}
                defaultChecked={results ? results.typed.r?.includes(row.reference) : true}
              />
              <span>{say(card.choose, { reference: row.reference })}</span>
            </label>
          ) : (
            <input type="hidden" name="r" value={row.reference} />
          )}
          {wrong.map((problem) => (
            <p key={problem.words} className={styles.wrong}>
              {problem.words}
            </p>
          ))}
        </>
      )}
    </li>
  );
}

/** Whose accounts these were, as the last place says it: each is compared with what was asked. */
function Addresses({ typed, problem }: { typed: Typed; problem: string }) {
  const { form } = useWords().operator.desk;
  return (
    <div className={styles.field}>
      <label htmlFor="addresses">{form.addresses}</label>
      <p id="addresses-hint" className={styles.hint}>
        {form.addressHint}
      </p>
      <Wrong name="addresses" words={problem} />
      <textarea
        id="addresses"
        name="addresses"
        rows={4}
        required
        autoComplete="off"
        spellCheck={false}
        aria-describedby={describedBy("addresses", { problem, hint: form.addressHint })}
        aria-invalid={problem !== "" || undefined}
        defaultValue={typed.addresses?.[0]}
      />
    </div>
  );
}

/** Everything that is wrong, once each, and of which request where it is about one of several. */
function tellProblems({ problems, typed }: Results, none: string): FieldProblem[] {
  const isOnly = typed.r?.length === 1;
  const told = Object.entries(problems).flatMap(([reference, own]) =>
    own.map((one) =>
      isOnly || one.field !== undefined ? one : { ...one, words: `${reference}: ${one.words}` },
    ),
  );
  const first = [...new Map(told.toReversed().map((one) => [one.words, one])).values()].reverse();
  return first.length > 0 ? first : [{ words: none }];
}
