/**
 * People, built from joints, and their heads with hair or headwear. `r` is always the radius of the
 * head: 24 if standing in a picture 480 wide, 20-22 if seated. `Person` is a standing or walking
 * figure; `Figure` takes each joint separately (seated people, unusual poses); a `Head` alone is
 * for badges.
 */
import type { ReactElement } from "react";
import { type Cut, type Dressed, dressFor, type Headwear, type Look } from "./looks.ts";
import {
  type At,
  between,
  Dots,
  Fill,
  joint,
  type Paint,
  Part,
  Place,
  type Point,
  paint,
  path,
  round,
  Shade,
  scallopRing,
  Tube,
} from "./pen.tsx";
import { useMotifs } from "./picture.tsx";

type Leg = { knee: Point; ankle: Point; foot?: number };
type Arm = { elbow: Point; hand: Point };

/** A point of the body: `a` runs up the spine (0 hip, 1 shoulder), `b` forward in head radii. */
type OnBody = (a: number, b: number) => Point;

/** Measurements that every part of a figure is drawn from. */
type Body = { at: OnBody; hip: Point; r: number; look: Dressed };

/** A part on the near or the far side. */
type Limb = { body: Body; far?: boolean };

/**
 * Draws a body from its joints, in picture units. `hip` and `shoulder` are the ends of the spine;
 * `foot` rotates the shoe in degrees. Arms that are undefined (behind the back, hidden by an
 * object) are not drawn.
 */
export function Figure({
  r,
  look: asked = {},
  hip,
  shoulder,
  head,
  headTurn,
  nearLeg,
  farLeg,
  nearArm,
  farArm,
  seated = false,
}: {
  r: number;
  look?: Look;
  hip: Point;
  shoulder: Point;
  head: Point;
  headTurn?: number;
  nearLeg?: Leg;
  farLeg?: Leg;
  nearArm?: Arm;
  farArm?: Arm;
  seated?: boolean;
}) {
  const look = dressFor(useMotifs(), asked);
  const at = alongSpine(hip, shoulder, r);
  const body: Body = { at, hip, r, look };
  return (
    <>
      {farArm && <ArmShape body={body} from={at(0.86, 0.5)} arm={farArm} far />}
      {farLeg && <LegShape body={body} leg={farLeg} seated={seated} far />}
      {nearLeg && <LegShape body={body} leg={nearLeg} seated={seated} />}
      <Tube
        d={path`M${at(0.92, 0.06)}L${between(at(1, 0.06), head, 0.6)}`}
        width={r * 0.58}
        colour={look.skin}
      />
      <Torso body={body} seated={seated} />
      <Head x={head[0]} y={head[1]} r={r} look={look} turn={headTurn} />
      {look.scarf !== undefined && <Scarf at={at} r={r} colour={look.scarf} />}
      {nearArm && <ArmShape body={body} from={at(0.83, -0.36)} arm={nearArm} />}
    </>
  );
}

function alongSpine(hip: Point, shoulder: Point, r: number): OnBody {
  const [dx, dy] = [shoulder[0] - hip[0], shoulder[1] - hip[1]];
  const length = Math.hypot(dx, dy);
  return (a, b) => [
    hip[0] + dx * a - (dy / length) * b * r,
    hip[1] + dy * a + (dx / length) * b * r,
  ];
}

