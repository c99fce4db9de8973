import { parseEmailAddress } from "../../../server/addresses/email-address.ts";
import { readDate } from "../../../server/calendar/typed-date.ts";
import { createFormKey, isFormKey } from "../../../server/deletion-requests/life/form-key.ts";
import { reasonCodes } from "../../../server/deletion-requests/life/reasons.ts";
import { paths } from "../../../server/http/paths.ts";
import { first } from "../../../server/operator-desk/walk.ts";
import { getServices } from "../../services-context.ts";
import { Button } from "../../ui/button.tsx";
import { describedBy } from "../../ui/field.tsx";
import { languages, useWords, wordsAt } from "../../words.ts";
import type { Route } from "./+types/new-request-page";
import { Choices } from "./desk/choices.tsx";
import styles from "./desk/desk.module.css";
import { showUnfinished, tellDone, type Unfinished } from "./desk/desk-answer.ts";
import { type FieldProblem, nameIn, readTyped } from "./desk/read-act.ts";
import { languageOf } from "./desk/request-view.ts";
import { Told } from "./desk/told.tsx";
import { problemOf, Wrong } from "./desk/wrong.tsx";
import { requireOperator } from "./guard.ts";
import { OperatorPage, operatorMeta } from "./operator-page.tsx";

export const meta = (args: Route.MetaArgs) => operatorMeta(args, "newRequest");

/** Longer ago nobody writes down what somebody asked: the year is mistyped. */
const longestAgoDays = 30;

export function loader(args: Route.LoaderArgs) {
  requireOperator(args);
  const { operatorDesk } = getServices(args.context);
  const words = wordsAt(new URL(args.request.url));
  const today = operatorDesk.today();
  return {
    today: today.toString(),
    formKey: createFormKey(),
    first: today.subtract({ days: longestAgoDays }).toString(),
    proofs: operatorDesk.dataList.ownershipProofs.map((proof) => ({
      key: proof.key,
      words: nameIn(words, proof),
    })),
    // Where there is one, nobody is asked for it.
    languages:
      languages.length > 1 ? languages.map(({ settings }) => languageOf(settings.language)) : [],
    reasons: reasonCodes.flatMap((code) => {
      const reason = words.deletion.form.reasons[code];
      return reason ? { code, words: reason } : [];
    }),
  };
}

export async function action(args: Route.ActionArgs) {
  const { operator } = requireOperator(args);
  const { desk, operatorDesk } = getServices(args.context);
  const words = wordsAt(new URL(args.request.url));
  const told = words.operator.desk.problems;
  const typed = readTyped(await args.request.formData());
  const problems: FieldProblem[] = [];
  const old = parseEmailAddress(first(typed, "old"));
  const contact = parseEmailAddress(first(typed, "contact"));
  const { enter } = words.operator.desk;
  for (const [field, read] of [
    ["old", old],
    ["contact", contact],
  ] as const) {
    const problem = first(typed, field) === "" ? told.emailMissing : told.email;
    if (!read.ok) problems.push({ field, words: `${enter[field]}: ${problem}` });
  }
  if (old.ok && contact.ok && old.email.toLowerCase() === contact.email.toLowerCase()) {
    problems.push({ field: "contact", words: told.sameMailbox });
  }
  const asked = first(typed, "language");
  const language = languages.find(({ settings }) => settings.language === asked)?.settings.language;
  if (asked !== "" && !language) problems.push({ field: "language", words: told.language });
  const today = operatorDesk.today();
  const on = readDate(first(typed, "received"));
  const ago = on ? on.until(today).days : -1;
  if (!on || ago < 0 || ago > longestAgoDays) {
    problems.push({ field: "received", words: told.received });
  }
  const reason = reasonCodes.find((code) => code === first(typed, "reason"));
  if (!reason) problems.push({ field: "reason", words: told.reason });
  const proof = operatorDesk.dataList.ownershipProofs.find(
    ({ key }) => key === first(typed, "proof"),
  );
  if (!proof) problems.push({ field: "proof", words: told.proof });
  if (problems.length > 0 || !old.ok || !contact.ok || !proof || !reason || !on) {
    return showUnfinished({ kind: "problem", status: 422, act: "", problems }, typed);
  }
  const { timeZone } = operatorDesk.calendar;
  const result = await desk.enterRequest(
    {
      email: old.email,
      contact: contact.email,
      proof: proof.key,
      reason,
      language,
      receivedAt: on.equals(today)
        ? operatorDesk.now()
        : on.toZonedDateTime({ timeZone, plainTime: "12:00" }).toInstant(),
    },
    operator.name,
    isFormKey(typed.formKey?.[0]) ? typed.formKey?.[0] : undefined,
  );
  const { reference, state } = result.request;
  if (result.kind === "already-confirmed") {
    const text = words.say(told.alreadyConfirmed, { reference });
    return showUnfinished(
      { kind: "problem", status: 409, act: "", problems: [{ field: "old", words: text }] },
      typed,
    );
  }
  return tellDone(words, paths.operatorRequest(reference), {
    act: state === "received" ? "enter" : "entered",
    references: [reference],
  });
}

