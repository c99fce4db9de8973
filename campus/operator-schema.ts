import { z } from "zod";
import { deskWordsSchema } from "./desk-words-schema.ts";
import { words, wordsUpTo, wordsWith } from "./text-schema.ts";

/** A page of operators: its name in the navigation and above it, and what it is for. */
const page = z.strictObject({ title: wordsUpTo(24), about: words });

/** The schema of `operator.yaml`: everything that operators' pages say. Each part of the area has its own section. */
export const operatorSchema = z.strictObject({
  frame: z.strictObject({
    /** What the area is called, beside the product's name. */
    title: wordsUpTo(24),
    nav: words,
    more: wordsUpTo(12),
    signedInAs: wordsWith("{name}"),
    pages: z.strictObject({
      today: page,
      requests: page,
      request: page,
      newRequest: page,
      batch: page,
      health: page,
      away: page,
      figures: page,
      subject: page,
      people: page,
      trail: page,
      me: page,
      touch: page,
      signIn: page,
      signOut: page,
      enrol: page,
    }),
    fault: z.strictObject({ title: words, text: words, again: words, today: words }),
    notFound: z.strictObject({ title: words, text: words }),
    keepersOnly: z.strictObject({ title: words, text: words }),
  }),
  desk: deskWordsSchema,
});
