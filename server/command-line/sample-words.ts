import type { Campus } from "../../campus-reader/campus.ts";

/**
 * What people and the team write in a drill and in pictures: sentences that a campus has in each of its languages, so that
 * nobody has to invent any.
 */
export function sampleWords({
  settings,
  deletion,
  landing,
  mail,
}: Pick<Campus, "settings" | "deletion" | "landing" | "mail">) {
  const sentences = new Intl.Segmenter(settings.language, { granularity: "sentence" });
  const firstSentence = (text: string) => [...sentences.segment(text)][0]?.segment.trim() ?? text;
  const { reasons } = deletion.form;
  return {
    feedback: reasons["no-longer-needed"] ?? reasons.other,
    /** Why something takes longer. */
    explanation: firstSentence(landing.contact.replyNote),
    reopened: firstSentence(mail.reopened.preview),
  };
}
