/** Blog pictures of the lifestyle posts. */

import { type Look, looks } from "./looks.ts";
import { AlarmClock, GraduationCap, SchoolBag, Tiffin } from "./objects.tsx";
import { Fringe, Sun } from "./ornaments.tsx";
import {
  Fill,
  Flat,
  Glint,
  GroundShadow,
  Place,
  paint,
  path,
  Shade,
  scallopRing,
  Tube,
} from "./pen.tsx";
import { drawing, type Picture } from "./picture.tsx";
import { Cloud, FarTrees, Krishnachura, RainTree } from "./scenery.tsx";
import { Rickshaw, RickshawDriver, RickshawPassenger } from "./vehicles.tsx";

/** A window curtain tied back at its side, hanging from 0,0 to the right and down. */
function Curtain() {
  return (
    <>
      <path d="M0 0H92C92 70 74 118 26 150C40 176 46 206 46 246H0z" fill={paint.rani} />
      <Shade d="M0 0H30C34 60 24 110 8 146C16 176 18 204 18 246H0z" />
      <path d="M58 8C60 62 48 104 22 138M30 168q8 28 8 56" strokeWidth="2.6" />
      <path
        d="M80 14C78 70 62 108 24 138"
        stroke={paint.marigold}
        strokeWidth="7"
        strokeDasharray="0 17"
      />
      <Tube d="M-2 146Q16 154 32 144" width={9} colour={paint.marigold} />
    </>
  );
}

/** Packed the evening before: clock, tiffin and bag on the sill while the sun comes up. */
const earlyClass = drawing(
  { name: "post-morning-window", width: 480, height: 320, ground: paint.far },
  <>
    <path d="M66 26H414V282H66z" fill={paint.wood} />
    <Fill d="M80 40H400V282H80z" colour={paint.field} />
    <Sun x={226} y={200} r={106} />
    <FarTrees x={80} y={262} width={320} size={46} colour={paint.leafLight} />
    <path d="M80 40H400V282H80z" />
    <Tube d="M80 84H400" width={6} colour={paint.wood} />
    <Tube d="M30 24H450" width={8} colour={paint.marigold} edge={3.5} />
    <Place x={42} y={28}>
      <Curtain />
    </Place>
    <Place x={438} y={28} mirror>
      <Curtain />
    </Place>
    <Fill d="M0 268h480v52h-480z" colour={paint.brick} />
    <Fringe x={-8} y={283} width={496} scallop={41} band={paint.cream} cloth={paint.peacock} />
    <GroundShadow x={112} y={271} rx={76} ry={6} />
    <GroundShadow x={348} y={271} rx={116} ry={6} />
    <SchoolBag x={382} y={270} scale={1.06} />
    <Tiffin x={292} y={272} scale={0.84} />
    <AlarmClock x={110} y={271} scale={1.12} />
  </>,
);

/** The sheet of clear plastic that hangs from the hood over the knees; the origin is the rickshaw's. */
function RainSheet() {
  const d = "M60-274L112-262C108-214 128-150 140-84L124-74L20-78L26-150z";
  return (
    <>
      <path d={d} fill={paint.metal} fillOpacity=".62" />
      <path d="M84-262C80-200 96-140 104-84M108-240l8 60" stroke={paint.cream} strokeWidth="4" />
      <path d="M62-240q4 60 18 120" strokeWidth="2.4" strokeOpacity=".5" />
    </>
  );
}

/** Slanting rain: short strokes in rows, kept off the edges so that none is cut at its tip. */
function Rain({ rows, opacity = 0.8 }: { rows: readonly number[]; opacity?: number }) {
  const strokes = rows.map((y, row) =>
    Array.from({ length: 9 }, (_, index) => {
      const x = 22 + index * 54 + (row % 2) * 26 + ((index * 7 + row * 5) % 4) * 4;
      return path`M${x} ${y + ((index * 5 + row * 3) % 4) * 9}l-9 24`;
    }).join(""),
  );
  return (
    <path d={strokes.join("")} stroke={paint.cream} strokeOpacity={opacity} strokeWidth="3.5" />
  );
}

const inRain: Look = {
  ...looks.driver,
  headwear: "cap",
  headColour: paint.marigold,
  top: paint.marigold,
  sleeves: "long",
};