/** Draws the torso with its load: a backpack behind, buttons and straps in front. */
function Torso({ body, seated }: { body: Body; seated: boolean }) {
  const { at, hip, r, look } = body;
  const { outline, hem, shade } = torsoPath(body, seated ? "shirt" : look.cut);
  return (
    <>
      {look.backpack !== undefined && (
        <>
          <path
            d={path`M${at(0.96, -0.5)}C${at(1.08, -1.2)} ${at(1.0, -1.9)} ${at(0.78, -2.05)}L${at(0.28, -1.95)}Q${at(0.12, -1.9)} ${at(0.12, -1.5)}L${at(0.12, -0.5)}z`}
            fill={look.backpack}
          />
          <path d={path`M${at(0.5, -2.02)}L${at(0.48, -1.1)}`} strokeWidth={round(r * 0.1)} />
        </>
      )}
      <path d={outline} fill={look.top} />
      {hem !== "" && <Fill d={hem} colour={look.hem} />}
      <Shade d={shade} opacity={0.15} />
      <path d={outline} />
      {look.cut === "coat" && !seated && (
        <path
          d={path`M${at(0.9, 0.34)}L${at(0.3, 0.36)}L${[hip[0] + 0.42 * r, hip[1] + 1.1 * r]}`}
          stroke={paint.cream}
          strokeWidth={round(r * 0.2)}
          strokeDasharray={`0 ${round(r * 0.72)}`}
        />
      )}
      {look.backpack !== undefined && (
        <path
          d={path`M${at(1.0, -0.15)}Q${at(0.8, 0.45)} ${at(0.4, -0.84)}`}
          stroke={look.backpack}
          strokeWidth={round(r * 0.26)}
        />
      )}
    </>
  );
}

function Scarf({ at, r, colour }: { at: OnBody; r: number; colour: Paint }) {
  return (
    <>
      <Part
        d={path`M${at(0.93, 0.5)}L${at(0.45, 0.55)}L${at(0.48, 0.95)}L${at(0.95, 0.75)}z`}
        fill={colour}
      />
      <Tube
        d={path`M${at(0.98, -0.45)}Q${at(0.9, 0.25)} ${at(1.0, 0.68)}`}
        width={r * 0.3}
        colour={colour}
        edge={2.6}
      />
    </>
  );
}

/** Flare and length of a long cut below the hip, in head radii. */
const skirts = {
  kameez: { wide: 1.78, deep: 2.0 },
  coat: { wide: 1.22, deep: 1.35 },
} as const;

function torsoPath({ at, hip, r }: Body, cut: Cut) {
  const shoulders = path`C${at(0.32, -0.82)} ${at(0.62, -1.16)} ${at(0.86, -0.98)}Q${at(1, -0.86)} ${at(1.04, -0.36)}L${at(1.05, 0.34)}Q${at(1.02, 0.78)} ${at(0.82, 0.94)}C${at(0.6, 1.12)} ${at(0.34, 0.86)} `;
  if (cut === "shirt") {
    const low = path`${at(-0.13, -0.86)}`;
    return {
      outline: `M${low}${shoulders}${path`${at(-0.1, 0.98)}Q${at(-0.18, 0)} ${at(-0.13, -0.86)}`}z`,
      hem: "",
      shade: path`M${at(-0.13, -0.86)}C${at(0.32, -0.82)} ${at(0.62, -1.16)} ${at(0.86, -0.98)}C${at(0.7, -0.5)} ${at(0.3, -0.2)} ${at(-0.15, -0.2)}z`,
    };
  }
  const { wide, deep } = skirts[cut];
  const back: Point = [hip[0] - wide * r, hip[1] + deep * r];
  const fore: Point = [hip[0] + wide * 1.02 * r, hip[1] + deep * 0.96 * r];
  const bottom: Point = [hip[0], hip[1] + (deep + 0.35) * r];
  const backUp = between(back, at(0.2, -0.75), 0.17);
  const foreUp = between(fore, at(0.2, 0.82), 0.17);
  const bottomUp: Point = [bottom[0], bottom[1] - 0.5 * r];
  return {
    outline: path`M${back}Q${at(0.02, -0.95)} ${at(0.24, -0.8)}${shoulders}${at(0.22, 0.84)}Q${at(0.02, 1.0)} ${fore}Q${bottom} ${back}z`,
    hem:
      cut === "kameez"
        ? path`M${back}L${backUp}Q${bottomUp} ${foreUp}L${fore}Q${bottom} ${back}z`
        : "",
    shade: path`M${back}Q${at(0.02, -0.95)} ${at(0.24, -0.8)}C${at(0.32, -0.82)} ${at(0.62, -1.16)} ${at(0.86, -0.98)}C${at(0.7, -0.5)} ${at(0.3, -0.2)} ${[hip[0] - wide * 0.38 * r, hip[1] + (deep + 0.13) * r]}z`,
  };
}

