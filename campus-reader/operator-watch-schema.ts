import { z } from "zod";
import { messageWith, words, wordsWith } from "./text-schema.ts";

/** The words of operators' Health, Away, Figures and subject file, in `operator.yaml`. */

/** A sign of health: what it is called, and what to do about it. */
const sign = z.strictObject({ title: words, todo: words });

const copy = sign.extend({
  made: messageWith("at"),
  never: words,
  oldest: messageWith("date"),
});

export const watchWordsSchema = z.strictObject({
  /** What stands on every page of operators while something needs somebody now. */
  banner: z.strictObject({ text: messageWith("count"), link: words }),
  needs: z.strictObject({ nothing: words, soon: words, now: words }),
  health: z.strictObject({
    machine: words,
    mail: sign.extend({
      allLeft: words,
      waiting: messageWith("since"),
      troubled: messageWith("count"),
      open: messageWith("count"),
      more: words,
    }),
    accountSystem: sign.extend({
      notConnected: words,
      answered: messageWith("at"),
      silent: words,
      waiting: messageWith("since"),
      stopped: messageWith("at"),
      unanswered: messageWith("since"),
      problem: messageWith("problem"),
    }),
    backup: copy,
    export: copy,
    disk: sign.extend({ free: messageWith("size") }),
    calendar: sign.extend({ fine: words, ends: messageWith("date"), none: words }),
    keys: sign.extend({ since: messageWith("date"), unknown: words }),
    late: sign.extend({ link: words }),
    presence: sign.extend({ fine: words, nobody: messageWith("date"), link: words }),
    restore: sign.extend({ held: words }),
    clock: sign.extend({ doubted: words }),
    security: sign.extend({
      refused: messageWith("count"),
      disbelieved: messageWith("count"),
      changed: messageWith("count"),
      newest: messageWith("at"),
    }),
    unconfirmed: sign.extend({ waiting: messageWith("count", "most") }),
  }),
  away: z.strictObject({
    nobodyThere: wordsWith("{date}"),
    planned: words,
    none: words,
    you: words,
    who: words,
    from: words,
    until: words,
    reason: words,
    reasons: z.strictObject({ exams: words, leave: words }),
    span: wordsWith("{from}", "{until}"),
    oneDay: wordsWith("{date}"),
    today: words,
    add: words,
    addTitle: words,
    addAbout: words,
    end: words,
    endOf: wordsWith("{name}", "{span}"),
    problems: z.strictObject({
      "no-dates": words,
      backwards: words,
      over: words,
      "too-long": words,
      "too-many": words,
    }),
  }),
  figures: z.strictObject({
    month: words,
    received: words,
    completed: words,
    completedOnTime: words,
    medianBusinessDays: words,
    nothing: words,
    file: words,
    fileAbout: words,
  }),
  subject: z.strictObject({
    address: words,
    find: words,
    found: messageWith("count"),
    none: words,
    page: words,
    json: words,
    care: words,
    another: words,
    noAddress: words,
  }),
});
