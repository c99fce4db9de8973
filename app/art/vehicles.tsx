/**
 * Vehicles, all facing right. The origin of each is the point on the ground under the rear axle;
 * `scale` 1 has a wheel radius of 56 (rickshaw) or 50 (motorbike, bicycle).
 */
import type { ComponentProps, ReactNode } from "react";
import type { HoodMotif } from "../../campus-reader/choices.ts";
import { type Look, looks } from "./looks.ts";
import { Decal, Flower, Leaf, Star } from "./ornaments.tsx";
import {
  type At,
  Dots,
  Fill,
  Glint,
  joint,
  type Paint,
  Part,
  Place,
  type Placed,
  type Point,
  paint,
  path,
  petalPath,
  polar,
  round,
  Shade,
  scallopRing,
  Tube,
} from "./pen.tsx";
import { Figure } from "./people.tsx";

/**
 * A spoked wheel centred on x, y. `flat` makes it sag onto the ground; `pane` is a pale fill behind
 * the spokes.
 */
export function Wheel({
  r,
  spokes = 16,
  tyre = 0.14,
  far = false,
  flat = false,
  pane,
  hub = paint.rani,
  ...place
}: At & {
  r: number;
  spokes?: number;
  /** Thickness of the tyre in radii. */
  tyre?: number;
  far?: boolean;
  flat?: boolean;
  pane?: Paint;
  hub?: Paint;
}) {
  const reach = r * (1 - tyre - 0.02);
  const spoke = Array.from({ length: spokes / 2 }, (_, index) => {
    const a = polar((index * 360) / spokes + 6, reach);
    return path`M${a}L${[-a[0], -a[1]]}`;
  }).join("");
  const rubber = far ? paint.tyreFar : paint.tyre;
  return (
    <Place {...place}>
      {flat ? (
        <>
          <path
            d={path`M${polar(128, r * 0.9)}A${r * 0.93} ${r * 0.93} 0 1 1 ${polar(52, r * 0.9)}C${r * 0.72} ${r * 0.78} ${r * 0.98} ${r * 0.84} ${r * 0.9} ${r * 0.93}H${-r * 0.9}C${-r * 0.98} ${r * 0.84} ${-r * 0.72} ${r * 0.78} ${polar(128, r * 0.9)}z`}
            stroke={rubber}
            strokeWidth={round(r * tyre)}
            fill={rubber}
          />
          <circle r={round(reach)} fill={pane} />
        </>
      ) : (
        <circle
          r={round(r * (1 - tyre / 2))}
          stroke={rubber}
          strokeWidth={round(r * tyre)}
          fill={pane}
        />
      )}
      <path d={spoke} stroke={far ? paint.tyreFar : paint.wire} strokeWidth="1.8" />
      {!far && (
        <>
          <circle
            r={round(r * (1 - tyre - 0.035))}
            stroke={paint.marigold}
            strokeWidth={round(r * 0.075)}
          />
          <circle r={round(r * 0.13)} fill={hub} strokeWidth="3" />
        </>
      )}
    </Place>
  );
}

/** A painted mudguard around the center of a wheel of radius 56, from one angle to another. */
function Guard({ at, from, to }: { at: Point; from: number; to: number }) {
  const d = path`M${polar(from, 64, at)}A64 64 0 0 1 ${polar(to, 64, at)}`;
  return (
    <>
      <Tube d={d} width={8} colour={paint.cream} />
      <path d={d} stroke={paint.rani} strokeWidth="5" strokeDasharray="1 15" />
    </>
  );
}

/** The hood's outline: five panels between six ribs, which meet at the pivot 0,-136. */
const hoodOutline =
  "M0 -136L80 -276Q64 -292.4 42 -294Q18.9 -304.5 -6 -299Q-30.5 -295.4 -52 -276Q-67.9 -258 -76 -226Q-82.7 -189.3 -76 -144z";

