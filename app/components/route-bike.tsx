import type { SVGProps } from "react";

/**
 * Draws the small motorbike on the dashed route. The caller sets its position and size. In the
 * bike's own 48 by 40 viewBox, it faces right and its wheels touch the road at (24, 37).
 */
export function RouteBike(place: Pick<SVGProps<SVGSVGElement>, "x" | "y" | "width" | "height">) {
  return (
    <svg
      {...place}
      viewBox="0 0 48 40"
      fill="none"
      stroke="var(--art-line)"
      strokeWidth="2"
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
    >
      <g fill="var(--art-cream)" strokeWidth="3.5">
        <circle cx="9" cy="30" r="6.5" />
        <circle cx="39" cy="30" r="6.5" />
      </g>
      <path d="M39 30 33 16h-5" strokeWidth="3" />
      <path d="M2 21q10-4 19 0l4 1q2-5 9-4l1 4-7 9H18L9 25z" fill="var(--art-rani)" />
      <path d="M17 21q-1-10 5-11 5 0 5 5l6 2" fill="var(--art-peacock)" />
      <path d="m19 21 7 2-2 8h4" stroke="var(--art-jeans)" strokeWidth="3.5" />
      <path d="M20 8v4l8 1 1-5z" fill="var(--art-cream)" />
      <path d="M18 9q0-7 6-7t7 6q-8 0-8 5-4 0-5-4z" fill="var(--art-rani)" />
    </svg>
  );
}
