export { wcagContrast as contrast } from "culori";

/** `#rrggbb` of three numbers from 0 to 255. */
export function toHex(colour: readonly number[]): string {
  return `#${colour.map((value) => value.toString(16).padStart(2, "0")).join("")}`;
}
