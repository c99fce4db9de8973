import { createContext, type ReactElement, type ReactNode, useContext } from "react";
import type { Motifs } from "../../campus-reader/choices.ts";
import { Fill, type Paint, paint, path, round } from "./pen.tsx";

/**
 * A drawing that becomes a file: the build writes `<name>.svg` with both colour schemes inside, or
 * with one.
 */
export type Picture = {
  name: string;
  /** Size of the viewBox. */
  width: number;
  height: number;
  /**
   * "day" uses the day's colours in both schemes, for objects on a background that stays the same.
   */
  scheme?: "day";
  /** True for announced things, which are drawn in dusty colours. */
  coming?: boolean;
  draw: () => ReactElement;
};

/**
 * Returns the svg root with common settings of the pen (round outlines, no fill). `pen` is the
 * outline's width, by default 0.8 % of the picture's; `ground` is the background colour.
 */
export function drawing(
  { pen, ground, ...picture }: Omit<Picture, "draw" | "coming"> & { pen?: number; ground?: Paint },
  content: ReactNode,
): Picture {
  const { width, height } = picture;
  const draw = () => (
    // biome-ignore lint/a11y/noSvgWithoutTitle: the drawing is a file; the alt text of its img names it
    <svg
      xmlns="http://www.w3.org/2000/svg"
      viewBox={`0 0 ${width} ${height}`}
      fill="none"
      stroke={paint.line}
      strokeWidth={round(pen ?? Math.min(4, width * 0.0085))}
      strokeLinecap="round"
      strokeLinejoin="round"
    >
      {ground && <Fill d={path`M0 0h${width}v${height}h${-width}z`} colour={ground} />}
      {content}
    </svg>
  );
  return { ...picture, draw };
}

/** The drawing's motifs, for all of its parts. */
const motifsContext = createContext<Motifs>("plain");

export const DrawnWith = motifsContext.Provider;

export function useMotifs(): Motifs {
  return useContext(motifsContext);
}
