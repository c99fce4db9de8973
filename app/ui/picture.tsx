import { pictures } from "virtual:pictures";

/**
 * One of our drawings, in the colour scheme of the system: the page chooses the file, because not
 * every engine lets an `<img>` drawing ask for the scheme. The surrounding `picture` has no box of
 * its own. `alt` is one sentence on the scene, or empty if the picture only decorates its title.
 * Pictures load lazily unless `eager`, for those in the first view.
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
  /** "night": the night colours in either scheme. */
  scheme?: "night";
  className?: string;
}) {
  const picture = pictures[name];
  if (!picture) throw new Error(`There is no drawing named ${name}`);
  const image = (
    <img
      src={scheme === "night" ? picture.night : picture.url}
      alt={alt}
      width={picture.width}
      height={picture.height}
      loading={eager ? undefined : "lazy"}
      fetchPriority={eager ? "high" : undefined}
      className={className}
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
