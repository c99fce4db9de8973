import type { Calendar } from "../../platform/calendar/business-days.ts";
import { createSampleFacts, type MailKind } from "./mail-kind.ts";
import type { Message } from "./messages.ts";
import { personMails } from "./person-mails.ts";
import { teamMails } from "./team-mails.ts";

/**
 * Lists samples of every kind of message. The build renders each sample to check a campus's text.
 * @param holidays the campus's holidays; a promised date skips one of them
 * @param explanation an operator's explanation to a requester
 */
export function sampleMessages(
  holidays: Calendar["holidays"] = [],
  explanation = "The other operator is ill, and no one else may open the payments.\n\nSorry!",
): readonly Message[] {
  const facts = createSampleFacts(holidays, explanation);
  const about = { token: "t".repeat(43), reference: facts.reference };
  const listed = (kinds: Record<string, Pick<MailKind<object>, "samples">>, shared = {}) =>
    Object.entries(kinds).flatMap(([kind, { samples }]) =>
      samples(facts).map((news) => ({ kind, ...news, ...shared }) as Message),
    );
  return [...listed(personMails, about), ...listed(teamMails)];
}
