/** Returns the anchors of a Markdown document's headings, as GitHub makes them. */
export function listAnchors(markdown: string): string[] {
  const text = markdown.replace(/^ *```.*?^ *```$/gms, "");
  return [...text.matchAll(/^#+ (.*)$/gm)].map(([, heading = ""]) =>
    heading
      .toLowerCase()
      .replace(/[^\p{L}\p{Nd} -]/gu, "")
      .replaceAll(" ", "-"),
  );
}
