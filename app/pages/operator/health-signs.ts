import type { Standing } from "../../../server/deletion-requests/store/standing.ts";
import { tellDeliveryProblem } from "../../../server/mail/delivery-problem.ts";
import type { VitalSign } from "../../../server/vital-signs.ts";
import type { Words } from "../../words.ts";

/** A sign of health in words, ready to be shown. */
export type ShownSign = {
  kind: VitalSign["kind"];
  needs: VitalSign["needs"];
  title: string;
  says: string[];
  todo: string;
  command?: string | undefined;
};

/** Whether each promised date still holds, in the line that stands on top of everything. */
export type Promised = { line: string; isBroken: boolean };

export function tellPromised(standing: Standing, { dates, mail }: Words): Promised {
  return { line: dates.standing(standing, mail.shared.standing), isBroken: standing.late > 0 };
}

/** For the banner of every page of operators: how many things beside late requests need somebody now. */
export function countUrgent(signs: readonly VitalSign[]): number {
  return signs.filter(({ kind, needs }) => kind !== "late" && needs === "now").length;
}

/** What needs somebody comes first; what is fine keeps the order in which it is looked at. */
export function showSigns(signs: readonly VitalSign[], words: Words): ShownSign[] {
  const order = { now: 0, soon: 1, nothing: 2 };
  return signs
    .map((sign) => showSign(sign, words))
    .sort((one, other) => order[one.needs] - order[other.needs]);
}

function showSign(sign: VitalSign, { operator, dates, say, settings, mail }: Words): ShownSign {
  const words = operator.watch.health;
  const moment = (at: Temporal.Instant) => dates.momentBriefly(at);
  const day = (at: Temporal.Instant) =>
    dates.day(at.toZonedDateTimeISO(settings.timeZone).toPlainDate());
  const { kind, needs } = sign;
  const shown = (
    of: { title: string; todo: string; command?: string | undefined },
    ...says: (string | undefined | false)[]
  ): ShownSign => ({
    kind,
    needs,
    title: of.title,
    todo: of.todo,
    command: of.command,
    says: says.filter((text) => typeof text === "string"),
  });

  switch (sign.kind) {
    case "late": {
      return shown(words.late, dates.standing(sign, mail.shared.standing));
    }
    case "mail": {
      const { mail: own } = words;
      const { waitingSince, troubled } = sign;
      return shown(
        own,
        waitingSince && own.waiting.replace("{since}", moment(waitingSince)),
        troubled > 0 && say(own.troubled, { count: troubled }),
        !waitingSince && troubled === 0 && own.allLeft,
      );
    }
    case "account-system": {
      const { accountSystem: own } = words;
      const { connected, answeredAt, waitingSince, unansweredSince, stoppedAt } = sign;
      if (!connected) return shown(own, own.notConnected);
      const problem = sign.problem && tellDeliveryProblem(mail.deliveryProblems, sign.problem);
      return shown(
        stoppedAt ? { ...own, ...own.resume } : own,
        stoppedAt && own.stopped.replace("{at}", moment(stoppedAt)),
        waitingSince && own.waiting.replace("{since}", moment(waitingSince)),
        !stoppedAt && problem && own.problem.replace("{problem}", problem),
        unansweredSince && own.unanswered.replace("{since}", moment(unansweredSince)),
        answeredAt ? own.answered.replace("{at}", moment(answeredAt)) : own.silent,
      );
    }
    case "backup":
    case "export": {
      const own = words[sign.kind];
      return shown(
        own,
        sign.madeAt ? own.made.replace("{at}", moment(sign.madeAt)) : own.never,
        sign.oldest && words.oldestCopy.replace("{date}", dates.day(sign.oldest)),
      );
    }
    case "disk":
      return shown(
        words.disk,
        words.disk.free.replace("{size}", tellBytes(sign.freeBytes, mail.locale)),
      );
    case "calendar": {
      const { calendar: own } = words;
      const { end } = sign;
      if (end === undefined) return shown(own, own.fine);
      return shown(own, end === "none" ? own.none : own.ends.replace("{date}", dates.day(end)));
    }
    case "keys": {
      const { keys: own } = words;
      return shown(own, sign.since ? own.since.replace("{date}", day(sign.since)) : own.unknown);
    }
    case "security": {
      const { security: own } = words;
      const { signIns, signatures, changes, newestAt } = sign;
      return shown(
        own,
        say(own.refused, { count: signIns }),
        signatures > 0 && say(own.disbelieved, { count: signatures }),
        say(own.changed, { count: changes }),
        newestAt && own.newest.replace("{at}", moment(newestAt)),
      );
    }
    case "unconfirmed": {
      const { unconfirmed: own } = words;
      return shown(own, say(own.waiting, { count: sign.count, most: sign.most }));
    }
    case "presence": {
      const { presence: own } = words;
      return shown(own, sign.day ? own.nobody.replace("{date}", dates.day(sign.day)) : own.fine);
    }
    case "restore":
      return shown(words.restore, words.restore.held);
    case "clock":
      return shown(words.clock, words.clock.doubted);
  }
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
