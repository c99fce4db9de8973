import { pictures } from "virtual:pictures";
import { languages, useWords } from "../words.ts";

/** Returns whether a picture is a drawing, and not a photo. */
export function isDrawing({ url }: { url: string }): boolean {
  return url.endsWith(".svg");
}

/**
 * Renders a drawing in the visitor's color scheme. A `picture` element, which generates no box,
 * selects the file, because not every browser lets a drawing inside an `<img>` query the color
 * scheme. A campus draws its own pictures for the direction of its first language. On pages with
 * the other direction, `data-own` is "turned", so that styles can mirror these pictures. A photo is
 * "photo". `alt` is one sentence about the scene, or empty if the picture only decorates a title. Set `eager` for
 * pictures above the fold; all others load lazily.
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
  /** "night" uses the night colors in both schemes. */
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
