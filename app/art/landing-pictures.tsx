/**
 * Pictures of the landing page below its first view: services, tiles, steps, safety, about, and the
 * two ways to join.
 */

import type { ReactNode } from "react";
import type { HeroVehicle } from "../../campus-reader/choices.ts";
import { Handset, HeldPhone, MapHall, MapRoads, MapTree, RiderDot, Route } from "./handset.tsx";
import { looks } from "./looks.ts";
import {
  Bunting,
  Coin,
  CurrencySign,
  Decal,
  Flower,
  Fringe,
  Lotus,
  PaleDisc,
  Pin,
  Rosette,
  Star,
  Sun,
  TickBadge,
} from "./ornaments.tsx";
import {
  type At,
  Backdrop,
  Fill,
  Flat,
  Glint,
  GroundShadow,
  type Paint,
  Part,
  Place,
  type Point,
  paint,
  path,
  polar,
  Shade,
  Tube,
} from "./pen.tsx";
import { Head, Person, Portrait } from "./people.tsx";
import { drawing, type Picture } from "./picture.tsx";
import { Cloud, FarTrees, Hall, Krishnachura, RainTree, Ripples, Road, Tuft } from "./scenery.tsx";
import { Motorbike, MotorbikeDriver, Rickshaw, SpareHelmet } from "./vehicles.tsx";

const size = { width: 480, height: 360 };

const bike = drawing(
  { name: "service-bike", ...size, ground: paint.sky },
  <>
    <Cloud x={70} y={84} scale={0.8} />
    <Sun x={268} y={178} r={138} />
    <FarTrees x={0} y={282} width={480} />
    <Backdrop opacity={0.75}>
      <RainTree x={34} y={284} scale={0.9} />
    </Backdrop>
    <Fill d="M0 274h480v26h-480z" colour={paint.lawn} />
    <Tuft x={448} y={294} scale={0.9} />
    <Road y={298} width={480} height={62} />
    <GroundShadow x={236} y={328} rx={168} ry={8} />
    <Motorbike x={112} y={328} scale={1.04} />
  </>,
);

const rickshaw = drawing(
  { name: "service-rickshaw", ...size, ground: paint.sky },
  <>
    <Sun x={282} y={180} r={136} />
    <Fill d="M0 282h480v20h-480z" colour={paint.lawn} />
    <Road y={300} width={480} height={60} />
    <GroundShadow x={240} y={330} rx={188} ry={8} />
    <Rickshaw x={126} y={330} scale={0.86} />
  </>,
);

/** The delivery box on the bike's rear seat, with a steaming bowl painted on it. */
const foodBox = (
  <>
    <path d="M-54-148H62V-252q0-12-12-12H-42q-12 0-12 12z" fill={paint.marigold} />
    <Shade d="M-54-148h30v-116h-18q-12 0-12 12z" />
    <path d="M-54-234H62" strokeWidth="3" />
    <path d="M-22-190h52q-2 28-26 28t-26-28z" fill={paint.cream} strokeWidth="3.5" />
    <path d="M-30-190h68" />
    <path
      d="M-10-200q-6-8 0-14t0-12m15 26q-6-8 0-14t0-12m15 26q-6-8 0-14t0-12"
      stroke={paint.rani}
      strokeWidth="4"
    />
    <Glint d="M36-256q16 0 18 14" />
  </>
);

/** Light behind the subject of a service. */
function Glow({ at, r }: { at: Point; r: number }) {
  return (
    <Rosette at={at} r={r} count={30} fill={paint.marigold} fillOpacity={0.45} stroke="none" />
  );
}

const food = drawing(
  { name: "service-food", ...size, ground: paint.field },
  <>
    <Glow at={[270, 180]} r={136} />
    <Fill d="M0 282h480v20h-480z" colour={paint.lawn} />
    <Road y={300} width={480} height={60} />
    <GroundShadow x={236} y={330} rx={166} ry={8} />
    <Motorbike x={116} y={330} scale={1.02} colour={paint.leaf} passenger={foodBox} />
  </>,
);

