/** Things that people by a cold lake have with them. */
import { Glint, paint, placed, Shade, Tube } from "./pen.tsx";
import { CompassRose } from "./shore-ornaments.tsx";

/** A vacuum flask with its mug beside it, steaming, 92 wide and 150 high; 0,0 is the middle of their feet. */
export const VacuumFlask = placed(
  <>
    <path d="M-32-150H4q6 0 6 6v24H-38v-24q0-6 6-6z" fill={paint.metal} />
    <Shade d="M-32-150H-22V-120H-38v-24q0-6 6-6z" />
    <path
      d="M-40-122H12q6 4 6 14V-10q0 10-10 10H-36q-10 0-10-10V-108q0-10 6-14z"
      fill={paint.peacock}
    />
    <Shade d="M-40-122H-26V0H-36q-10 0-10-10V-108q0-10 6-14z" />
    <path d="M-46-96H18M-46-24H18" stroke={paint.cream} strokeWidth="6" />
    <path d="M-46-101H18M-46-91H18M-46-29H18M-46-19H18" strokeWidth="2.4" />
    <CompassRose x={-14} y={-60} r={22} outer={paint.marigold} inner={paint.cream} />
    <Glint d="M6-86v16" width={4} />
    <Tube d="M50-34q14 0 14 10t-14 10" width={5} colour={paint.rani} />
    <path d="M14-44H52V-8q0 8-8 8H22q-8 0-8-8z" fill={paint.rani} />
    <Shade d="M14-44H24V0H22q-8 0-8-8z" />
    <path d="M14-40H52" stroke={paint.cream} strokeWidth="3.5" />
    <path d="M26-56q-6-7 0-13t0-12M40-56q-6-7 0-13t0-12" stroke={paint.wire} strokeWidth="3.5" />
  </>,
);
