import { pictures } from "virtual:pictures";
import { languages, useWords } from "../words.ts";

/**
 * Shows one of our drawings in the system's color scheme. The page selects the file, because not
 * every browser lets a drawing in an `<img>` query the scheme. The surrounding `picture` generates
 * no box. A campus draws its own pictures for the direction of its first language; `data-own` says
 * whether the page has another, in which its drawings are turned round. `alt` is one sentence about the scene, or empty if the picture only decorates its title.
 * Pictures load lazily unless `eager`, which is for the first view.
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
  /** "night" uses the night colours in both schemes. */
  scheme?: "night";
  className?: string;
}) {
  const { dir } = useWords();
  const picture = pictures[name];
  if (!picture) throw new Error(`There is no drawing named ${name}`);
  const isTurned = /\.svg$/.test(picture.url) && dir !== languages[0]?.dir;
  const image = (
    <img
      src={scheme === "night" ? picture.night : picture.url}
      alt={alt}
      width={picture.width}
      height={picture.height}
      loading={eager ? undefined : "lazy"}
      fetchPriority={eager ? "high" : undefined}
      className={className}
      data-own={picture.own && (isTurned ? "turned" : "")}
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
