import { data } from "react-router";
import { matchEmail, parseEmailAddress } from "../../../server/addresses/email-address.ts";
import { isWorking } from "../../../server/deletion-requests/store/request.ts";
import type { QueuedRequest } from "../../../server/deletion-requests/working/reading.ts";
import { paths } from "../../../server/http/paths.ts";
import type { DeskAct } from "../../../server/operator-desk/act-names.ts";
import { first } from "../../../server/operator-desk/walk.ts";
import { getServices } from "../../services-context.ts";
import { ButtonLink } from "../../ui/button.tsx";
import { WithAddresses } from "../../ui/line-breaks.tsx";
import { useWords, wordsAt } from "../../words.ts";
import type { Route } from "./+types/batch-page";
import { ActForm, type DraftView } from "./desk/act-form.tsx";
import { toActView } from "./desk/act-view.ts";
import { mostAtOnce, readTyped, tellDone } from "./desk/answer.ts";
import styles from "./desk/desk.module.css";
import { type Asked, doAct, draftAct, tellMeant, whyNot } from "./desk/do-act.ts";
import { type FieldProblem, type Filled, untouched } from "./desk/fields.tsx";
import { Due } from "./desk/request-row.tsx";
import { type RowView, toRow } from "./desk/row-view.ts";
import { Told } from "./desk/told.tsx";
import { requireOperator } from "./guard.ts";
import { OperatorPage, operatorMeta } from "./operator-page.tsx";
import { WithPicture } from "./with-picture.tsx";

/** Several requests at once: the same form as of one. One that cannot be done keeps no other from it. */

export const meta = (args: Route.MetaArgs) => operatorMeta(args, "batch");

type BatchAct = Extract<DeskAct, "complete" | "later">;

const readAct = (text: string | null): BatchAct => (text === "later" ? "later" : "complete");

export async function loader(args: Route.LoaderArgs) {
  const { operator } = requireOperator(args);
  const { desk, operatorDesk, visit } = getServices(args.context);
  const url = new URL(args.request.url);
  const words = wordsAt(url);
  // A form that came back says which they were.
  const posted = [visit.posted?.r ?? []].flat();
  const references = posted.length > 0 ? posted : url.searchParams.getAll("r");
  const act = readAct(String(visit.posted?.act ?? url.searchParams.get("act")));
  const found: QueuedRequest[] = [];
  for (const reference of new Set(references.slice(0, mostAtOnce))) {
    const request = await desk.find(reference);
    if (request && isWorking(request)) found.push(...operatorDesk.withDaysLeft([request]));
  }
  const sight = await operatorDesk.sightOf(operator.name);
  const can = (request: QueuedRequest) =>
    operatorDesk.acts[act].can(operatorDesk.look({ request, mails: [] }, operator.name));
  const rows = found.map((request) => {
    const possible = can(request);
    // Said before anything is typed for it.
    const why = possible.can ? undefined : whyNot(words, possible.because, request);
    return { ...toRow(words, request, sight), why };
  });
  const open = found.filter((request) => can(request).can);
  const { about, together } = words.operator.desk;
  const view = toActView(words, operatorDesk, {
    ...{ act, requests: open, several: true },
    about: act === "later" ? about.later : together.completeText,
  });
  return { act, rows, view };
}

type Results = {
  filled: Filled;
  /** What was done, by reference. */
  done: string[];
  draft?: DraftView | undefined;
};

