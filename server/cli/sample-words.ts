import type { Campus } from "../../campus-reader/campus.ts";

/**
 * Sample text from requesters and the team for drills and screenshots. It consists of sentences
 * that every campus has in each of its languages.
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
    /** A sentence that explains a delay. */
    explanation: firstSentence(landing.contact.replyNote),
    reopened: firstSentence(mail.reopened.preview),
  };
}