/** Visible part of the hood's inside, beyond the front rib. */
const hoodInside = "M0 -136L80 -276q20-6 30 8q2 10-6 20L56-150z";

/** The cloth of the hood: three scallops per panel. */
const hoodField = [
  "M0 -136L63.2 -246.6a6 6 0 0 0 -8.9 -7.3a5.9 5.9 0 0 0 -10 -4.7a6 6 0 0 0 -11.1 -2.1",
  "a7 7 0 0 0 -12.3 -4.1a7 7 0 0 0 -12.6 -1.3a7 7 0 0 0 -13 1.5",
  "a7 7 0 0 0 -12.6 3.3a7 7 0 0 0 -12.1 6.1a8 8 0 0 0 -11.6 8.8",
  "a7 7 0 0 0 -7.7 10.7a8 8 0 0 0 -6.3 13.2a9 9 0 0 0 -5 15.6",
  "a11 11 0 0 0 -2.4 20.1a11 11 0 0 0 0 21.6a12 12 0 0 0 2.4 23.1z",
].join("");

/**
 * Positions on each panel: a dot near its edge, a feather, another motif, and the direction of
 * both.
 */
const panels: readonly { dot: Point; feather: Point; motif: Point; turn: number }[] = [
  { dot: [55.7, -272.1], feather: [21.8, -189.2], motif: [26.9, -201.7], turn: -67.7 },
  { dot: [16.4, -282.6], feather: [6.4, -193.3], motif: [7.9, -206.7], turn: -83.6 },
  { dot: [-26.5, -274.6], feather: [-10.4, -190.2], motif: [-12.8, -202.9], turn: -100.8 },
  { dot: [-59.1, -242.1], feather: [-23.1, -177.5], motif: [-28.5, -187.2], turn: -119.1 },
  { dot: [-72, -182.4], feather: [-28.1, -154.1], motif: [-34.7, -158.4], turn: -147.2 },
];

/** The raised hood without paint on its panels; the origin is the rickshaw's. */
export function HoodCloth({ colour, rim }: { colour: Paint; rim: Paint }) {
  const valance = `M8 -150${"a10 10 0 0 0 9 -15.7".repeat(8)}`;
  const hem = `M8 -138${"a8 8 0 0 1 -14.3 -0.3".repeat(6)}z`;
  return (
    <>
      <path d={hoodOutline} fill={rim} />
      <Fill d={hoodField} colour={colour} />
      <Shade d="M0 -136L-76 -226Q-82.7 -189.3 -76 -144z" />
      <Shade d="M0 -136L-52 -276Q-67.9 -258 -76 -226z" opacity={0.09} />
      <path d="M0 -136L42 -294M0 -136L-6 -299M0 -136L-52 -276M0 -136L-76 -226" strokeWidth="2.2" />
      {panels.map(({ dot: [x, y] }, index) => {
        const fill = index % 2 ? paint.cream : colour;
        return <circle key={x} cx={x} cy={y} r="4" fill={fill} stroke="none" />;
      })}
      <Glint d="M-14-292q26-5 46 6" />
      <path d={hoodOutline} />
      <path d={valance} fill={rim} strokeWidth="3" />
      <Tube d="M8 -150L80 -276" width={5} colour={colour} edge={2.6} />
      <path d={hem} fill={paint.peacock} strokeWidth="3" />
      <Part d={scallopRing([0, -136], 12, 12, 8)} fill={rim} />
      <circle cx="0" cy="-136" r="4.5" fill={colour} stroke="none" />
    </>
  );
}

/** Paint on the panels of a raised hood, spreading from the pivot. It contrasts with any cloth. */
export function HoodMotifs({ motif }: { motif: HoodMotif }) {
  return (
    <g strokeWidth="2">
      {panels.map((panel) => {
        const [x, y] = motif === "feather" ? panel.feather : panel.motif;
        return (
          <Place key={x} x={x} y={y} turn={panel.turn}>
            <Motif motif={motif} />
          </Place>
        );
      })}
    </g>
  );
}