const assist = drawing(
  { name: "service-assist", ...size, ground: paint.sky },
  <>
    <Glow at={[240, 176]} r={138} />
    <Backdrop opacity={0.55}>
      <Hall x={240} y={290} scale={1.1} lit={false} />
    </Backdrop>
    <Fill d="M0 284h480v76h-480z" colour={paint.lawn} />
    <GroundShadow x={240} y={330} rx={170} ry={9} />
    <Person
      x={120}
      y={328}
      pose="walk"
      look={looks.pony}
      farHand={[2.9, 4.55]}
      nearHand={[2.6, 4.4]}
      r={25}
    />
    <Person
      x={368}
      y={328}
      pose="stand"
      mirror
      look={{ ...looks.student, headwear: "curly" }}
      farHand={[2.9, 4.5]}
      nearHand={[2.5, 4.4]}
      r={25}
    />
    <path d="M176 206H310V278q0 6-6 6H182q-6 0-6-6z" fill={paint.clay} />
    <path d="M168 184H318v24H168z" fill={paint.clay} />
    <Shade d="M176 208h30v76h-24q-6 0-6-6z" />
    <Part d="M230 184h26v44l-13-8-13 8z" fill={paint.cream} />
    <path d="M222 184q-4-40 12-62h30q10 34-2 62z" fill={paint.rani} />
    <path d="M186 184v-44h30v44zM272 184l8-54 28 4-8 50z" fill={paint.peacock} />
    <Fill d="M188 152h26v8h-26zM281 146l24 3-1 8-24-3z" colour={paint.marigold} />
    <Flower x={243} y={154} r={11} />
    <path d="M176 256l16-2m118 2l-16-2" strokeWidth="13" />
    <path d="M177 256l14-2m118 2l-14-2" stroke={paint.skin2} strokeWidth="8" />
  </>,
);

const services = { bike, rickshaw, food, assist };

/** The request spreads in rings, and one of the riders nearby answers. */
const match = drawing(
  { name: "tile-match", width: 480, height: 360, ground: paint.mapGround },
  <>
    <Flat>
      <path d="M0 210q90-30 120 40t-30 110H0z" fill={paint.lawn} />
      <path d="M480 0v90q-70 20-104-20t-6-70z" fill={paint.water} />
    </Flat>
    <Ripples d="M404 24h30M424 48h36" />
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

/** The rider on the map, with the remaining minutes as a clock. */
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
const notesAndCoins = (
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
      <path key={i} d={path`M44 ${310 - i * 17}a44 13 0 0 0 88 0v-13h-88z`} fill={paint.marigold} />
    ))}
    <ellipse cx="88" cy="262" rx="44" ry="13" fill={paint.marigoldLight} />
    <ellipse cx="88" cy="262" rx="30" ry="8" strokeWidth="2.5" />
    <Coin x={172} y={298} r={32} />
  </>
);

/** Two bank cards; the front one has a chip and the symbol for contactless payment. */
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