/** The rickshaw with its rain sheet down, through puddles, under a heavy sky. */
const monsoon = drawing(
  { name: "post-monsoon", width: 480, height: 320, ground: paint.water },
  <>
    <FarTrees x={0} y={232} width={480} size={58} colour={paint.far} />
    <MonsoonClouds />
    <Rain rows={[62, 108, 154, 196]} opacity={0.65} />
    <Fill d="M0 230h480v24h-480z" colour={paint.lawn} />
    <Fill d="M0 250h480v70h-480z" colour={paint.road} />
    <path d="M-4 250H484" />
    <Flat fill={paint.water}>
      <ellipse cx="112" cy="290" rx="116" ry="17" />
      <ellipse cx="352" cy="292" rx="112" ry="17" />
    </Flat>
    <path
      d="M30 294q30 12 74 11M210 288q-4-8-30-11M268 296q30 10 70 10M452 290q-8-9-34-11"
      stroke={paint.cream}
      strokeWidth="3"
    />
    <Rickshaw
      x={92}
      y={292}
      scale={0.88}
      hood={paint.leaf}
      body={paint.rani}
      pane={paint.sky}
      passenger={
        <>
          <RickshawPassenger />
          <RainSheet />
        </>
      }
      driver={<RickshawDriver look={inRain} />}
    />
    <Rain rows={[40, 128, 214]} />
    <path
      d="M34 280q-6-16-20-20M44 272q0-18-10-28M146 284q4-14 18-20M388 280q4-16 18-22M402 288q10-10 24-10"
      stroke={paint.cream}
      strokeWidth="4"
    />
    <Flat fill={paint.cream}>
      <circle cx="10" cy="248" r="3" />
      <circle cx="30" cy="234" r="3" />
      <circle cx="170" cy="252" r="3" />
      <circle cx="412" cy="248" r="3" />
      <circle cx="434" cy="272" r="3" />
    </Flat>
    <Glint d="M58 300h54M330 302h46" width={3} />
  </>,
);

function MonsoonClouds() {
  return (
    <Flat fill={paint.nightSky}>
      <path
        d={`${scallopRing([90, 0], 150, 52, 16)}${scallopRing([350, -6], 190, 64, 18)}`}
        fillOpacity=".55"
      />
      <path
        d={`${scallopRing([210, -14], 120, 48, 14)}${scallopRing([450, -10], 90, 44, 10)}`}
        fillOpacity=".6"
      />
    </Flat>
  );
}

/** From the saddle: the road ahead, and the cap that has done its work hung on the handlebar. */
const leavingWell = drawing(
  { name: "post-graduation", width: 480, height: 320, ground: paint.sky },
  <>
    <Cloud x={86} y={52} scale={0.9} />
    <Cloud x={398} y={66} scale={0.8} />
    <Sun x={240} y={150} r={104} />
    <FarTrees x={0} y={162} width={480} size={40} />
    <Fill d="M0 160h480v160h-480z" colour={paint.lawn} />
    <Fill d="M228 160H252L470 320H10z" colour={paint.road} />
    <path d="M228 160L10 320M252 160L470 320" strokeWidth="3" />
    <Fill d="M238 166h4l1 10h-6zM236 186h8l2 16h-12zM233 214h14l4 26h-22z" colour={paint.cream} />
    <RainTree x={128} y={196} scale={0.4} />
    <Krishnachura x={352} y={196} scale={0.42} />
    <RainTree x={430} y={240} scale={0.76} />
    <Krishnachura x={40} y={242} scale={0.8} />
    <path d="M96 236L86 176M384 236L394 176" strokeWidth="6" />
    <path d="M56 142H120q8 0 6 8l-6 24q-2 8-10 8H64q-8 0-9-8l-5-24q-2-8 6-8z" fill={paint.water} />
    <path d="M424 142H360q-8 0-6 8l6 24q2 8 10 8h46q8 0 9-8l5-24q2-8-6-8z" fill={paint.water} />
    <Glint d="M98 152h14M392 152h14" />
    <path d="M150 330Q170 262 240 258Q310 262 330 330z" fill={paint.rani} />
    <Tube
      d="M58 262Q110 228 160 250Q200 270 240 270Q280 270 320 250Q370 228 422 262"
      width={12}
      colour={paint.metal}
    />
    <path d="M46 270L98 243M434 270L382 243" strokeWidth="25" />
    <circle cx="240" cy="262" r="40" fill={paint.metal} />
    <circle cx="240" cy="262" r="29" fill={paint.cream} strokeWidth="3" />
    <path d="M240 239v5M220 248l4 4M260 248l-4 4M217 264h5M263 264h-5" strokeWidth="3.4" />
    <path d="M240 264L252 246" stroke={paint.rani} strokeWidth="5" />
    <circle cx="240" cy="264" r="5" fill={paint.line} stroke="none" />
    <GraduationCap x={372} y={210} turn={12} scale={0.92} />
  </>,
);

export const lifestylePictures: readonly Picture[] = [earlyClass, monsoon, leavingWell];
