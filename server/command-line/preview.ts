import { readConfig } from "../config.ts";
import type { Desk } from "../deletion-requests/desk.ts";
import type { MailWriter } from "../deletion-requests/mail-writer.ts";
import { draftMail } from "../deletion-requests/transitions.ts";
import { createMailWriters } from "../services.ts";
import { openSiteBundle } from "../site-bundle.ts";
import { acts } from "./request-acts.ts";
import type { Options } from "./requests.ts";
import { done, notUnderstood } from "./sentences.ts";
import type { CommandServices, Outcome } from "./start.ts";

/** The mail that an act would send, to be read before anybody is told. */

/** Acts that tell a person something which an operator may want to read first. */
export const previewed = ["take", "hold", "release", "extend", "refuse", "cancel", "reopen"];

type DraftedAct = Parameters<typeof draftMail>[2];

/** Stands where the mail has its link. */
const noToken = "…";

/** Writes mails with the words of the built site. */
export async function openMailWriter(): Promise<MailWriter> {
  const read = readConfig(process.env);
  if (!read.ok) throw new Error(read.problems.join(" "));
  const { campus, translations, theme } = await openSiteBundle(read.config.buildDir);
  return createMailWriters({ campus, translations, look: theme }, read.config.publicUrl);
}

/** Reads an act's options as the act does, and changes nothing. */
export async function previewMail(
  services: CommandServices,
  desk: Desk,
  asked: { act: string; reference: string; options: Options; name: string },
  openWriter: () => Promise<MailWriter>,
): Promise<Outcome> {
  const act = previewed.includes(asked.act) ? acts[asked.act] : undefined;
  if (!act) return notUnderstood(`preview takes one of: ${previewed.join(", ")}.`);
  let drafted: { message: Parameters<MailWriter>[0] | undefined; language: string } | undefined;
  const rehearsal: Desk = {
    ...desk,
    async act(typed, wanted, name) {
      const request = await desk.find(typed);
      if (!request) return { kind: "not-found" };
      const by = { actor: "operator", name } as const;
      // Which acts are previewed is said above.
      const draft = draftMail(
        services,
        request,
        wanted as DraftedAct,
        by,
        noToken,
        services.clock(),
      );
      if (!draft.ok) return { kind: "refused", refusal: draft.refusal, request };
      drafted = { message: draft.message, language: request.language };
      return { kind: "refused", refusal: "not-confirmed", request };
    },
  };
  const outcome = await act({ services, desk: rehearsal, ...asked });
  if (!drafted) return outcome;
  const { message, language } = drafted;
  if (!message) return done("Nobody would be told of that.");
  const { subject, text } = (await openWriter())(message, language);
  const head = language === "" ? "" : `Language: ${language}\n`;
  return {
    code: 0,
    out: `Nothing was sent. This would be:\n\n${head}Subject: ${subject}\n\n${text}\n`,
  };
}