/** A single motif, growing from 0,0 to the right, about 50 long. */
export function Motif({ motif }: { motif: HoodMotif }) {
  if (motif === "lotus") return <LotusMotif />;
  if (motif === "feather") return featherMotif;
  return (
    <>
      <Star x={26} y={0} r={16} colour={paint.cream} outline={2} />
      <circle cx="26" r="4.5" fill={paint.rani} strokeWidth="1.6" />
      <Star x={0} y={0} r={7} colour={paint.cream} outline={1.6} />
    </>
  );
}

function LotusMotif() {
  const petals: [turn: number, length: number, colour: Paint][] = [
    [-62, 22, paint.leafLight],
    [62, 22, paint.leafLight],
    [-36, 29, paint.cream],
    [36, 29, paint.cream],
    [0, 36, paint.pane],
  ];
  return (
    <>
      {petals.map(([turn, length, colour]) => (
        <path key={turn} d={petalPath(length, 0.4)} transform={`rotate(${turn})`} fill={colour} />
      ))}
      <circle cx="44" r="3.6" fill={paint.cream} strokeWidth="1.6" />
    </>
  );
}

const featherMotif = (
  <>
    <path d="M0 0L16-3" strokeWidth="3" />
    <path d="M6 0C18-20 46-24 54 0C46 24 18 20 6 0z" fill={paint.cream} />
    <path d="M16 0C26-14 44-16 50 0C44 16 26 14 16 0z" fill={paint.peacock} strokeWidth="1.6" />
    <circle cx="38" r="8.5" fill={paint.marigold} strokeWidth="1.6" />
    <circle cx="40" r="4" fill={paint.line} stroke="none" />
  </>
);

/** A student on the rickshaw's cushion; the origin is the rickshaw's. */
export function RickshawPassenger() {
  return (
    <Figure
      r={20}
      look={looks.passenger}
      hip={[38, -158]}
      shoulder={[52, -213]}
      head={[72, -238]}
      seated
      farLeg={{ knee: [100, -146], ankle: [114, -84] }}
      nearLeg={{ knee: [92, -142], ankle: [98, -82] }}
      nearArm={{ elbow: [48, -172], hand: [80, -158] }}
      farArm={{ elbow: [70, -176], hand: [92, -160] }}
    />
  );
}

/**
 * The cycle rickshaw, about 450 wide (-88..362) and 300 high. A default passenger sits in it; pass
 * `null` for an empty seat.
 */
export function Rickshaw({
  hood = paint.rani,
  rim = paint.marigold,
  motif = "lotus",
  body = paint.peacock,
  passenger = <RickshawPassenger />,
  driver = looks.driver,
  pane,
  lamp = false,
  ...place
}: Partial<Placed> & {
  hood?: Paint;
  rim?: Paint;
  motif?: HoodMotif;
  body?: Paint;
  passenger?: ReactNode;
  driver?: Look;
  /** A pale fill behind the spokes, for busy backgrounds. */
  pane?: Paint;
  /** True for a lamp below the bar; its light comes from 276,-166. */
  lamp?: boolean;
}) {
  return (
    <Place {...place}>
      {drive}
      <path d={hoodInside} fill={paint.peacock} />
      <Shade d={hoodInside} opacity={0.34} />
      <path d="M-44-146C-50-196-34-218-12-216L8-150z" fill={hood} />
      <path d="M-42-150H70q10 0 10 10v10H-42z" fill={hood} />
      <Dots d="M-34-143h104" colour={paint.marigold} width={4} every={13} />
      {passenger}
      <Seat body={body} />
      <HoodCloth colour={hood} rim={rim} />
      <HoodMotifs motif={motif} />
      <Wheel x={REAR[0]} y={REAR[1]} r={56} pane={pane} />
      <Guard at={REAR} from={-172} to={-14} />
      <FarLeg />
      <Front pane={pane} lamp={lamp} />
      <Figure
        r={21}
        look={driver}
        hip={[152, -166]}
        shoulder={[178, -235]}
        head={[193, -262]}
        nearLeg={{ knee: joint([152, -166], [184, -40], 68, 70, 1), ankle: [184, -40], foot: 8 }}
        nearArm={{ elbow: [178, -190], hand: [219, -184] }}
      />
    </Place>
  );
}