function ArmShape({ body, from, arm, far = false }: Limb & { from: Point; arm: Arm }) {
  const { r, look } = body;
  const { skin, top, sleeves } = look;
  const cuff = sleeves === "long" ? between(arm.elbow, arm.hand, 0.68) : undefined;
  const bend = path`M${from}L${arm.elbow}`;
  const sleeve = cuff === undefined ? bend : `${bend}${path`L${cuff}`}`;
  const wide = r * 0.76;
  return (
    <>
      <Tube d={path`M${arm.elbow}L${arm.hand}`} width={r * 0.56} colour={skin} shade={far} />
      <Tube d={sleeve} width={wide} colour={top} shade={far} />
      {!far && (
        <circle
          cx={round(from[0])}
          cy={round(from[1])}
          r={round(wide / 2 + 3.2)}
          fill={top}
          stroke="none"
        />
      )}
    </>
  );
}

/** A seated figure's tunic covers its thighs. */
function LegShape({ body, leg, seated, far = false }: Limb & { leg: Leg; seated: boolean }) {
  const { at, r, look } = body;
  const cloth = far ? at(0.06, 0.2) : at(0.04, -0.1);
  return (
    <>
      <Tube
        d={path`M${at(0.06, far ? 0.25 : -0.2)}L${leg.knee}L${leg.ankle}`}
        width={r * 0.92}
        colour={look.legs}
        shade={far}
      />
      <Place x={leg.ankle[0]} y={leg.ankle[1]} turn={leg.foot ?? 0} scale={r / 24}>
        <path
          d="M-14-8C-15 0-14 6-13 10H27C28 2 20-1 13-3L10-9Q-2-5-14-8z"
          fill={look.shoes}
          strokeWidth={round(Math.min(5, (3.4 * 24) / r))}
        />
        {far && <Shade d="M-14-8C-15 0-14 6-13 10H27C28 2 20-1 13-3L10-9Q-2-5-14-8z" />}
      </Place>
      {seated && look.cut !== "shirt" && (
        <Tube
          d={path`M${cloth}L${between(cloth, leg.knee, far ? 0.8 : 0.86)}`}
          width={far ? r : r * 1.05}
          colour={look.top}
          shade={far}
        />
      )}
    </>
  );
}

/** Joints in head radii from the ground between the feet: x forward, y up. */
type Joints = {
  hip: Point;
  shoulder: Point;
  head: Point;
  near: [knee: Point, ankle: Point, foot: number];
  far: [knee: Point, ankle: Point, foot: number];
  nearHand: Point;
  farHand: Point;
};

/** Standing on both feet. */
const standing = {
  hip: [0.1, 4.3],
  near: [[-0.2, 2.4], [-0.35, 0.42], 0],
  far: [[0.75, 2.35], [0.85, 0.42], 0],
} satisfies Partial<Joints>;

