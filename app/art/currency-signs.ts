/** Currency signs as single brush strokes, each 22 wide and 28 high, centred on 0,0. */
const strokes: Record<string, string> = {
  "৳": "M-8-11q6-3 7 3v11q0 9 8 7q6-2 3-8q-3-3-6 0M-9-1h14",
  "€": "M9-8q-6-6-12-2q-6 5-5 11q1 9 8 10q5 0 9-4M-12-3h16M-12 4h14",
  $: "M7-8q-4-4-9-3q-6 2-5 6q1 4 7 5q7 2 7 6q-1 5-7 5q-5 0-8-4M0-15v30",
  "£": "M8-8q-3-5-8-3q-5 3-2 11q2 8-6 12q5-3 9 0q5 2 8-2M-8 1h13",
  "₹": "M-8-12h17M-8-5h17M-3-12q9 0 9 6q-1 6-12 7l11 12",
  "¥": "M-9-12l9 12l9-12M0 0v13M-8 1h16M-8 6h16",
};

/** A star for currencies whose sign isn't drawn yet. */
const star = "M0-12l3 8h8l-6 5l2 9l-7-5l-7 5l2-9l-6-5h8z";

/**
 * Placeholder for the sign of the campus's currency; the build replaces it with the sign's stroke.
 */
export const currencyMark = "currency-sign";

/** Returns the stroke of a sign such as "€". */
export function currencyStroke(sign: string): string {
  return strokes[sign] ?? star;
}
