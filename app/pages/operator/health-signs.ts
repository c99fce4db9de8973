import type { Standing } from "../../../server/deletion-requests/store/finding.ts";
import type { Sayings, Sign, SignValue } from "../../../server/health.ts";
import type { Text } from "../../../server/language/message.ts";
import { tellDeliveryProblem } from "../../../server/mail/delivery-problem.ts";
import type { Words } from "../../words.ts";

/** Whether each promised date still holds, in the line that stands on top of everything. */
export type Promised = { line: string; isBroken: boolean };

export function tellPromised(standing: Standing, { dates, mail }: Words): Promised {
  return { line: dates.standing(standing, mail.shared.standing), isBroken: standing.late > 0 };
}

const order = { now: 0, soon: 1, nothing: 2 };

/** In words. What needs somebody comes first; what is fine keeps the order in which it is looked at. */
export function tellSigns(signs: readonly Sign[], words: Words) {
  const { health } = words.operator.watch;
  const texts: {
    [Kind in keyof Sayings]: Record<Sayings[Kind], Text> & Record<"title" | "todo", string>;
  } & { late: { title: string; todo: string } } = {
    ...health,
    backup: { ...health.copies, ...health.backup },
    export: { ...health.copies, ...health.export },
  };
  return signs
    .map((sign) => {
      const { kind, needs } = sign;
      const { title, todo } = texts[kind];
      if (sign.kind === "late") {
        return { kind, needs, title, todo, says: [tellPromised(sign.standing, words).line] };
      }
      const own: Record<string, Text> = texts[sign.kind];
      const says = sign.says.map(([saying, values = {}]) =>
        words.say(own[saying] ?? saying, tellValues(values, words)),
      );
      return { kind, needs, title, todo, says, command: sign.command };
    })
    .sort((one, other) => order[one.needs] - order[other.needs]);
}

function tellValues(values: Record<string, SignValue>, { dates, mail }: Words) {
  const tell = (name: string, value: SignValue) => {
    if (value instanceof Temporal.Instant) return dates.momentBriefly(value);
    if (value instanceof Temporal.PlainDate) return dates.day(value);
    if (typeof value === "string") return tellDeliveryProblem(mail.deliveryProblems, value);
    return name === "size" ? tellBytes(value, mail.locale) : value;
  };
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => [name, tell(name, value)]),
  );
}

/** Such as "12 GB", in the digits of the language. */
function tellBytes(bytes: number, locale: string): string {
  const gigabytes = bytes / 2 ** 30;
  const [value, unit] = gigabytes >= 1 ? [gigabytes, "gigabyte"] : [bytes / 2 ** 20, "megabyte"];
  return new Intl.NumberFormat(locale, {
    style: "unit",
    unit: unit as string,
    maximumFractionDigits: Number(value) < 10 ? 1 : 0,
  }).format(Number(value));
}