const poses = {
  stand: {
    ...standing,
    shoulder: [0, 7.4],
    head: [0.26, 9.02],
    nearHand: [-0.55, 4.35],
    farHand: [1.15, 4.5],
  },
  walk: {
    hip: [0, 4.25],
    shoulder: [0.4, 7.35],
    head: [0.76, 8.93],
    near: [[1.15, 2.5], [1.75, 0.5], -8],
    far: [[-0.2, 2.3], [-1.85, 0.95], 32],
    nearHand: [-1.5, 4.75],
    farHand: [2.3, 5.2],
  },
  step: {
    hip: [0, 4.3],
    shoulder: [0.3, 7.4],
    head: [0.56, 8.98],
    near: [[-0.25, 2.25], [-1.55, 0.8], 28],
    far: [[1.05, 2.5], [1.5, 0.45], -6],
    nearHand: [1.55, 4.7],
    farHand: [-0.6, 4.6],
  },
  wave: {
    ...standing,
    shoulder: [-0.05, 7.4],
    head: [0.15, 9.02],
    far: [[0.8, 2.35], [0.9, 0.42], 0],
    nearHand: [-0.7, 4.4],
    farHand: [2.45, 9.0],
  },
  phone: {
    ...standing,
    shoulder: [0.0, 7.35],
    head: [0.45, 8.93],
    nearHand: [2.0, 6.3],
    farHand: [1.9, 6.1],
  },
  reach: {
    hip: [0.05, 4.3],
    shoulder: [0.15, 7.4],
    head: [0.48, 9.02],
    near: [[-0.3, 2.4], [-0.5, 0.42], 0],
    far: [[0.75, 2.35], [0.9, 0.42], 0],
    nearHand: [2.6, 6.6],
    farHand: [1.2, 4.5],
  },
} satisfies Record<string, Joints>;

/**
 * A standing or walking person; 0,0 is the ground between the feet, the whole figure 10.4 r high.
 * `nearHand` and `farHand` (head radii from the origin: x forward, y up) move a hand, and the elbow
 * follows.
 */
export function Person({
  r,
  pose,
  look,
  nearHand,
  farHand,
  headTurn,
  holding,
  ...place
}: At & {
  r: number;
  pose: keyof typeof poses;
  look?: Look;
  mirror?: boolean;
  nearHand?: Point;
  farHand?: Point;
  headTurn?: number;
  /** Drawn at the near hand, under the fingers' outline; 0,0 is the hand. */
  holding?: ReactElement;
}) {
  const j: Joints = poses[pose];
  const px = ([px1, py1]: Point): Point => [px1 * r, -py1 * r];
  const hand = px(nearHand ?? j.nearHand);
  const far = px(farHand ?? j.farHand);
  const shoulder = px(j.shoulder);
  const from: Point = [shoulder[0] - 0.3 * r, shoulder[1] + 0.4 * r];
  const farFrom: Point = [shoulder[0] + 0.5 * r, shoulder[1] + 0.35 * r];
  const arm = (start: Point, end: Point): Arm => ({
    elbow: joint(start, end, 1.55 * r, 1.5 * r, -1),
    hand: end,
  });
  const leg = ([knee, ankle, foot]: [Point, Point, number]): Leg => ({
    knee: px(knee),
    ankle: px(ankle),
    foot,
  });
  return (
    <Place {...place}>
      {holding && <g transform={path`translate(${hand})`}>{holding}</g>}
      <Figure
        r={r}
        look={look}
        hip={px(j.hip)}
        shoulder={shoulder}
        head={px(j.head)}
        headTurn={headTurn}
        nearLeg={leg(j.near)}
        farLeg={leg(j.far)}
        nearArm={arm(from, hand)}
        farArm={arm(farFrom, far)}
      />
    </Place>
  );
}

/** A round badge with the head and shoulders of the person who is coming. Centred on x, y. */
export function Portrait({
  r,
  look = {},
  ground = paint.sky,
  ...place
}: At & { r: number; look?: Look; ground?: Paint }) {
  const { top = paint.peacock, skin = paint.skin1 } = look;
  const pen = round(Math.min(4, Math.max(3, r / 12)));
  return (
    <Place {...place}>
      <g strokeWidth={pen}>
        <circle r={r} fill={ground} />
        <path
          d={path`M${-r * 0.78} ${r * 0.62}C${-r * 0.7} ${r * 0.36} ${-r * 0.36} ${r * 0.3} ${-r * 0.04} ${r * 0.3}C${r * 0.3} ${r * 0.3} ${r * 0.66} ${r * 0.36} ${r * 0.78} ${r * 0.62}A${r} ${r} 0 0 1 ${-r * 0.78} ${r * 0.62}z`}
          fill={top}
        />
        <Tube d={path`M${-r * 0.02} ${r * 0.2}v${r * 0.14}`} width={r * 0.34} colour={skin} />
        <Head x={0} y={-r * 0.2} r={r * 0.52} look={look} expression={r > 70 ? "dot" : "smile"} />
      </g>
    </Place>
  );
}