const REAR: Point = [0, -56];
const FORE: Point = [276, -56];
const CRANK: Point = [176, -54];

/** A rod of the rickshaw's frame. */
function Rod({ d, width = 8 }: { d: string; width?: number }) {
  return <Tube d={d} width={width} colour={paint.marigold} />;
}

/** The far wheel, the chain and the frame. */
const drive = (
  <>
    <Wheel x={26} y={-60} r={56} spokes={8} far />
    <Rod d={path`M${CRANK}L94-70`} width={6} />
    <path
      d={path`M${CRANK}m0-15L0-62m0 14L176-39`}
      stroke={paint.wire}
      strokeWidth="2.4"
      strokeDasharray="7 4"
      strokeLinecap="butt"
    />
    <Rod d={path`M${REAR}L${CRANK}`} width={7} />
    <Rod d="M158-150L244-148" />
    <Rod d="M160-136L112-84" width={6} />
    <Rod d={path`M${CRANK}L157-148`} />
    <Rod d={path`M${CRANK}L248-132`} />
  </>
);

/** The painted box under the passenger. */
function Seat({ body }: { body: Paint }) {
  return (
    <>
      <path d="M-46-140L-84-132L-86-78L-42-66z" fill={paint.cream} />
      <Decal x={-66} y={-84} size={40} outer={paint.rani} inner={paint.marigold} />
      <path d="M-82-68v16m14-12v16m14-12v14" stroke={paint.rani} strokeWidth="4.5" />
      <Rod d="M-88-76L-44-66" width={6} />
      <path d="M-46-138H76q8 0 9 9C88-100 96-84 112-80L134-76V-66H60L20-60H-46z" fill={body} />
      <Shade d="M-46-138h30q-6 40 4 78h-34z" />
      <path d="M-44-134H80q2 12 4 18H-44z" fill={paint.cream} strokeWidth="2.5" />
      {[-22, 8, 38, 66].map((cx, index) => (
        <g key={cx}>
          <Leaf x={cx - 5} y={-125} turn={180} length={11} colour={paint.leaf} />
          <Leaf x={cx + 5} y={-125} turn={0} length={11} colour={paint.leaf} />
          <Flower
            x={cx}
            y={-125}
            r={9}
            colour={index % 2 ? paint.marigold : paint.rani}
            heart={index % 2 ? paint.rani : paint.marigold}
          />
        </g>
      ))}
      <path d="M76-110C80-96 87-79 103-74L124-71" stroke={paint.marigold} strokeWidth="3" />
    </>
  );
}

/** The driver's far leg, behind the crank. */
function FarLeg() {
  const knee = joint([158, -164], [170, -92], 66, 68, 1);
  const shoe = "M158-96c-1 8 0 12 1 16h36c1-7-6-10-14-12z";
  return (
    <>
      <Tube d={path`M158-164L${knee}L170-92`} width={19} colour={paint.jeans} shade />
      <Part d={shoe} fill={paint.cream} />
      <Shade d={shoe} />
    </>
  );
}

