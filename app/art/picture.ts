import type { ReactElement } from "react";

/** A drawing that becomes a file: the build writes `<name>.svg` with both colour schemes inside, or with one. */
export type Picture = {
  name: string;
  /** Size of the viewBox. */
  width: number;
  height: number;
  /** "day": the colours of the day in both schemes, for what stands on the same ground in both. */
  scheme?: "day";
  /** True for what is not there yet: drawn in dusty colours. */
  coming?: boolean;
  draw: () => ReactElement;
};
