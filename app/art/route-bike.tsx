import type { SVGProps } from "react";
import { type Paint, paint } from "./pen.tsx";
import type { Picture } from "./picture.tsx";

/**
 * The small motorbike that travels the dashed route: 48 by 40, facing right; 24,37 is the point of the road under its
 * middle, for `offset-anchor`. Inside another drawing it takes the place and size it is given.
 */
export function RouteBike({
  line = paint.line,
  wheel = paint.cream,
  ...place
}: { line?: Paint; wheel?: Paint } & Pick<
  SVGProps<SVGSVGElement>,
  "x" | "y" | "width" | "height" | "xmlns"
>) {
  return (
    <svg
      {...place}
      viewBox="0 0 48 40"
      fill="none"
      stroke={line}
      strokeWidth="2"
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
    >
      <g fill={wheel} strokeWidth="3.5">
        <circle cx="9" cy="30" r="6.5" />
        <circle cx="39" cy="30" r="6.5" />
      </g>
      <path d="M39 30 33 16h-5" strokeWidth="3" />
      <path d="M2 21q10-4 19 0l4 1q2-5 9-4l1 4-7 9H18L9 25z" fill={paint.rani} />
      <path d="M17 21q-1-10 5-11 5 0 5 5l6 2" fill={paint.peacock} />
      <path d="m19 21 7 2-2 8h4" stroke={paint.jeans} strokeWidth="3.5" />
      <path d="M20 8v4l8 1 1-5z" fill={paint.cream} />
      <path d="M18 9q0-7 6-7t7 6q-8 0-8 5-4 0-5-4z" fill={paint.rani} />
    </svg>
  );
}

/** The same bike as a map shows it, from above: 48 by 32, heading right, 24,16 is its middle. */
function RouteBikeAbove() {
  return (
    <svg
      xmlns={xmlns}
      viewBox="0 0 48 32"
      fill="none"
      stroke={paint.line}
      strokeWidth="2"
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
    >
      <path d="M4 16h8M38 16h6" strokeWidth="5.5" />
      <path d="M7 16q0-4 7-5h20q6 1 7 5-1 4-7 5H14q-7-1-7-5z" fill={paint.rani} />
      <path d="M36 4.5q-1 11 0 23" strokeWidth="3" />
      <path d="M20 8.5q8-3 15-1.5M20 23.5q8 3 15 1.5" strokeWidth="7" />
      <path d="M17 16q0-9 5-9 4 0 4 9 0 9-4 9-5 0-5-9z" fill={paint.peacock} />
      <path d="M20 8.5q8-3 15-1.5M20 23.5q8 3 15 1.5" stroke={paint.peacock} strokeWidth="3.6" />
      <circle cx="25" cy="16" r="6" fill={paint.rani} />
      <path d="M28.5 13q1.5 3 0 6" stroke={paint.cream} />
    </svg>
  );
}

/** Of a file. */
const xmlns = "http://www.w3.org/2000/svg";
const bike = { width: 48, height: 40, scheme: "day" } as const;

export const routePictures: readonly Picture[] = [
  { ...bike, name: "route-bike", draw: () => <RouteBike xmlns={xmlns} /> },
  { ...bike, name: "route-bike-above", height: 32, draw: RouteBikeAbove },
  // Against a night ground an ink outline would be lost.
  {
    ...bike,
    name: "route-bike-night",
    draw: () => <RouteBike xmlns={xmlns} line={paint.cream} wheel={paint.line} />,
  },
];
