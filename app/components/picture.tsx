import { pictures } from "virtual:pictures";
import { languages, useWords } from "../words.ts";

export function isDrawing({ url }: { url: string }): boolean {
  return url.endsWith(".svg");
}

/**
 * Renders a picture; drawings follow the visitor's color scheme. A `picture` element selects the
 * file, because not every browser lets an SVG in an `<img>` query the color scheme. The `picture`
 * element itself generates no box.
 *
 * A campus draws its pictures for the text direction of its default language. On pages in the other
 * direction, `data-own` is "turned", so that styles can mirror the drawings. For photos, `data-own`
 * is "photo".
 * @param alt describes the scene in one sentence, or is empty for a decorative picture
 * @param eager set for pictures above the fold; all others load lazily
 */
export function Picture({
  name,
  alt,
  eager = false,
  scheme,
  className,
}: {
  name: string;
  alt: string;
  eager?: boolean;
  /** "night" selects the night colors in both color schemes. */
  scheme?: "night";
  className?: string;
}) {
  const { dir } = useWords();
  const picture = pictures[name];
  if (!picture) throw new Error(`There is no drawing named ${name}`);
  const isTurned = isDrawing(picture) && dir !== languages[0]?.dir;
  const kind = isTurned ? "turned" : isDrawing(picture) ? "" : "photo";
  const image = (
    <img
      src={(scheme === "night" && picture.night) || picture.url}
      alt={alt}
      width={picture.width}
      height={picture.height}
      loading={eager ? undefined : "lazy"}
      fetchPriority={eager ? "high" : undefined}
      className={className}
      data-own={picture.own && kind}
    />
  );
  if (!picture.night || scheme) return image;
  return (
    <picture>
      <source media="(prefers-color-scheme:dark)" srcSet={picture.night} />
      {image}
    </picture>
  );
}
