/** Maximum number of cards per row on a wide screen. */
const widest = 4;

/**
 * Distributes cards over rows of nearly equal length so that none of several cards is alone in its
 * row.
 * @returns for each card, the number of cards in its row
 */
export function spreadOverRows(cards: number): number[] {
  const rows = Math.ceil(cards / widest);
  const least = Math.floor(cards / rows);
  const longer = cards % rows;
  return Array.from({ length: rows }, (_, row) => least + Number(row < longer)).flatMap((length) =>
    Array.from({ length }, () => length),
  );
}
