/**
 * What comes from outside holds text and nothing else: no control characters but line ends and tabs, no marks that turn
 * the direction of writing, no half characters. PostgreSQL cannot store some of them, and the rest makes whoever reads a
 * note see something else than what stands in it. Joiners stay: Bangla is written with them.
 */
const unwritten = /[\p{Bidi_Control}\p{Cs}]|[^\P{Cc}\n\t]/gu;

export function isPlainText(text: string): boolean {
  return text.search(unwritten) === -1;
}

/** What somebody typed, with one kind of line end and without what no keyboard writes. */
export function toPlainText(typed: string): string {
  return typed.replace(/\r\n?/g, "\n").replace(unwritten, "");
}