/** Crank, saddle, front wheel and handlebar, and the lamp if there is one. */
function Front({ pane, lamp }: { pane: Paint | undefined; lamp: boolean }) {
  return (
    <>
      <path d={path`M${CRANK}l-10-28m-10 0h20M${CRANK}l10 28m-10 0h22`} strokeWidth="5" />
      <circle cx="176" cy="-54" r="14" fill={paint.marigold} />
      <circle cx="176" cy="-54" r="5" fill={paint.cream} strokeWidth="2.5" />
      <path d="M126-152C138-161 160-161 186-156q2 6-6 7l-32 3q-18 0-22-6z" fill={paint.line} />
      <Wheel x={FORE[0]} y={FORE[1]} r={56} pane={pane} />
      <Guard at={FORE} from={-160} to={-30} />
      <Rod d={path`M240-158L256-122Q262-104 ${FORE}`} width={7} />
      <Tube d="M238-160L232-180" width={6} colour={paint.cream} />
      <path d="M214-178l-6 18m10-17l-1 20m6-20l5 17" stroke={paint.rani} strokeWidth="4" />
      <Tube d="M214-182C226-178 238-192 250-184q6 8-4 14" width={6} colour={paint.cream} />
      <Part d="M240-192a9 9 0 0 1 18 0z" fill={paint.marigold} />
      {lamp && (
        <>
          <path d="M240-160L256-166" strokeWidth="7" />
          <path
            d="M250-172q0-6 6-7l14-3q5-1 5 4v24q0 5-5 4l-14-3q-6-1-6-7z"
            fill={paint.marigold}
          />
          <Part d="M275-180q7 14 0 28z" fill={paint.pane} />
          <Glint d="M256-174l10-2" width={3} />
        </>
      )}
    </>
  );
}

/** Driver of a motorbike with helmet; the origin is the motorbike's. `pose` overrides joints. */
export function MotorbikeDriver(pose: Partial<ComponentProps<typeof Figure>>) {
  return (
    <Figure
      r={21}
      look={looks.rider}
      hip={[92, -140]}
      shoulder={[116, -208]}
      head={[130, -239]}
      seated
      farLeg={{ knee: [162, -116], ankle: [148, -56], foot: 0 }}
      nearLeg={{ knee: [154, -114], ankle: [132, -50], foot: 0 }}
      farArm={{ elbow: [152, -178], hand: [192, -174] }}
      nearArm={{ elbow: [132, -166], hand: [182, -172] }}
      {...pose}
    />
  );
}

/**
 * Passenger of a motorbike with helmet, one hand at the driver's waist or waving; the origin is the
 * motorbike's.
 */
export function MotorbikePassenger({ wave = false }: { wave?: boolean }) {
  return (
    <Figure
      r={21}
      look={{
        skin: paint.skin2,
        headwear: "helmet",
        headColour: paint.marigold,
        top: paint.cream,
        legs: paint.leaf,
        backpack: paint.rani,
      }}
      hip={[24, -146]}
      shoulder={[36, -214]}
      head={[49, -246]}
      seated
      nearLeg={{ knee: [82, -110], ankle: [62, -52], foot: 0 }}
      nearArm={
        wave ? { elbow: [4, -232], hand: [-6, -272] } : { elbow: [44, -172], hand: [88, -166] }
      }
    />
  );
}

/**
 * A second helmet on a motorbike's seat, 62 wide; 0,0 is the center of the head that will wear it.
 */
export function SpareHelmet({ colour, peak, ...place }: Placed & { colour: Paint; peak: Paint }) {
  return (
    <Place {...place}>
      <path d="M-27 14C-38-18-18-39 6-39C26-39 35-26 35-12L28 14z" fill={colour} />
      <Shade d="M-27 14C-36-12-24-32-8-37C-20-18-18 2-14 14z" />
      <Part d="M10-8H38q5 1 4 6t-6 4H12z" fill={peak} />
      <Glint d="M2-32q12-3 20 4" />
    </Place>
  );
}

/**
 * The motorbike, about 330 wide (-62..292) and 275 high with riders. `null` leaves a seat empty.
 */
