/** Lists the anchors that GitHub generates for a Markdown document's headings. */
export function listAnchors(markdown: string): string[] {
  const text = markdown.replace(/^ *```.*?^ *```$/gms, "");
  return [...text.matchAll(/^#+ (.*)$/gm)].map(([, heading = ""]) =>
    heading
      .toLowerCase()
      .replace(/[^\p{L}\p{Nd} -]/gu, "")
      .replaceAll(" ", "-"),
  );
}
