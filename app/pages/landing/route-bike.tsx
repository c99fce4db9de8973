import { pictures } from "virtual:pictures";

/** The bike inside a drawn route: from its side on the point of the road under its middle, or seen from above. */
export function RouteBike({ above = false }: { above?: boolean }) {
  const box = above
    ? { href: pictures["route-bike-above"]?.url, x: -24, y: -16, width: 48, height: 32 }
    : { href: pictures["route-bike"]?.url, x: -48, y: -76, width: 96, height: 80 };
  return <image {...box} />;
}