export function Motorbike({
  colour = paint.rani,
  driver = <MotorbikeDriver />,
  passenger = <MotorbikePassenger />,
  pane,
  flat = false,
  ...place
}: Partial<Placed> & {
  colour?: Paint;
  driver?: ReactNode;
  passenger?: ReactNode;
  pane?: Paint;
  /** True for a flat front tyre. */
  flat?: boolean;
}) {
  return (
    <Place {...place}>
      <Wheel x={0} {...wheel} pane={pane} />
      <Wheel x={240} {...wheel} pane={pane} flat={flat} />
      <Tube d="M84-60L0-50" width={7} colour={paint.metal} />
      <Tube d="M34-116L8-56" width={6} colour={paint.cream} />
      <path d="M33-106l-12 8m6-22l-12 28m10-20l-8-2" strokeWidth="2.4" />
      {engine}
      <path d="M-40-132L34-124L48-96Q4-98-28-116L-52-120z" fill={colour} />
      <Part d="M-62-132l16-3 4 12-16 4z" fill={paint.marigold} />
      <path d="M44-126h48l-18 34H56z" fill={colour} />
      <path
        d="M-44-138C-30-148 0-146 24-142C44-138 60-128 84-130L118-132L114-116C80-112 30-116-38-126z"
        fill={paint.line}
      />
      <path
        d="M112-130C116-152 138-164 162-162C184-160 198-150 204-136Q160-116 116-116z"
        fill={colour}
      />
      <Shade d="M112-130C114-142 122-152 134-157C126-142 126-128 130-116H116z" />
      <Decal x={158} y={-126} size={32} outer={paint.marigold} />
      <Glint d="M172-152q12 3 18 9" />
      <Fork colour={colour} />
      {driver}
      {passenger}
    </Place>
  );
}

const wheel = { y: -50, r: 50, spokes: 6, tyre: 0.22, hub: paint.metal };

const engine = (
  <>
    <path d="M196-140L156-62H84L60-116z" fill={paint.peacock} />
    <path d="M82-100h72l8 22q4 38-22 42H96q-22-6-20-34z" fill={paint.metal} />
    <path d="M80-88h82m-84 14h86m-88 14h86" strokeWidth="2.6" />
    <circle cx="104" cy="-52" r="13" fill={paint.cream} strokeWidth="3" />
    <Tube d="M150-70q20 8 12 28q-6 10-26 10L70-34" width={7} colour={paint.cream} />
    <Tube d="M80-34L-38-44" width={11} colour={paint.cream} />
    <path d="M-44-44h4" strokeWidth="8" />
  </>
);

/** The fork with mudguard, lamp and mirror. */
function Fork({ colour }: { colour: Paint }) {
  return (
    <>
      <Tube d="M202-152L222-104L240-50" width={8} colour={paint.cream} />
      <path
        d={path`M${polar(-158, 60, [240, -50])}A60 60 0 0 1 ${polar(-14, 60, [240, -50])}L${polar(-12, 50, [240, -50])}A50 50 0 0 0 ${polar(-150, 46, [240, -50])}z`}
        fill={colour}
      />
      <Fill
        d={path`M${polar(-100, 57, [240, -50])}A57 57 0 0 1 ${polar(-40, 57, [240, -50])}l-2 3A53 53 0 0 0 ${polar(-100, 54, [240, -50])}z`}
        colour={paint.cream}
      />
      <path d="M196-152L214-166Q226-168 230-158L232-140L214-128Q200-134 196-152z" fill={colour} />
      <path d="M228-164q18 4 16 22q-4 8-12 6q-10-12-4-28z" fill={paint.pane} strokeWidth="3.5" />
      <Tube d="M206-158Q204-176 176-174" width={5} colour={paint.metal} />
      <path d="M200-168l-2-30" strokeWidth="4" />
      <Part d="M188-212l20-4 4 16-20 4z" fill={paint.sky} />
      <path d="M176-174l14-1" strokeWidth="11" />
    </>
  );
}