/**
 * A head centred on x, y; about 2r wide and high without hair. `expression` "dot" has open eyes,
 * brows and a nose.
 */
export function Head({
  r,
  look = {},
  expression,
  ...place
}: At & { r: number; look?: Look; turn?: number; expression?: "smile" | "dot" }) {
  const motifs = useMotifs();
  const { skin, headwear, headColour } = dressFor(motifs, look);
  const mood = expression ?? (r < 13 ? "none" : "smile");
  const pen = round((3.4 * 24) / r > 6 ? 6 : Math.max(3, (3.4 * 24) / r));
  const hooded = headwear === "hijab";
  return (
    <Place {...place} scale={r / 24}>
      <g strokeWidth={pen}>
        {headwear === "pony" && (
          <>
            <path
              d="M-12-26C-38-34-46-8-42 12C-41 24-42 34-46 42C-36 46-28 38-27 26C-26 12-28 2-16-6z"
              fill={paint.hair}
            />
            <path d="M-43 32q8 4 16 0" stroke={paint.rani} strokeWidth="6" />
          </>
        )}
        {headwear === "bun" && <circle cx="-22" cy="-24" r="13" fill={paint.hair} />}
        {headwear === "bobble" && (
          <path d="M-20-14C-34-8-36 16-31 30C-22 36-8 36 0 28L-12 0z" fill={paint.hair} />
        )}
        {hooded ? (
          <>
            {/* `Hair` draws the cloth's border. */}
            <path
              d="M-30 36C-26 20-32 8-30-8C-28-26-14-36 4-36C24-36 32-20 31 0C30 16 34 24 22 34C8 44-14 44-30 36z"
              fill={headColour}
            />
            <Shade d="M-30 36C-26 20-32 8-30-8C-28-20-22-28-14-32C-22-10-16 22-2 40C-14 42-24 40-30 36z" />
            <ellipse cx="6" cy="-1" rx="18.5" ry="22.5" fill={skin} />
          </>
        ) : (
          <>
            <path
              d="M-20-4C-20-20-8-28 4-28C18-28 23-16 23-4C23 12 16 25 4 25C-10 25-20 12-20-4z"
              fill={skin}
            />
            {headwear !== "bobble" && <circle cx="-19" cy="4" r="5.5" fill={skin} />}
          </>
        )}
        <Face mood={mood} hooded={hooded} />
        <Hair headwear={headwear} headColour={headColour} />
      </g>
    </Place>
  );
}

function Face({ mood, hooded }: { mood: "smile" | "dot" | "none"; hooded: boolean }) {
  if (mood === "none") return null;
  const eyes = {
    smile: "M-1 3q4-5 8 0M13 3q3-5 7 0",
    dot: "M3 2v1M16 2v1M-1-6q4-3 8-1M13-7q4-2 7 1M12 3l3 7h-4",
  }[mood];
  return (
    <>
      <circle
        cx={hooded ? -5 : -9}
        cy="11"
        r="5.5"
        fill={paint.rani}
        fillOpacity=".35"
        stroke="none"
      />
      <path d="M2 13q8 9 15-1" strokeWidth="2.8" />
      <path d={eyes} strokeWidth={mood === "smile" ? 2.8 : 2.4} />
      {mood === "dot" && <path d="M3 2v1M16 2v1" strokeWidth="5" />}
    </>
  );
}

