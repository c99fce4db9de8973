import { pictures } from "virtual:pictures";

/**
 * One of our drawings, in the scheme of the system: the page chooses, because not every engine lets a drawing used by
 * `<img>` ask for it. The `picture` around it takes no part in the layout. `alt` is one sentence on what happens, or empty where the picture only accompanies its title.
 * Pictures load lazily unless they are `eager`: among the first things seen.
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
  /** "night": as it is by night, whatever the system's scheme. */
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
