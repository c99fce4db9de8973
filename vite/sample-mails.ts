import type { Campus } from "../campus-reader/campus.ts";
import type { Mistake } from "../campus-reader/mistakes.ts";
import { createMailWriters } from "../server/deletion-requests/mails/mail-writer.ts";
import { sampleMessages } from "../server/deletion-requests/mails/sample-messages.ts";
import type { Theme } from "./theme.ts";

/**
 * Renders a sample email of every kind so that an unusable template fails the build instead of a
 * visitor's request.
 * @returns the kinds that can't be rendered, with the reason
 */
export function findUnwritableMails(campus: Campus, theme: Theme): Mistake[] {
  const mistakes = new Map<string, Mistake>();
  const file = `content/${campus.settings.language}/mail.yaml`;
  const addMistake = (kind: string, { message }: Error) => {
    const [, missing] = /variable "([\w-]+)/.exec(message) ?? [];
    const reason = missing ? `one of its texts asks for {${missing}}, which others may` : message;
    mistakes.set(`${kind} ${reason}`, { file, field: kind, sentence: reason });
  };
  try {
    const write = createMailWriters({ campus, translations: [], theme }, "https://rides.example");
    for (const message of sampleMessages()) {
      try {
        write(message);
        write(message, undefined, { hasPages: true });
      } catch (error) {
        addMistake(message.kind, error as Error);
      }
    }
  } catch (error) {
    addMistake("(all mails)", error as Error);
  }
  return [...mistakes.values()];
}
