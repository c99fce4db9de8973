/** Explains that a key is unknown, and suggests the nearest known key. */
export function explainUnknown(key: string, known: readonly string[]): string {
  const nearest = findNearest(key, known);
  if (nearest !== undefined) return `is not known here; did you mean ${nearest}?`;
  const list = known.length > 0 ? ` (known are ${known.join(", ")})` : "";
  return `is not known here; check its spelling, or remove it${list}`;
}

/**
 * Finds the known word that is closest to the given word. Returns undefined if more than a third of
 * the letters differ.
 */
export function findNearest(word: string, known: readonly string[]): string | undefined {
  const most = Math.max(1, Math.floor(word.length / 3));
  const near = known
    .map((one) => ({ one, distance: distanceBetween(word.toLowerCase(), one.toLowerCase()) }))
    .filter(({ distance }) => distance <= most)
    .toSorted((a, b) => a.distance - b.distance);
  return near[0]?.one;
}

/** Returns the Levenshtein distance: the number of inserted, deleted and replaced letters. */
function distanceBetween(one: string, other: string): number {
  let row = Array.from({ length: other.length + 1 }, (_, index) => index);
  for (const [index, letter] of [...one].entries()) {
    const next = [index + 1];
    for (let column = 1; column <= other.length; column += 1) {
      const replaced = (row[column - 1] ?? 0) + (letter === other[column - 1] ? 0 : 1);
      next.push(Math.min(replaced, (row[column] ?? 0) + 1, (next[column - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row.at(-1) ?? 0;
}
