import { motifs } from "virtual:campus/motifs";
import { DrawnWith } from "../../art/drawn-with.ts";
import { Sun } from "../../art/ornaments.tsx";

/** The upper half of the painted sun; its lower edge is the horizon. */
export function RisingSun({ className }: { className?: string | undefined }) {
  return (
    <svg
      className={className}
      viewBox="-6 -6 412 208"
      fill="none"
      stroke="var(--art-line)"
      strokeWidth="4"
      aria-hidden="true"
    >
      <DrawnWith value={motifs}>
        <Sun x={200} y={202} r={198} scallops={28} rays={18} />
      </DrawnWith>
    </svg>
  );
}
