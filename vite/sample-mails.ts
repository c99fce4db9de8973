import type { Campus } from "../campus-reader/campus.ts";
import { CampusError } from "../campus-reader/data-files.ts";
import { createMailWriters } from "../server/deletion-requests/telling/mail-writer.ts";
import { sampleMessages } from "../server/deletion-requests/telling/sample-messages.ts";
import type { Theme } from "./theme.ts";

/**
 * Writes a mail of every kind once with invented facts, so that words that cannot become a mail end the build and not
 * a person's request.
 * @throws CampusError naming each kind that cannot be written, with the reason
 */
export function writeSampleMails(campus: Campus, theme: Theme): void {
  const mistakes = new Set<string>();
  const tell = (kind: string, error: unknown) =>
    mistakes.add(
      `campus/content/${campus.settings.language}/mail.yaml: ${kind}: ${(error as Error).message}`,
    );
  try {
    const write = createMailWriters({ campus, translations: [], theme }, "https://rides.example");
    for (const message of sampleMessages()) {
      try {
        write(message);
        write(message, undefined, { hasPages: true });
      } catch (error) {
        tell(message.kind, error);
      }
    }
  } catch (error) {
    tell("(all mails)", error);
  }
  if (mistakes.size > 0) throw new CampusError([...mistakes].join("\n"));
}
