/** Returns the anchors that GitHub gives the headings of a Markdown document. */
export function listAnchors(markdown: string): string[] {
  const text = markdown.replace(/^ *```.*?^ *```$/gms, "");
  return [...text.matchAll(/^#+ (.*)$/gm)].map(([, heading = ""]) =>
    heading
      .toLowerCase()
      .replace(/[^\p{L}\p{Nd} -]/gu, "")
      .replaceAll(" ", "-"),
  );
}
