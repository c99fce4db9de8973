import { z } from "zod";
import { messageWith, words, wordsWith } from "./text-schema.ts";

/** The words of operators' Health, Away, Figures and subject file, in `operator.yaml`. */

/** A sign of health: what it is called, and what to do about it. `command` is for whoever has the machine. */
const sign = z.strictObject({ title: words, todo: words, command: words.optional() });

const chart = z.strictObject({ title: words, about: words });

export const watchWordsSchema = z.strictObject({
  /** What stands on every page of operators while something needs somebody now. */
  banner: z.strictObject({ text: messageWith("count"), link: words }),
  needs: z.strictObject({ nothing: words, soon: words, now: words }),
  never: words,
  health: z.strictObject({
    machine: words,
    /** Under the backup and the export. */
    oldestCopy: wordsWith("{date}"),
    mail: sign.extend({
      allLeft: words,
      waiting: wordsWith("{since}"),
      troubled: messageWith("count"),
      open: messageWith("count"),
      more: words,
    }),
    accountSystem: sign.extend({
      notConnected: words,
      answered: wordsWith("{at}"),
      silent: words,
      waiting: wordsWith("{since}"),
      stopped: wordsWith("{at}"),
      unanswered: wordsWith("{since}"),
      problem: wordsWith("{problem}"),
      /** What helps once it has said that it is gone. */
      resume: z.strictObject({ todo: words, command: words }),
    }),
    backup: sign.extend({ made: wordsWith("{at}"), never: words }),
    export: sign.extend({ made: wordsWith("{at}"), never: words }),
    disk: sign.extend({ free: wordsWith("{size}") }),
    calendar: sign.extend({ fine: words, ends: wordsWith("{date}"), none: words }),
    keys: sign.extend({ since: wordsWith("{date}"), unknown: words }),
    late: sign.extend({ link: words }),
    presence: sign.extend({ fine: words, nobody: wordsWith("{date}"), link: words }),
    restore: sign.extend({ held: words }),
    clock: sign.extend({ doubted: words }),
    security: sign.extend({
      refused: messageWith("count"),
      disbelieved: messageWith("count"),
      changed: messageWith("count"),
      newest: wordsWith("{at}"),
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
    confirmed: words,
    completed: words,
    onTime: words,
    late: words,
    days: words,
    count: words,
    none: words,
    nothing: words,
    nothingOpen: words,
    charts: z.strictObject({
      received: chart,
      done: chart,
      median: chart,
      reasons: chart,
      age: chart,
    }),
    promise: messageWith("days"),
    ages: z.strictObject({ upTo3: words, upTo7: words, upTo14: words, older: words }),
    file: z.strictObject({ title: words, about: words, button: words }),
    reasonsLabel: words,
    ageLabel: words,
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
