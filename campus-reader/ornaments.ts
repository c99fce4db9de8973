/** Decorative parts of a post's HTML: portraits and pull quotes. */

/** Shows the post's picture in the portraits of its letters. */
export function showPortraits(
  html: string,
  { url, width, height }: { url: string; width: number; height: number },
): string {
  const image = `<image href="${url}" width="${width}" height="${height}"`;
  return html.replaceAll('<image data-picture=""', image);
}

const ornaments =
  /<div class="pull" aria-hidden="true">[\s\S]*?<\/div>|<svg class="portrait"[\s\S]*?<\/svg>/g;

/** Removes portraits and pull quotes. Pull quotes only repeat the post's text. */
export const withoutOrnaments = (html: string) => html.replace(ornaments, "");