/** The means of payment beside a phone that is paying. */
function pay(cash: boolean) {
  return drawing(
    { name: "tile-pay", width: 480, height: 360, ground: paint.sky },
    <>
      <PaleDisc x={240} y={186} r={166} />
      {cash ? notesAndCoins : <Cards />}
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

/** A fare as a coin, cut into its parts: base, distance, time. */
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

/** A slice of the fare, moved `out` from the center, with its sign. */
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

/** Step 1: an identity card on a lanyard in front of the phone, stamped as checked. */
const signUp = drawing(
  { name: "step-1", width: 480, height: 360, ground: paint.field },
  <>
    <Sun x={196} y={196} r={150} />
    <Handset x={88} y={48} width={156} height={292} bezel={10} screen={paint.paper}>
      <Fill d="M10 10h136v74q-12 8-22 0t-23 0t-23 0t-22 0t-23 0t-23 0z" colour={paint.peacock} />
      <Star x={78} y={52} r={15} />
      <path d="M30 112h70M30 160h54M30 208h62" stroke={paint.wire} strokeWidth="5" />
      <path d="M30 122h96v20H30zM30 170h96v20H30z" fill={paint.sky} strokeWidth="2.5" />
      <Part d="M30 234h96v28H30z" fill={paint.rani} />
      <path d="M60 248h36" stroke={paint.cream} strokeWidth="5" />
    </Handset>
    <Place x={326} y={214} turn={6}>
      <Tube d="M-14-86L-60-230M14-86L44-230" width={12} colour={paint.rani} />
      <path d="M-18-100h36v30h-36z" fill={paint.metal} />
      <path
        d="M-112-70H112q14 0 14 14V70q0 14-14 14H-112q-14 0-14-14V-56q0-14 14-14z"
        fill={paint.cream}
      />
      <Fill d="M-112-68H112q12 0 12 12v18H-124v-18q0-12 12-12z" colour={paint.leaf} />
      <path d="M-126-38H126" strokeWidth="3" />
      <Part d="M-104-22H-20V66H-104z" fill={paint.sky} />
      <Part d="M-104 66v-6q4-20 42-20t42 20v6z" fill={paint.marigold} />
      <Head x={-62} y={16} r={26} look={{ ...looks.pony, headwear: "bun" }} expression="dot" />
      <path d="M-4-8h88" strokeWidth="8" stroke={paint.line} />
      <path d="M-4 16h64M-4 36h48" strokeWidth="5" strokeOpacity=".55" />
      <path d="M-4 60h6m6 0h3m6 0h8m5 0h3m7 0h5m6 0h3" strokeWidth="14" strokeLinecap="butt" />
      <Decal x={-100} y={-42} size={24} />
      <path d="M-70-54h60" stroke={paint.cream} strokeWidth="6" />
    </Place>
    <TickBadge x={426} y={288} r={42} colour={paint.rani} />
  </>,
);

const way = "M150 330C190 336 240 334 284 316C356 286 300 262 352 234";

/** Step 2: she waits at her pick-up pin; the route leads to the drop-off pin at the hall. */
const request = drawing(
  { name: "step-2", width: 480, height: 360, ground: paint.sky },
  <>
    <Cloud x={180} y={70} scale={0.8} />
    <Cloud x={430} y={50} scale={0.6} />
    <FarTrees x={0} y={216} width={480} />
    <Krishnachura x={226} y={222} scale={0.6} />
    <Hall x={360} y={222} scale={0.82} />
    <Fill d="M0 216h480v144h-480z" colour={paint.lawn} />
    <Fill
      d="M-10 372C60 290 180 350 262 318C350 284 250 262 352 220H372C330 262 430 290 330 336C250 374 120 340 70 372z"
      colour={paint.road}
    />
    <path d={way} stroke={paint.line} strokeWidth="10" />
    <path d={way} stroke={paint.rani} strokeWidth="5" strokeDasharray="12 11" />
    <GroundShadow x={108} y={332} rx={46} ry={7} />
    <Pin x={168} y={330} size={74} colour={paint.leaf} />
    <Pin x={360} y={226} size={104} />
    <Person x={100} y={330} r={26} pose="phone" look={looks.hijabi} holding={<HeldPhone />} />
  </>,
);

/** Step 3: the rider arrives with a second helmet. */
const meet = drawing(
  { name: "step-3", width: 480, height: 360, ground: paint.field },
  <>
    <Sun x={340} y={186} r={126} />
    <FarTrees x={0} y={284} width={480} />
    <Fill d="M0 278h480v24h-480z" colour={paint.lawn} />
    <Road y={300} width={480} height={60} />
    <Pin x={92} y={88} size={58} colour={paint.leaf} />
    <GroundShadow x={92} y={330} rx={44} ry={7} />
    <GroundShadow x={306} y={330} rx={140} ry={8} />
    <Motorbike
      x={208}
      y={330}
      scale={0.84}
      colour={paint.peacock}
      driver={<MotorbikeDriver look={{ ...looks.rider, top: paint.leaf }} />}
      passenger={
        <SpareHelmet x={22} y={-168} scale={1.1} colour={paint.marigold} peak={paint.rani} />
      }
    />
    <Person x={84} y={330} r={23} pose="wave" look={looks.pony} />
  </>,
);

/** Step 4: she pays with a coin or by phone, and both rate each other with stars. */
function payAndRate(cash: boolean) {
  const stars = (x: number) =>
    [0, 1, 2, 3, 4].map((i) => (
      <Star key={i} x={x + (i - 2) * 33} y={300 - (i - 2) ** 2 * 4} r={17} />
    ));
  return drawing(
    { name: "step-4", width: 480, height: 360, ground: paint.sky },
    <>
      <Bunting y={8} flags={11} size={30} sag={20} />
      <Rosette at={[112, 172]} r={94} count={24} fill={paint.rani} />
      <Rosette at={[368, 172]} r={94} count={24} fill={paint.peacock} />
      <Portrait
        x={112}
        y={172}
        r={78}
        look={{ ...looks.hijabi, headColour: paint.leaf, top: paint.marigold }}
        ground={paint.field}
      />
      <Place x={368} y={172} mirror>
        <Portrait x={0} y={0} r={78} look={looks.rider} ground={paint.field} />
      </Place>
      <path
        d="M196 128Q240 76 280 122M284 222Q240 270 200 228M284 106l-2 20-20-4M196 244l2-20 20 4"
        stroke={paint.wire}
        strokeWidth="6"
      />
      {cash ? (
        <Coin x={240} y={174} r={38} />
      ) : (
        <>
          <Handset x={216} y={130} width={48} height={88} bezel={5} screen={paint.paper} />
          <TickBadge x={240} y={174} r={17} />
        </>
      )}
      {stars(112)}
      {stars(368)}
    </>,
  );
}

/** A document that a driver must show, with its sign in a round seal. 0,0 is its center. */
function Paper({
  colour,
  children,
  ...place
}: At & { turn: number; colour: string; children: ReactNode }) {
  return (
    <Place {...place}>
      <path d="M-46-66H46q8 0 8 8V58q0 8-8 8H-46q-8 0-8-8V-58q0-8 8-8z" fill={paint.cream} />
      <Fill d="M-46-64H46q6 0 6 6v24H-52v-24q0-6 6-6z" colour={colour} />
      <path d="M-54-34H54" strokeWidth="3" />
      <Place y={-4}>{children}</Place>
      <path d="M-34 32H34M-34 48H10" strokeWidth="5" />
    </Place>
  );
}

const shield = "M240 26Q300 62 366 60Q372 236 240 326Q108 236 114 60Q180 62 240 26z";
const inner = "M240 50Q296 80 346 80Q344 220 240 298Q136 220 134 80Q184 80 240 50z";

/** The shield's dots: distance from its center, and depth. */
const nails = [
  [64, 66],
  [116, 104],
  [112, 152],
  [98, 200],
  [70, 248],
  [34, 286],
] as const;

/**
 * A rider with a helmet in front of a painted shield, surrounded by the three checked documents.
 */
const safety = drawing(
  { name: "safety", width: 480, height: 360, ground: paint.sky },
  <>
    <Paper x={74} y={150} turn={-12} colour={paint.leaf}>
      <circle cx="-16" cy="2" r="13" fill={paint.sky} strokeWidth="3" />
      <path d="M-28 18q12-10 24 0" strokeWidth="4" />
      <path d="M12-2h22M12 10h14" strokeWidth="4" />
    </Paper>
    <Paper x={406} y={150} turn={12} colour={paint.marigold}>
      <path
        d="M-32 14a9 9 0 1 0 18 0a9 9 0 1 0-18 0M14 14a9 9 0 1 0 18 0a9 9 0 1 0-18 0M-23 14l10-22h22l14 22M-2 14L9-8m-2-4h10"
        strokeWidth="4"
      />
    </Paper>
    <Paper x={406} y={284} turn={-6} colour={paint.rani}>
      <path
        d="M-28 8q0-24 28-24t28 24q-7-6-14 0q-7-6-14 0q-7-6-14 0q-7-6-14 0zM0 8v14q0 7 8 6"
        strokeWidth="4"
        fill={paint.marigold}
      />
    </Paper>
    <path d={shield} fill={paint.marigold} />
    <path d={inner} fill={paint.peacock} />
    <Flat fill={paint.rani}>
      {nails.flatMap(([side, y]) =>
        [240 - side, 240 + side].map((x) => <circle key={`${x}-${y}`} cx={x} cy={y} r="4.5" />),
      )}
    </Flat>
    <Rosette at={[240, 158]} r={92} count={24} fill={paint.rani} />
    <Portrait
      x={240}
      y={158}
      r={77}
      look={{ ...looks.rider, skin: paint.skin2, headColour: paint.marigold, top: paint.leaf }}
      ground={paint.field}
    />
    <Decal x={240} y={290} size={46} outer={paint.rani} inner={paint.marigold} />
    <TickBadge x={112} y={282} r={46} />
  </>,
);

/** The campus by its lake: hall, trees, students on their way, and the campus's vehicle. */
function about(vehicle: HeroVehicle) {
  return drawing(
    { name: "about", width: 640, height: 320, pen: 3.5, ground: paint.sky },
    <>
      <Cloud x={220} y={52} scale={0.8} />
      <Cloud x={590} y={64} scale={0.7} />
      <Sun x={408} y={130} r={100} />
      <Fill d="M0 204v-22q40-24 80-4t80-2t80 0t80 2t80-4t80 2t80 0t80 2v26z" colour={paint.far} />
      <Hall x={316} y={204} scale={1.08} />
      <Fill d="M0 200h640v120h-640z" colour={paint.lawn} />
      <Fill d="M296 200h40l46 44h-136z" colour={paint.road} />
      <RainTree x={84} y={222} scale={1.02} />
      <Krishnachura x={560} y={222} scale={1.02} />
      <Flat fill={paint.blossom}>
        <path d="M508 232a4 3 0 0 1 8 0zm40 6a4 3 0 0 1 8 0zm44-8a4 3 0 0 1 8 0zm-66 2a4 3 0 0 1 8 0z" />
      </Flat>
      <path d="M-10 330V268Q130 236 330 240Q520 240 650 266V330z" fill={paint.water} />
      <Fill
        d="M-10 268Q130 236 330 240Q520 240 650 266V258Q520 230 330 230Q130 228-10 256z"
        colour={paint.road}
      />
      <path d="M-10 256Q130 228 330 230Q520 230 650 258" strokeWidth="2.5" />
      <path d="M-10 268Q130 236 330 240Q520 240 650 266" />
      <Ripples d="M36 290h44M120 306h60M250 268h50M330 298h70M470 276h46M560 302h40" />
      {vehicle === "rickshaw" ? (
        <Rickshaw x={402} y={242} scale={0.33} passenger={null} />
      ) : (
        <Motorbike x={420} y={242} scale={0.36} />
      )}
      <Person x={196} y={238} r={9.5} pose="walk" look={looks.hijabi} />
      <Person
        x={232}
        y={237}
        r={9.5}
        pose="step"
        look={{ ...looks.student, backpack: paint.rani }}
      />
      {vehicle === "rickshaw" && (
        <>
          <Lotus x={196} y={300} scale={0.5} />
          <Lotus x={270} y={314} scale={0.4} />
          <Lotus x={512} y={308} scale={0.46} />
        </>
      )}
      <Part d="M60 312q14-10 36-4q-8 12-36 4zM420 296q14-8 32-3q-8 10-32 3z" fill={paint.leaf} />
    </>,
  );
}

/** A student at the gate with the app in hand. */
const joinUser = drawing(
  { name: "join-user", width: 360, height: 360, ground: paint.field },
  <>
    <Sun x={176} y={176} r={136} />
    <FarTrees x={0} y={296} width={360} />
    <Fill d="M0 294h360v66h-360z" colour={paint.lawn} />
    <GroundShadow x={160} y={336} rx={60} ry={8} />
    <Pin x={276} y={334} size={104} colour={paint.leaf} />
    <Person
      x={150}
      y={334}
      r={29}
      pose="phone"
      look={{
        ...looks.hijabi,
        headColour: paint.leaf,
        top: paint.peacock,
        backpack: paint.rani,
        skin: paint.skin2,
      }}
      holding={
        <Place scale={1.15}>
          <HeldPhone />
        </Place>
      }
    />
    <Tuft x={50} y={340} />
    <Tuft x={330} y={346} scale={0.8} />
  </>,
);

/** A rider on the motorbike, second helmet on the seat, hand raised. */
const joinRider = drawing(
  { name: "join-rider", width: 360, height: 360, ground: paint.sky },
  <>
    <Sun x={184} y={178} r={138} />
    <Fill d="M0 288h360v72h-360z" colour={paint.lawn} />
    <Road y={302} width={360} height={58} />
    <GroundShadow x={182} y={330} rx={140} ry={8} />
    <Motorbike
      x={80}
      y={330}
      scale={0.86}
      driver={
        <MotorbikeDriver
          r={22}
          look={{
            ...looks.rider,
            headColour: paint.marigold,
            top: paint.leaf,
            skin: paint.skin2,
          }}
          shoulder={[112, -210]}
          head={[126, -242]}
          farArm={{ elbow: [152, -180], hand: [190, -174] }}
          nearArm={{ elbow: [70, -206], hand: [58, -258] }}
        />
      }
      passenger={
        <SpareHelmet x={18} y={-168} scale={1.15} colour={paint.rani} peak={paint.marigold} />
      }
    />
  </>,
);

/** A campus's settings for the drawings of the landing page. */
export type LandingWishes = {
  heroVehicle: HeroVehicle;
  cash: boolean;
  services: readonly { id: keyof typeof services; status: "available" | "coming" }[];
};

export function landingPictures(wishes: LandingWishes): Picture[] {
  // Draws announced services in dusty colours.
  const offered = wishes.services.map(({ id, status }) => ({
    ...services[id],
    coming: status === "coming",
  }));
  const steps = [signUp, request, meet, payAndRate(wishes.cash)];
  const tiles = [match, track, pay(wishes.cash), fare];
  const sections = [safety, about(wishes.heroVehicle), joinUser, joinRider];
  return [...offered, ...steps, ...tiles, ...sections];
}
