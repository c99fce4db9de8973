/** The four tiles of the feature section: each shows its point instead of naming it. */
import type { ReactNode } from "react";
import { Handset, MapHall, MapRoads, MapTree, RiderDot, Route } from "./handset.tsx";
import { looks } from "./looks.ts";
import {
  Coin,
  CurrencySign,
  Decal,
  Fringe,
  PaleDisc,
  Pin,
  Rosette,
  TickBadge,
} from "./ornaments.tsx";
import {
  Fill,
  Flat,
  Glint,
  GroundShadow,
  type Paint,
  Part,
  Place,
  paint,
  path,
  polar,
  Shade,
  Tube,
} from "./pen.tsx";
import { Portrait } from "./people.tsx";
import { drawing, type Picture } from "./picture.tsx";
import { Ripples } from "./scenery.tsx";
import { Motorbike, MotorbikeDriver } from "./vehicles.tsx";

/** The request goes out in rings; of the riders around, one answers. */
const match = drawing(
  { name: "tile-match", width: 480, height: 360, ground: paint.mapGround },
  <>
    <Flat>
      <path d="M0 210q90-30 120 40t-30 110H0z" fill={paint.lawn} />
      <path d="M480 0v90q-70 20-104-20t-6-70z" fill={paint.water} />
    </Flat>
    <Ripples
      at={[
        [404, 24, 30],
        [424, 48, 36],
      ]}
    />
    <MapRoads
      d="M-8 96H170Q210 96 230 130L300 260Q312 284 350 284H490M120 -8V96M352 284V150Q352 120 390 120H490M60 370V250Q60 220 100 214L262 190"
      width={18}
    />
    <Flat fill={paint.rani}>
      <circle cx="212" cy="184" r="152" opacity=".13" />
      <circle cx="212" cy="184" r="106" opacity=".2" />
    </Flat>
    <g stroke={paint.rani} strokeWidth="5">
      <circle cx="212" cy="184" r="152" strokeDasharray="3 14" />
      <circle cx="212" cy="184" r="106" strokeDasharray="3 12" />
    </g>
    <MapTree x={48} y={60} scale={1.3} />
    <MapTree x={70} y={330} scale={1.3} colour={paint.blossom} />
    <MapTree x={288} y={80} scale={1.2} />
    <MapHall x={420} y={262} scale={1.3} />
    <MapTree x={232} y={344} scale={1.2} />
    <Tube d="M248 172Q300 130 348 112" width={6.5} colour={paint.rani} edge={2.75} />
    <RiderDot x={88} y={98} r={24} />
    <RiderDot x={118} y={288} r={24} />
    <RiderDot x={336} y={284} r={24} />
    <Pin x={212} y={252} size={118} colour={paint.leaf} />
    <Portrait x={212} y={178} r={33} look={looks.hijabi} ground={paint.cream} />
    <Rosette at={[376, 100]} r={66} count={20} fill={paint.marigold} />
    <Portrait x={376} y={100} r={52} look={looks.rider} />
    <TickBadge x={424} y={146} r={26} />
  </>,
);

const minutes = polar(40, 31);
const sheet =
  "M20 336L92 76Q94 68 102 68H402Q410 68 412 76L466 336Q468 350 454 350H32Q16 350 20 336z";

