/** The motifs that a drawing is made with, for every part of it. */
import { createContext, useContext } from "react";
import type { Motifs } from "./choices.ts";

const motifsContext = createContext<Motifs>("plain");

export const DrawnWith = motifsContext.Provider;

export function useMotifs(): Motifs {
  return useContext(motifsContext);
}
