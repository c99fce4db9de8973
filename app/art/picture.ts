import type { ReactElement } from "react";

/** A drawing that becomes a file: the build writes `<name>.svg` with both colour schemes inside. */
export type Picture = {
  name: string;
  /** Size of the viewBox. */
  width: number;
  height: number;
  /** "night" is night in both schemes. */
  scheme?: "night";
  draw: () => ReactElement;
};
