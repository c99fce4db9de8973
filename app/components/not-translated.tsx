import { nameLanguage } from "../../server/platform/i18n/texts.ts";
import { useWords } from "../words.ts";

/** Renders a notice with the language of untranslated text. */
export function NotTranslated({ language }: { language: string }) {
  const { interface: labels, mail, say } = useWords();
  return (
    <p>{say(labels.languages.notTranslated, { language: nameLanguage(mail.locale, language) })}</p>
  );
}
