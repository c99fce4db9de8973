import type { Notice } from "../../campus-reader/notices.ts";
import { useWords } from "../words.ts";
import styles from "./notices.module.css";
import { Text } from "./text.tsx";

export function Notices({ notices }: { notices: readonly Notice[] }) {
  const { inLanguage, interface: labels, to } = useWords();
  if (notices.length === 0) return null;
  return (
    <aside className={styles.notices} data-field="night" aria-label={labels.notices}>
      {notices.map(({ text, link, language }) => (
        <p key={text} {...inLanguage(language)}>
          {link ? (
            <a href={link.startsWith("/") ? to(link) : link}>
              <Text>{text}</Text>
            </a>
          ) : (
            <Text>{text}</Text>
          )}
        </p>
      ))}
    </aside>
  );
}