export default function NewRequestPage({ loaderData, actionData }: Route.ComponentProps) {
  const { today, first: firstDay, proofs, reasons, languages } = loaderData;
  const answer = actionData as { unfinished?: Unfinished } | undefined;
  const typed = answer?.unfinished?.typed ?? {};
  const value = (name: string) => typed[name]?.[0];
  const problems = answer?.unfinished?.problems ?? [];
  const wrong = (name: string) => problemOf(problems, name);
  const { operator, deletion, to } = useWords();
  const { enter } = operator.desk;
  const hints = { old: enter.oldHint, contact: enter.contactHint };
  return (
    <OperatorPage name="newRequest" about={enter.lead}>
      <Told unfinished={answer?.unfinished} />
      <form
        data-kept=""
        method="post"
        action={to(paths.operatorNewRequest)}
        className={`${styles.paper} ${styles.pairs}`}
      >
        <input type="hidden" name="formKey" value={loaderData.formKey} />
        {(["old", "contact"] as const).map((name) => (
          <div key={name} className={styles.field}>
            <label htmlFor={name}>{enter[name]}</label>
            <p id={`${name}-hint`} className={styles.hint}>
              {hints[name]}
            </p>
            <Wrong name={name} words={wrong(name)} />
            <input
              id={name}
              name={name}
              type="email"
              required
              autoComplete="off"
              spellCheck={false}
              aria-describedby={describedBy(name, { problem: wrong(name), hint: hints[name] })}
              aria-invalid={wrong(name) !== "" || undefined}
              defaultValue={value(name)}
            />
          </div>
        ))}
        {languages.length > 0 ? (
          <Choices
            id="language"
            name="language"
            legend={enter.language}
            choices={languages.map(({ tag, name }) => ({ value: tag, words: name, lang: tag }))}
            chosen={value("language") ?? languages[0]?.tag}
            problem={wrong("language")}
          />
        ) : null}
        <div className={styles.field}>
          <label htmlFor="received">{enter.received}</label>
          <Wrong name="received" words={wrong("received")} />
          <input
            id="received"
            name="received"
            type="date"
            required
            min={firstDay}
            max={today}
            aria-describedby={describedBy("received", { problem: wrong("received") })}
            aria-invalid={wrong("received") !== "" || undefined}
            defaultValue={value("received") ?? today}
          />
        </div>
        <div className={styles.field}>
          <label htmlFor="reason">{enter.reason}</label>
          <Wrong name="reason" words={wrong("reason")} />
          <select
            id="reason"
            name="reason"
            required
            aria-describedby={describedBy("reason", { problem: wrong("reason") })}
            aria-invalid={wrong("reason") !== "" || undefined}
            defaultValue={value("reason") ?? ""}
          >
            <option value="">{deletion.form.reasonPlaceholder}</option>
            {reasons.map(({ code, words }) => (
              <option key={code} value={code}>
                {words}
              </option>
            ))}
          </select>
        </div>
        <div className={styles.across}>
          <Choices
            id="proof"
            name="proof"
            legend={enter.proof}
            choices={proofs.map(({ key, words }) => ({ value: key, words }))}
            chosen={value("proof")}
            problem={wrong("proof")}
          />
        </div>
        <div className={styles.buttons}>
          <Button type="submit" look="primary">
            {enter.button}
          </Button>
        </div>
      </form>
    </OperatorPage>
  );
}
