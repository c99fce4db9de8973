/** How forms name a request: with up to where its trail is told on their page, so that nobody acts on what has changed since. */
export function toChoice({ reference, seen }: { reference: string; seen: number }): string {
  return `${reference}~${seen}`;
}

/** Whoever does not say what they have seen of a request has seen nothing of it. */
export function readChoice(choice: string): { reference: string; seen: number } {
  const [reference = "", seen = ""] = choice.split("~");
  return { reference, seen: /^\d{1,15}$/.test(seen) ? Number(seen) : 0 };
}
