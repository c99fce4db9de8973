import { z } from "zod";
import { parseEmailAddress } from "../../../server/addresses/email-address.ts";
import { readDate } from "../../../server/calendar/business-days.ts";
import { createFormKey, reasonCodes } from "../../../server/deletion-requests/life/request.ts";
import { paths } from "../../../server/http/paths.ts";
import { readFields } from "../../../server/operator-desk/read-form.ts";
import { languages, useWords } from "../../words.ts";
import type { Route } from "./+types/new-request-page";
import { ActForm } from "./card.tsx";
import { Told } from "./desk/act-form.tsx";
import {
  type Answer,
  formKeyOf,
  readTyped,
  showAgain,
  tellDone,
  tellWrong,
} from "./desk/answer.ts";
import { Fields, type FieldView, untouched } from "./desk/fields.tsx";
import { languageOf, nameIn } from "./desk/story.ts";
import { requireOperator } from "./guard.ts";
import { OperatorPage } from "./operator-frame.tsx";

/** Longer ago nobody writes down what somebody asked: the year is mistyped. */
const longestAgoDays = 30;

export function loader(args: Route.LoaderArgs) {
  const { services, words } = requireOperator(args);
  const { operatorDesk } = services;
  const { operator, deletion } = words;
  const { enter, request } = operator.desk;
  const today = operatorDesk.today();
  const proofs = operatorDesk.dataList.ownershipProofs.map((proof) => ({
    ...{ value: proof.key, words: nameIn(words, proof) },
  }));
  const spoken = languages.map(({ settings }) => {
    const { tag: value, name } = languageOf(settings.language);
    return { value, words: name, lang: value };
  });
  const reasons = reasonCodes.map((value) => ({
    ...{ value, words: deletion.form.reasons[value] ?? "" },
  }));
  const none = { value: "", words: deletion.form.reasonPlaceholder };
  const days = { min: today.subtract({ days: longestAgoDays }).toString(), max: today.toString() };
  const language = { kind: "choices", name: "language", label: enter.language } as const;
  const fields: FieldView[] = [
    { kind: "email", name: "old", label: enter.old },
    { kind: "email", name: "contact", label: enter.contact },
    // Where there is one, nobody is asked for it.
    ...(spoken.length > 1 ? [{ ...language, options: spoken, value: spoken[0]?.value }] : []),
    { kind: "date", name: "received", label: enter.received, value: days.max, ...days },
    {
      ...{ kind: "list", name: "reason", label: request.reason },
      options: [none, ...reasons.filter(({ words }) => words !== "")],
    },
    { kind: "choices", name: "proof", label: enter.proof, options: proofs },
  ];
  return { fields, formKey: createFormKey() };
}

/** A text that is read as something else; where it cannot be, `error` names its words. */
const readAs = <Value,>(read: (text: string) => Value | undefined, error: string) =>
  z
    .string()
    .transform(read)
    .refine((value) => value !== undefined, { error })
    .transform((value) => value as Value);

const address = readAs((text) => {
  const read = parseEmailAddress(text);
  return read.ok ? read.email : undefined;
}, "email");

/** What is asked for; each message names its words. */
function entrySchema(today: Temporal.PlainDate, proofs: readonly string[]) {
  const tags = ["", ...languages.map(({ settings }) => settings.language)];
  return z
    .object({
      ...{ old: address, contact: address, language: z.enum(tags, { error: "language" }) },
      received: readAs((text) => {
        const on = readDate(text);
        const ago = on ? on.until(today).days : -1;
        return ago >= 0 && ago <= longestAgoDays ? on : undefined;
      }, "received"),
      reason: z.enum(reasonCodes, { error: "reason" }),
      proof: z.enum(proofs, { error: "proof" }),
    })
    .refine(({ old, contact }) => old.toLowerCase() !== contact.toLowerCase(), {
      ...{ path: ["contact"], error: "sameMailbox" },
    });
}

export async function action(args: Route.ActionArgs) {
  const asked = requireOperator(args);
  const { operator, services, words } = asked;
  const { desk, operatorDesk } = services;
  const { problems: told, enter } = words.operator.desk;
  const typed = readTyped(await args.request.formData());
  const today = operatorDesk.today();
  const proofs = operatorDesk.dataList.ownershipProofs.map(({ key }) => key);
  const read = readFields(entrySchema(today, proofs), typed);
  if ("wrong" in read) {
    const problems = tellWrong(asked, read.wrong).map(({ field, words }) => ({
      field,
      // Two fields ask for an address.
      words: field === "old" || field === "contact" ? `${enter[field]}: ${words}` : words,
    }));
    return showAgain(typed, 422, problems);
  }
  const { old, contact, language, received, reason, proof } = read.fields;
  const { timeZone } = words.settings;
  const result = await desk.enterRequest(
    {
      ...{ email: old, contact, proof, reason, language: language || undefined },
      receivedAt: received.equals(today)
        ? operatorDesk.now()
        : received.toZonedDateTime({ timeZone, plainTime: "12:00" }).toInstant(),
    },
    operator.name,
    formKeyOf(typed),
  );
  const { reference, state } = result.request;
  if (result.kind === "already-confirmed") {
    const text = words.say(told.alreadyConfirmed, { reference });
    return showAgain(typed, 409, [{ field: "old", words: text }]);
  }
  const act = state === "received" ? "enter" : "approve";
  return tellDone(words, paths.operatorRequest(reference), { act, references: [reference] });
}

export default function NewRequestPage({ loaderData, actionData }: Route.ComponentProps) {
  const { fields, formKey } = loaderData;
  const answer = actionData as Answer | undefined;
  const { enter } = useWords().operator.desk;
  return (
    <OperatorPage about={enter.lead}>
      <Told answer={answer} />
      <ActForm act="enter" fields={{ formKey }} label={enter.button} look="primary">
        <Fields fields={fields} filled={answer ?? untouched} />
      </ActForm>
    </OperatorPage>
  );
}
