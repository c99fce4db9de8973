/** The bikes of the dashed route as files. */
import { paint } from "./pen.tsx";
import { drawing, type Picture } from "./picture.tsx";
import { Bike } from "./route-bike.tsx";

const size = { width: 48, height: 40, scheme: "day", pen: 2 } as const;

/** The same bike seen from above, as on a map: 48 by 32, heading right, 24,16 is its middle. */
const above = drawing(
  { ...size, name: "route-bike-above", height: 32 },
  <>
    <path d="M4 16h8M38 16h6" strokeWidth="5.5" />
    <path d="M7 16q0-4 7-5h20q6 1 7 5-1 4-7 5H14q-7-1-7-5z" fill={paint.rani} />
    <path d="M36 4.5q-1 11 0 23" strokeWidth="3" />
    <path d="M20 8.5q8-3 15-1.5M20 23.5q8 3 15 1.5" strokeWidth="7" />
    <path d="M17 16q0-9 5-9 4 0 4 9 0 9-4 9-5 0-5-9z" fill={paint.peacock} />
    <path d="M20 8.5q8-3 15-1.5M20 23.5q8 3 15 1.5" stroke={paint.peacock} strokeWidth="3.6" />
    <circle cx="25" cy="16" r="6" fill={paint.rani} />
    <path d="M28.5 13q1.5 3 0 6" stroke={paint.cream} />
  </>,
);

export const routePictures: readonly Picture[] = [
  drawing({ ...size, name: "route-bike" }, <Bike />),
  above,
  // A dark outline would be invisible on a night background.
  drawing(
    { ...size, name: "route-bike-night" },
    <g stroke={paint.cream}>
      <Bike wheel={paint.line} />
    </g>,
  ),
];