/** The rider on the way, seen on the map, with the minutes left as a clock. */
const track = drawing(
  { name: "tile-track", width: 480, height: 360, ground: paint.sky },
  <>
    <path d={sheet} fill={paint.mapGround} />
    <Flat>
      <path d="M48 236L72 150Q130 140 146 190T60 292z" fill={paint.lawn} />
      <path d="M410 70L430 170Q376 176 350 130T372 70z" fill={paint.water} />
    </Flat>
    <path
      d="M40 260Q140 300 220 262T330 178L300 70M220 258L250 348M326 172L446 244M150 70L176 150Q186 182 228 196L330 178"
      stroke={paint.cream}
      strokeWidth="17"
      strokeLinecap="butt"
    />
    <path d={sheet} />
    <Route d="M58 266Q144 296 220 262Q290 230 330 178L386 212" width={8} />
    <MapTree x={120} y={128} scale={1.2} />
    <MapTree x={360} y={318} scale={1.3} colour={paint.blossom} />
    <MapHall x={256} y={134} scale={1.4} />
    <MapTree x={300} y={322} scale={1.1} />
    <Pin x={388} y={214} size={88} />
    <GroundShadow x={168} y={288} rx={92} ry={6} />
    <Motorbike
      x={104}
      y={288}
      scale={0.62}
      driver={<MotorbikeDriver look={{ ...looks.rider, top: paint.leaf }} />}
      passenger={null}
    />
    <Place x={424} y={70}>
      <circle r="48" fill={paint.marigold} />
      <circle r="37" fill={paint.cream} strokeWidth="3" />
      <Fill d={path`M0 0V-36A36 36 0 0 1 ${minutes[0]} ${minutes[1]}z`} colour={paint.leafLight} />
      <path d={path`M0-28V0L${polar(40, 20)}`} strokeWidth="5" />
      <circle r="4" fill={paint.line} />
      <path d="M-12-54h24M0-54v8" strokeWidth="6" />
    </Place>
  </>,
);

/** Bank notes and coins. */
export function Cash() {
  return (
    <>
      <Place x={150} y={172} turn={-12}>
        <path d="M-118-58H118q8 0 8 8V50q0 8-8 8H-118q-8 0-8-8V-50q0-8 8-8z" fill={paint.peacock} />
      </Place>
      <Place x={156} y={196} turn={-5}>
        <path d="M-122-62H122q8 0 8 8V54q0 8-8 8H-122q-8 0-8-8V-54q0-8 8-8z" fill={paint.leaf} />
        <path d="M-112-48H112V48H-112z" fill={paint.cream} strokeWidth="2.5" />
        <Fill d="M-112 48V-48h56q-30 40 8 96z" colour={paint.lawn} />
        <Rosette at={[0, 0]} r={42} ry={38} count={18} fill={paint.leafLight} strokeWidth="3" />
        <Decal x={0} y={24} size={56} outer={paint.rani} inner={paint.marigold} />
        <Place x={-80} y={0} scale={1.3}>
          <CurrencySign />
        </Place>
        <path d="M64-26h34M64-10h24M74 30h26" strokeWidth="5" />
      </Place>
      {[0, 1, 2].map((i) => (
        <path
          key={i}
          d={path`M44 ${310 - i * 17}a44 13 0 0 0 88 0v-13h-88z`}
          fill={paint.marigold}
        />
      ))}
      <ellipse cx="88" cy="262" rx="44" ry="13" fill={paint.marigoldLight} />
      <ellipse cx="88" cy="262" rx="30" ry="8" strokeWidth="2.5" />
      <Coin x={172} y={298} r={32} />
    </>
  );
}

/** Two bank cards, the front one with its chip and the waves of paying without touch. */
function Cards() {
  const card = "M-102-68H102q14 0 14 14V54q0 14-14 14H-102q-14 0-14-14V-54q0-14 14-14z";
  return (
    <>
      <Place x={150} y={150} turn={-16}>
        <path d={card} fill={paint.peacock} />
        <path d="M-116-44H116V-18H-116z" fill={paint.line} />
        <Shade d="M-116-54q0-14 14-14h58V68H-102q-14 0-14-14z" />
      </Place>
      <Place x={152} y={222} turn={-4}>
        <path d={card} fill={paint.leaf} />
        <Fill d="M116 10V54q0 14-14 14H-6Q40 56 62 30T116 10z" colour={paint.leafLight} />
        <path d={card} />
        <path d="M-90-32h38q7 0 7 7v26q0 7-7 7h-38q-7 0-7-7v-26q0-7 7-7z" fill={paint.marigold} />
        <path d="M-97-12h16m36 0h-16M-81-32v40m20-40v40" strokeWidth="2.4" />
        <path
          d="M-28-24q8 12 0 24M-16-31q13 19 0 38M-4-38q18 26 0 52"
          stroke={paint.cream}
          strokeWidth="4.5"
        />
        <path
          d="M-90 36H20"
          stroke={paint.cream}
          strokeWidth="8"
          strokeDasharray="0 13 0 13 0 13 0 26"
        />
        <Place x={84} y={-36} scale={1.1}>
          <circle r="20" fill={paint.cream} strokeWidth="3" />
          <CurrencySign />
        </Place>
        <Glint d="M-98-56h44" />
      </Place>
    </>
  );
}

