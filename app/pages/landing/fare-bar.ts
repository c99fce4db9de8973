/** Minimum number of columns for a part of the bar. The part's label needs that width. */
const least = 2;

/**
 * Divides a twelve-column bar in proportion to `amounts`, with at least two columns per part. If
 * there isn't one amount per part, divides the bar evenly.
 */
export function shareTwelfths(amounts: readonly number[], parts: number): number[] {
  const isWhole = amounts.length === parts;
  const sizes = isWhole ? amounts : Array.from({ length: parts }, () => 1);
  const sum = sizes.reduce((total, size) => total + size, 0);
  const shares = sizes.map((size) => Math.max(least, Math.floor((size / sum) * 12)));
  // Give leftover columns to the parts furthest below their share, and take excess columns from
  // parts wider than the minimum.
  for (let left = 12 - shares.reduce((total, share) => total + share, 0); left !== 0; ) {
    const step = Math.sign(left);
    const lacks = sizes.map((size, index) => {
      const share = shares[index] ?? 0;
      const canChange = step > 0 || share > least;
      return canChange ? step * ((size / sum) * 12 - share) : Number.NEGATIVE_INFINITY;
    });
    const next = lacks.indexOf(Math.max(...lacks));
    shares[next] = (shares[next] ?? 0) + step;
    left -= step;
  }
  return shares;
}
