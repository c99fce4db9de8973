/**
 * The painted wheel, or a compass, as the site's icon: few bold parts, so that it is recognizable
 * at 16 px.
 */
import { CompassRose, Rosette } from "./ornaments.tsx";
import { paint, path, petalPath, polar } from "./pen.tsx";
import { drawing, type Picture, useMotifs } from "./picture.tsx";

/** Eight petals as spokes round a hub, centred on 0,0; `r` is the rim's middle. */
function PaintedWheel({ r }: { r: number }) {
  if (useMotifs() !== "delta") return <CompassRose r={r * 0.92} />;
  return (
    <>
      {Array.from({ length: 8 }, (_, index) => {
        const turn = index * 45 - 90;
        const [x, y] = polar(turn, r * 0.16);
        return (
          <path
            key={turn}
            d={petalPath(r * 0.8, 0.44)}
            transform={path`translate(${x} ${y})rotate(${turn})`}
            fill={index % 2 ? paint.cream : paint.marigold}
            stroke="none"
          />
        );
      })}
      <circle r={r * 0.22} fill={paint.rani} stroke={paint.line} strokeWidth={r * 0.1} />
    </>
  );
}

const icon = drawing(
  { name: "icon", width: 64, height: 64, scheme: "day" },
  <>
    <circle cx="32" cy="32" r="31" fill={paint.marigold} stroke="none" />
    <circle cx="32" cy="32" r="24.5" fill={paint.peacock} stroke={paint.line} strokeWidth="5" />
    <g transform="translate(32 32)">
      <PaintedWheel r={23} />
    </g>
  </>,
);

const iconMaskable = drawing(
  { name: "icon-maskable", width: 512, height: 512, pen: 10 },
  <>
    <path d="M0 0h512v512H0z" fill={paint.rani} stroke="none" />
    <Rosette at={[256, 256]} r={186} count={24} fill={paint.marigold} />
    <circle cx="256" cy="256" r="146" fill={paint.peacock} strokeWidth="22" />
    <g transform="translate(256 256)">
      <PaintedWheel r={138} />
    </g>
  </>,
);

export const iconPictures: readonly Picture[] = [icon, iconMaskable];