/** What pays, beside a phone that pays. */
function pay(cash: boolean) {
  return drawing(
    { name: "tile-pay", width: 480, height: 360, ground: paint.sky },
    <>
      <PaleDisc x={240} y={186} r={166} />
      {cash ? <Cash /> : <Cards />}
      <Handset x={288} y={38} width={146} height={284} bezel={9} screen={paint.paper}>
        <Fill d="M9 9h128v118q-12 9-21 0t-21 0t-22 0t-21 0t-22 0t-21 0z" colour={paint.rani} />
        <Place x={73} y={82}>
          <circle r="34" fill={paint.cream} />
          <Place scale={1.5}>
            <CurrencySign />
          </Place>
        </Place>
        <path d="M40 154h66M52 172h42" stroke={paint.wire} strokeWidth="6" />
        <TickBadge x={73} y={226} r={38} />
      </Handset>
    </>,
  );
}

const bends = "M-46 26C-30 0-16 24-2 4S20-8 40-22";

/** A fare is a coin cut into its parts: a fixed start, the way, the time. */
const fare = drawing(
  { name: "tile-fare", width: 480, height: 360, ground: paint.sky },
  <>
    <PaleDisc x={240} y={180} r={168} />
    <Fringe x={0} y={14} width={480} scallop={34} />
    <Slice from={-160} to={14} colour={paint.peacock} out={6}>
      <Tube d={bends} width={11} colour={paint.cream} />
      <path d={bends} stroke={paint.rani} strokeWidth="4" strokeDasharray="7 8" />
      <Pin x={42} y={-20} size={42} />
    </Slice>
    <Slice from={14} to={106} colour={paint.rani} out={22}>
      <circle r="24" fill={paint.cream} />
      <path d="M0-14V0l10 7" strokeWidth="4.5" />
    </Slice>
    <Slice from={106} to={200} colour={paint.leafLight} out={14}>
      <Place scale={1.7}>
        <CurrencySign />
      </Place>
    </Slice>
    <Glint d="M196 74q28-16 60-14" width={5} />
  </>,
);

/** A slice of the fare, drawn `out` from the middle, with its sign. */
function Slice({
  from,
  to,
  colour,
  out,
  children,
}: {
  from: number;
  to: number;
  colour: Paint;
  out: number;
  children: ReactNode;
}) {
  const [x, y] = polar((from + to) / 2, out);
  const [signX, signY] = polar((from + to) / 2, 118 * 0.58);
  const wedge = (radius: number) =>
    path`M0 0L${polar(from, radius)}A${radius} ${radius} 0 ${to - from > 180 ? "1" : "0"} 1 ${polar(to, radius)}z`;
  return (
    <Place x={240 + x} y={176 + y}>
      <path d={wedge(118)} fill={paint.marigold} />
      <Part d={wedge(118 * 0.86)} fill={colour} />
      <Place x={signX} y={signY}>
        {children}
      </Place>
    </Place>
  );
}

export const tilePictures = (cash: boolean): readonly Picture[] => [match, track, pay(cash), fare];
