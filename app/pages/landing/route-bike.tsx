import { pictures } from "virtual:pictures";

/** The bike inside a drawn route, 96 wide; 0,0 is the point of the road under its middle. */
export function RouteBike() {
  return <image href={pictures["route-bike"]?.url} x="-48" y="-76" width="96" height="80" />;
}
