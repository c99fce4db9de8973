/** Query parameter for a page in a language other than the campus's first. */
export const languageParameter = "lang";

/** Returns the address of a page in one of the campus's other languages. */
export function inLanguage(path: string, language: string): string {
  const [address = "", fragment] = path.split("#", 2);
  const asked = `${address}${address.includes("?") ? "&" : "?"}${languageParameter}=${language}`;
  return fragment === undefined ? asked : `${asked}#${fragment}`;
}