const boundHair =
  "M-24 8C-34-16-18-35 5-33C20-32 28-20 24-5C14-8 5-15 1-23C-3-12-10-6-16-3C-15 2-17 5-18 6C-20 2-23 4-24 8z";

/** Hair of bareheaded people. */
const bareHair = {
  short:
    "M-24 8C-32-14-20-35 5-34C22-34 29-22 24-8C16-8 9-11 4-18C-1-11-8-8-15-8C-13-1-16 5-18 6C-20 2-23 3-24 8z",
  curly:
    "M-24 8a9 9 0 0 1-6-13a9 9 0 0 1 3-14a10 10 0 0 1 13-11a11 11 0 0 1 18-4a11 11 0 0 1 17 6a9 9 0 0 1 5 14q-10 2-15-6q-6 7-13 5q-3 5-10 4q1 9-4 16q-2-3-8 3z",
  pony: boundHair,
  bun: boundHair,
};

function Hair({ headwear, headColour }: { headwear: Headwear; headColour: Paint }) {
  switch (headwear) {
    case "hijab":
      return (
        <>
          <Dots d="M-12 19C-20 2-16-24 4-30" colour={paint.marigold} width={4.5} every={9} />
          <path d="M-24 30q14-2 24 6" strokeWidth="2.6" />
        </>
      );
    case "helmet":
      return <Helmet colour={headColour} />;
    case "bobble":
      // Knitted, with a turned-up brim.
      return (
        <>
          <Part d={scallopRing([2, -43], 9, 9, 7, { jitter: 0.2 })} fill={paint.cream} />
          <path d="M-26-10C-30-30-16-40 2-40C22-40 31-28 27-9z" fill={headColour} />
          <Shade d="M-26-10C-30-28-18-38-6-39C-16-30-15-20-13-10z" />
          <path d="M-6-20l3-15M8-21v-16M20-20l-3-13" strokeWidth="2.2" strokeOpacity=".55" />
          <Tube d="M-25-8Q2-18 27-8" width={9} colour={paint.cream} />
          <Dots d="M-22-9Q2-18 24-9" colour={headColour} width={3} every={8} />
        </>
      );
    case "cap":
      return (
        <>
          <path
            d="M-24-6C-28-24-12-34 4-34C18-34 26-26 25-14q12 0 17 5q-1 5-8 4C14-8-8-8-24-6z"
            fill={headColour}
          />
          <path d="M25-14q-24-3-44 2" strokeWidth="2.6" />
        </>
      );
    default:
      return <path d={bareHair[headwear]} fill={paint.hair} />;
  }
}

/** With a painted flower in the delta, else two stripes. */
function Helmet({ colour }: { colour: Paint }) {
  const flowered = useMotifs() === "delta";
  return (
    <>
      <path d="M-10 20Q0 30 8 25" strokeWidth="3.4" />
      <path
        d="M-27 14C-38-18-18-39 6-39C26-39 35-26 35-12C20-14 8-14 2-10C-4-4-4 8-8 20C-18 22-25 20-27 14z"
        fill={colour}
      />
      <Shade d="M-27 14C-36-12-24-32-8-37C-20-18-18 2-14 21C-20 21-25 19-27 14z" />
      <path d="M-6-32q10-4 20-1" stroke={paint.cream} strokeWidth="4" />
      {flowered ? (
        <Fill
          d="M-5-13q-9-3-8-10q8 0 8 10q-2-10 2-13q4 4 2 13q0-8 7-10q2 7-9 10z"
          colour={paint.cream}
        />
      ) : (
        <path d="M-16-35Q-24-18-20 18M-8-38Q-15-20-12 4" stroke={paint.cream} strokeWidth="4" />
      )}
      <path d="M4-13L38-11q5 1 4 5q-1 3-6 3L10-8z" fill={colour} />
    </>
  );
}
