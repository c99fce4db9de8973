/** Blog pictures of the lifestyle posts. */
import type { ReactElement } from "react";
import { AlarmClock, SchoolBag, Tiffin } from "./objects.tsx";
import { Sun } from "./ornaments.tsx";
import { Fill, Flat, GroundShadow, paint, path, Shade, Sheet, scallopsThrough, Tube } from "./pen.tsx";
import type { Picture } from "./picture.ts";
import { FarTrees } from "./scenery.tsx";

/** Packed the evening before: clock, tiffin and bag on the window sill while the sun comes up. */
function EarlyClass(): ReactElement {
  const curtain = "M44 30C70 92 70 150 22 226H-6V30z";
  return (
    <Sheet width={480} height={320}>
      <Fill d="M0 0h480v320h-480z" colour={paint.far} />
      <path
        d="M60-10V40m40-50V20m40-30V30"
        stroke={paint.cream}
        strokeOpacity="0"
      />
      <path d="M92 20H424V236H92z" fill={paint.wood} />
      <Fill d="M106 34H410V236H106z" colour={paint.field} />
      <Sun x={258} y={206} r={112} />
      <FarTrees x={106} y={234} width={304} size={38} />
      <Fill d="M106 214H410V240H106z" colour={paint.lawn} />
      <path d="M106 34H410V236H106z" />
      <Tube d="M258 34V236M106 112H410" width={7} colour={paint.wood} />
      <path d="M64 26H452" strokeWidth="13" />
      <path d="M64 26H452" stroke={paint.marigold} strokeWidth="6" />
      <g transform="translate(66 0)">
        <path d={curtain} fill={paint.rani} />
      </g>
      <Fill d="M0 246h480v74h-480z" colour={paint.road} />
    </Sheet>
  );
}

export const lifestylePictures: readonly Picture[] = [
  { name: "post-23", width: 480, height: 320, draw: EarlyClass },
];
