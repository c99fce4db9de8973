/** Most cards beside each other on a wide screen. */
const widest = 4;

/**
 * Spreads cards over rows of nearly the same length, so that none is left alone.
 * @returns the number of cards in each card's row
 */
export function spreadOverRows(cards: number): number[] {
  const rows = Math.ceil(cards / widest);
  const least = Math.floor(cards / rows);
  const longer = cards % rows;
  return Array.from({ length: rows }, (_, row) => least + Number(row < longer)).flatMap((length) =>
    Array.from({ length }, () => length),
  );
}
