import type { ReactElement, SVGProps } from "react";
import { type Paint, paint } from "./pen.tsx";
import type { Picture } from "./picture.ts";

/**
 * The small motorbike that travels the dashed route: 48 by 40, facing right; 24,37 is the point of the road under its
 * middle, for `offset-anchor`. Inside another drawing it takes the place and size it is given.
 */
export function RouteBike({
  line = paint.line,
  ...place
}: { line?: Paint } & Pick<SVGProps<SVGSVGElement>, "x" | "y" | "width" | "height">): ReactElement {
  return (
    <svg
      {...place}
      xmlns="http://www.w3.org/2000/svg"
      viewBox="0 0 48 40"
      fill="none"
      stroke={line}
      strokeWidth="2"
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
    >
      <g fill={paint.cream} strokeWidth="3.5">
        <circle cx="9" cy="30" r="6.5" />
        <circle cx="39" cy="30" r="6.5" />
      </g>
      <path d="M39 30 33 16h-5" strokeWidth="3" />
      <path d="M2 21q10-4 19 0l4 1q2-5 9-4l1 4-7 9H18L9 25z" fill={paint.rani} />
      <path d="M17 21q-1-10 5-11 5 0 5 5l6 2" fill={paint.peacock} />
      <path d="m19 21 7 2-2 8h4" stroke={paint.jeans} strokeWidth="3.5" />
      <path d="M19 8.5a5 5 0 1 1 10-1z" fill={paint.marigold} />
      <path d="m28 6 3 1" />
    </svg>
  );
}

const bike = { width: 48, height: 40, scheme: "day" } as const;

export const routePictures: readonly Picture[] = [
  { ...bike, name: "route-bike", draw: () => <RouteBike /> },
  // Against a night ground an ink outline would be lost.
  { ...bike, name: "route-bike-night", draw: () => <RouteBike line={paint.cream} /> },
];
