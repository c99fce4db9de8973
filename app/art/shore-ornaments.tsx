/** What stands where the first campus's painted ornaments would: compass rose, calm sun, rivet, wave. */
import {
  type At,
  Fill,
  Flat,
  type Paint,
  Place,
  paint,
  path,
  polar,
  ringPath,
  round,
} from "./pen.tsx";

/** A star of so many points as path text, centred on 0,0: `r` to its tips, `waist` between them. */
function starPath(points: number, r: number, waist: number, turn = -90): string {
  const step = 180 / points;
  const corners = Array.from({ length: points * 2 }, (_, index) =>
    polar(turn + index * step, index % 2 === 0 ? r : waist),
  );
  return `${corners.map((corner, index) => path`${index === 0 ? "M" : "L"}${corner}`).join("")}z`;
}

/** A compass rose centred on x, y: four long points, half of each in shade, over four short ones. */
export function CompassRose({
  x = 0,
  y = 0,
  r,
  outer,
  inner,
}: {
  x?: number;
  y?: number;
  r: number;
  outer: Paint;
  inner: Paint;
}) {
  const halves = [-90, 0, 90, 180].map(
    (turn) => path`M0 0L${polar(turn, r)}L${polar(turn - 45, r * 0.3)}z`,
  );
  return (
    <Place x={x} y={y}>
      <Flat>
        <path d={starPath(4, r * 0.66, r * 0.2, -45)} fill={outer} />
        <path d={starPath(4, r, r * 0.3)} fill={inner} />
        <path d={halves.join("")} fill={outer} />
      </Flat>
    </Place>
  );
}

/** A low sun in its own haze, centred on x, y; `r` is the haze. A ground painted after it cuts it at the horizon. */
export function CalmSun({ x, y, r }: At & { r: number }) {
  const disc = r * 0.84;
  const bar = (dy: number, from: number, to: number) =>
    path`M${x + from * r} ${y + dy * r}H${x + to * r}`;
  return (
    <>
      <Fill d={ringPath([x, y], r, r)} colour={paint.marigoldLight} opacity={0.5} />
      <circle cx={round(x)} cy={round(y)} r={round(disc)} fill={paint.marigoldLight} />
      <path
        d={`${bar(0.3, -0.66, -0.1)}${bar(0.3, 0.1, 0.5)}${bar(0.46, -0.5, 0.24)}${bar(0.62, -0.2, 0.4)}`}
        stroke={paint.marigold}
        strokeWidth={round(Math.max(4, r * 0.045))}
      />
      <path
        d={path`M${polar(-70, disc * 0.86, [x, y])}A${disc * 0.86} ${disc * 0.86} 0 0 1 ${polar(-22, disc * 0.86, [x, y])}`}
        stroke={paint.cream}
        strokeWidth={round(Math.max(3, r * 0.03))}
      />
    </>
  );
}

/** A rivet of two rings. No outline: it lies inside a field. */
export function Rivet({ x, y, r, colour, heart }: At & { r: number; colour: Paint; heart: Paint }) {
  return (
    <Flat>
      <circle cx={round(x)} cy={round(y)} r={round(r * 0.78)} fill={colour} />
      <circle cx={round(x)} cy={round(y)} r={round(r * 0.34)} fill={heart} />
    </Flat>
  );
}

/** A painted border of waves hanging from a straight line: a band, the swell below it and a crest inside. */
export function WaveBorder({
  x,
  y,
  width,
  length,
  band,
  cloth,
  crest,
}: At & {
  width: number;
  /** Of one wave, from crest to crest. */
  length: number;
  band: Paint;
  cloth: Paint;
  crest: Paint;
}) {
  const count = Math.round(width / length);
  const step = width / count;
  const waves = path`q${step / 4} ${step * 0.3} ${step / 2} 0t${step / 2} 0`.repeat(count);
  return (
    <g strokeWidth={round(Math.max(2.5, step / 12))}>
      <path d={`${path`M${x} ${y}v${step * 0.34}`}${waves}${path`V${y}z`}`} fill={cloth} />
      <path
        d={`${path`M${x} ${y + step * 0.12}`}${waves}`}
        stroke={crest}
        strokeWidth={round(step * 0.09)}
      />
      <path d={path`M${x} ${y - step * 0.32}h${width}v${step * 0.32}h${-width}z`} fill={band} />
    </g>
  );
}
