import { pictures } from "virtual:pictures";

/**
 * One of our drawings. `alt` is one sentence on what happens, or empty where the picture only accompanies its title.
 * Pictures load lazily unless they are `eager`: among the first things seen.
 */
export function Picture({
  name,
  alt,
  eager = false,
  className,
}: {
  name: string;
  alt: string;
  eager?: boolean;
  className?: string;
}) {
  const picture = pictures[name];
  if (!picture) throw new Error(`There is no drawing named ${name}`);
  return (
    <img
      src={picture.url}
      alt={alt}
      width={picture.width}
      height={picture.height}
      loading={eager ? undefined : "lazy"}
      decoding={eager ? undefined : "async"}
      fetchPriority={eager ? "high" : undefined}
      className={className}
    />
  );
}
