import { nameLanguage } from "../../server/platform/i18n/texts.ts";
import { useWords } from "../words.ts";
import { Text } from "./text.tsx";

/** Renders a notice with the language of untranslated text. */
export function NotTranslated({ language }: { language: string }) {
  const { interface: labels, mail, say } = useWords();
  return (
    <p>
      <Text>
        {say(labels.languages.notTranslated, { language: nameLanguage(mail.locale, language) })}
      </Text>
    </p>
  );
}
