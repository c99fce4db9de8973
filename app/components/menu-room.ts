/**
 * Returns whether a campus's own links fit into one line of the header, beside the product's links:
 * everywhere ("roomy"), on desktop screens only ("crowded"), or nowhere ("full").
 */
export function findMenuRoom(names: readonly string[]): "roomy" | "crowded" | "full" {
  // The gap before a link is as wide as two letters.
  const letters = names.reduce((sum, name) => sum + name.length + 2, 0);
  if (letters <= 10) return "roomy";
  return letters <= 36 ? "crowded" : "full";
}