export async function action(args: Route.ActionArgs) {
  const typed = readTyped(await args.request.formData());
  const act = readAct(first(typed, "act"));
  const { desk, operatorDesk, isStorageProblem } = getServices(args.context);
  const isDraft = typed.preview !== undefined;
  const { operator } = requireOperator(
    args,
    operatorDesk.acts[act].serious && !isDraft ? { fresh: true } : {},
  );
  const words = wordsAt(new URL(args.request.url));
  const chosen = [...new Set(typed.r)].slice(0, mostAtOnce);
  const by = { name: operator.name, isStorageProblem };
  const askedOf = (reference: string, address = ""): Asked => ({
    ...{ words, desk, operatorDesk, ...by, reference },
    typed: { ...typed, act: [act], ...(act === "complete" && { address: [address] }) },
  });
  const { addressed, strange } =
    act === "complete"
      ? await findAddressed(desk, chosen, first(typed, "address"))
      : { addressed: chosen.map((reference) => ({ reference, address: "" })), strange: [] };
  if (isDraft) {
    const [one = { reference: chosen[0] ?? "", address: "" }] = addressed;
    const draft = await draftAct(askedOf(one.reference, one.address));
    return data<Results>({ filled: { typed, problems: [] }, done: [], draft });
  }
  const { problems: told } = words.operator.desk;
  const done: string[] = [];
  const problems: FieldProblem[] = strange.map(({ address, meant }) => ({
    field: "address",
    words: `${address}: ${told.anotherAddress} ${tellMeant(words, meant)}`,
  }));
  if (addressed.length === 0 && strange.length === 0) {
    problems.push({ field: "address", words: told.addressMissing });
  }
  for (const { reference, address } of addressed) {
    const outcome = await doAct(askedOf(reference, address));
    if (outcome.kind === "done") done.push(reference);
    else if (outcome.kind === "gone") problems.push({ words: `${reference}: ${told.unknown}` });
    // What is wrong with the form is said once; what is wrong with a request, under its name.
    else
      for (const one of outcome.problems)
        problems.push(one.field ? one : { words: `${reference}: ${one.words}` });
  }
  if (problems.length === 0) return tellDone(words, paths.operator, { act, references: done });
  const once = [...new Map(problems.map((one) => [one.words, one])).values()];
  const results: Results = { filled: { typed, problems: once }, done };
  return data(results, { status: done.length > 0 ? 409 : 422 });
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
  const { act, rows, view } = loaderData;
  const results = actionData as Results | undefined;
  const { operator, to, say } = useWords();
  const { together } = operator.desk;
  const open = rows.filter(({ reference, why }) => !why && !results?.done.includes(reference));
  if (rows.length === 0) {
    return (
      <WithPicture name="empty-shelf">
        <OperatorPage name="batch" about={together.none}>
          <ButtonLink href={to(paths.operator)}>{operator.frame.fault.today}</ButtonLink>
        </OperatorPage>
      </WithPicture>
    );
  }
  const title = act === "later" ? together.laterTitle : together.completeTitle;
  const problems = results?.filled.problems ?? [];
  return (
    <OperatorPage name="batch" title={say(title, { count: rows.length })} about={null}>
      <Told
        unfinished={results && problems.length > 0 ? { ...results.filled, act } : undefined}
        title={results && results.done.length > 0 ? together.partly : undefined}
      />
      <div className={styles.batch}>
        <ul className={styles.chosen}>
          {rows.map((row) => (
            <Chosen
              key={row.reference}
              row={row}
              isDone={results?.done.includes(row.reference) ?? false}
            />
          ))}
        </ul>
        {open.length > 0 ? (
          <div className={styles.next}>
            <h2>{operator.desk.acts[act]}</h2>
            <ActForm
              view={view}
              of={open.map(({ reference }) => reference)}
              filled={results?.filled ?? untouched}
              draft={results?.draft}
              look="primary"
            />
          </div>
        ) : null}
      </div>
      <p className={styles.pages}>
        <a href={to(paths.operator)}>{operator.frame.fault.today}</a>
      </p>
    </OperatorPage>
  );
}

/** One of the chosen requests, and what became of it. */
function Chosen({ row, isDone }: { row: RowView & { why: string | undefined }; isDone: boolean }) {
  const { operator, to } = useWords();
  return (
    <li data-done={isDone || undefined}>
      <p>
        <a href={to(paths.operatorRequest(row.reference))}>{row.reference}</a>{" "}
        <span className={styles.address}>
          <WithAddresses text={row.address ?? ""} />
        </span>
      </p>
      {isDone ? <p className={styles.meta}>{operator.desk.together.done}</p> : null}
      {!isDone && row.due ? <Due due={row.due} /> : null}
      {row.owner && !row.owner.isOwn ? <p className={styles.meta}>{row.owner.standing}</p> : null}
      {!isDone && row.why ? <p className={styles.meta}>{row.why}</p> : null}
    </li>
  );
}
