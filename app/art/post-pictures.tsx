/** The pictures that blog posts can use: `picture: helmet` shows the drawing post-helmet. */
import { Handset, MapHall, MapRoads, MapTree, RiderDot, Route } from "./handset.tsx";
import { type Look, looks } from "./looks.ts";
import {
  AidBox,
  AlarmClock,
  BigHelmet,
  BikeKey,
  BikeTail,
  CampusGate,
  Candle,
  ClayBank,
  ColumnBook,
  GraduationCap,
  GuidePost,
  LicenceCard,
  Pencil,
  PhoneHand,
  PinchHand,
  PlateSigns,
  PowerBank,
  PriceTag,
  Satellite,
  SchoolBag,
  Scissors,
  Tiffin,
  WarningTriangle,
} from "./objects.tsx";
import {
  Bunting,
  Coin,
  Flower,
  Fringe,
  Pin,
  Rosette,
  Sun,
  TickBadge,
  Twinkle,
} from "./ornaments.tsx";
import {
  alongLine,
  Backdrop,
  Dots,
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
  scallopRing,
  scallopsThrough,
  Tube,
} from "./pen.tsx";
import { Person, Portrait } from "./people.tsx";
import { drawing, type Picture } from "./picture.tsx";
import {
  Cloud,
  FarTrees,
  Hall,
  Krishnachura,
  RainTree,
  Ripples,
  StreetLamp,
  Tuft,
} from "./scenery.tsx";
import { Motorbike, MotorbikePassenger, Rickshaw, RickshawPassenger } from "./vehicles.tsx";

/** Scalloped along the top. */
const hedge = `M-4 240v-22${"a11 11 0 0 1 19.6 0".repeat(25)}v22z`;

/** Two students under a street lamp on their way to the pick-up pin. */
const afterDark = drawing(
  { name: "post-after-dark", width: 480, height: 320, ground: paint.nightSky },
  <>
    <Twinkle x={34} y={92} />
    <Twinkle x={150} y={30} r={6} />
    <Twinkle x={232} y={52} r={5} />
    <Twinkle x={292} y={24} />
    <Twinkle x={452} y={132} r={6} />
    <Flat>
      <Rosette at={[404, 66]} r={36} count={16} fill={paint.light} />
      <path d="M404 34a32 32 0 1 0 22 55a36 36 0 0 1-22-55z" fill={paint.cream} />
    </Flat>
    <Backdrop opacity={0.5}>
      <Hall x={330} y={228} scale={0.86} />
    </Backdrop>
    <Fill d={hedge} colour={paint.nightHedge} />
    <Fill d="M0 238h480v82h-480z" colour={paint.nightGround} />
    <Flat fill={paint.light}>
      <path d="M84 62L18 282q130 30 272 0L122 62z" fillOpacity=".24" />
      <ellipse cx="156" cy="284" rx="156" ry="17" fillOpacity=".5" />
      <circle cx="408" cy="246" r="66" fillOpacity=".16" />
      <circle cx="408" cy="246" r="46" fillOpacity=".2" />
      <ellipse cx="408" cy="288" rx="36" ry="8" fillOpacity=".6" />
    </Flat>
    <StreetLamp x={52} y={280} scale={1.16} />
    <GroundShadow x={126} y={288} rx={44} ry={5} />
    <GroundShadow x={250} y={288} rx={46} ry={5} />
    <Person x={126} y={288} r={22} pose="walk" look={looks.hijabi} />
    <Person x={248} y={288} r={22} pose="step" look={{ ...looks.student, backpack: paint.rani }} />
    <path d="M306 290H372" stroke={paint.light} strokeWidth="5" strokeDasharray="1 13" />
    <Pin x={408} y={290} size={86} colour={paint.leaf} />
  </>,
);

const rays = Array.from({ length: 18 }, (_, index) => {
  const from = polar(index * 20 + 4, 330, [240, 160]);
  const to = polar(index * 20 + 14, 330, [240, 160]);
  return path`M240 160L${from}L${to}z`;
});

/** A painted helmet with its strap open, on the rays of a rickshaw's backboard. */
const helmetFirst = drawing(
  { name: "post-helmet", width: 480, height: 320, ground: paint.marigold },
  <>
    <Fill d={rays.join("")} colour={paint.marigoldLight} />
    <Rosette at={[240, 160]} r={206} count={40} fill={paint.cream} strokeWidth="3" />
    <circle cx="240" cy="160" r="184" fill={paint.field} stroke="none" />
    <BigHelmet x={226} y={152} scale={0.92} />
  </>,
);

/** The plate on the bike is the same as the one on the screen. */
const checkFirst = drawing(
  { name: "post-number-plate", width: 480, height: 320, ground: paint.rani },
  <>
    <Flat fill={paint.cream}>
      <Rosette at={[136, 168]} r={190} count={34} fillOpacity=".14" />
      <Rosette at={[136, 168]} r={150} count={30} fillOpacity=".9" />
    </Flat>
    <Fill d="M0 276h480v44h-480z" colour={paint.road} />
    <path d="M-4 276H484" />
    <GroundShadow x={136} y={298} rx={76} ry={7} />
    <BikeTail x={136} y={298} scale={1.02} />
    <PhoneHand x={364} y={136}>
      <Place x={-62} y={-112}>
        <Handset width={124} height={216} screen={paint.paper}>
          <Fill d="M7 7H117V62H7z" colour={paint.sky} />
          <Portrait x={62} y={66} r={31} look={looks.rider} ground={paint.field} />
          <Part d="M18 106H106q6 0 6 6v36q0 6-6 6H18q-6 0-6-6V112q0-6 6-6z" fill={paint.cream} />
          <PlateSigns x={62} y={130} scale={0.68} />
          <path d="M32 182H92" stroke={paint.leaf} strokeWidth="11" />
        </Handset>
      </Place>
    </PhoneHand>
    <TickBadge x={250} y={96} r={34} />
  </>,
);

/**
 * Safe beside the road: the bike on its stand, the warning triangle out, the first-aid box at hand.
 */
const firstMinutes = drawing(
  { name: "post-warning-triangle", width: 480, height: 320, ground: paint.clay },
  <>
    <Flat fill={paint.marigold}>
      <Rosette at={[196, 190]} r={168} count={32} fillOpacity=".45" />
      <Rosette at={[196, 190]} r={128} count={28} fillOpacity=".55" />
    </Flat>
    <FarTrees x={0} y={226} width={480} size={64} colour={paint.wood} />
    <Fill d="M0 224h480v96h-480z" colour={paint.lawn} />
    <Fill d="M0 262h480v58h-480z" colour={paint.road} />
    <path d="M-4 262H484" />
    <Tuft x={420} y={258} />
    <Tuft x={26} y={256} scale={0.8} />
    <GroundShadow x={206} y={284} rx={150} ry={7} />
    <path d="M204 238L186 284h-14" strokeWidth="8" />
    <Motorbike
      x={96}
      y={284}
      scale={0.92}
      colour={paint.peacock}
      driver={null}
      passenger={null}
      pane={paint.sky}
    />
    <GroundShadow x={400} y={302} rx={62} ry={6} />
    <WarningTriangle x={400} y={302} />
    <GroundShadow x={92} y={308} rx={62} ry={6} />
    <AidBox x={92} y={308} scale={0.94} />
  </>,
);

const centre = [316, 150] as const;
const hours = Array.from({ length: 12 }, (_, hour) => {
  const turn = hour * 30 - 90;
  return path`M${polar(turn, hour % 3 ? 92 : 86, centre)}L${polar(turn, 100, centre)}`;
});

/**
 * The sun as a clock with the hours from 11 to 4 painted, a clay bank, and a coin about to drop in.
 */
const offPeak = drawing(
  { name: "post-midday-sun", width: 480, height: 320, ground: paint.sky },
  <>
    <Cloud x={116} y={64} scale={0.8} />
    <Cloud x={462} y={52} scale={0.6} />
    <FarTrees x={0} y={256} width={480} />
    <Rosette at={centre} r={132} count={30} fill={paint.marigold} />
    <circle cx={centre[0]} cy={centre[1]} r="113" fill={paint.marigoldLight} strokeWidth="3" />
    <Part
      d={path`M${centre}L${polar(-120, 111.5, centre)}A111.5 111.5 0 0 1 ${polar(30, 111.5, centre)}z`}
      fill={paint.leaf}
    />
    <Dots
      d={path`M${polar(-112, 76, centre)}A76 76 0 0 1 ${polar(24, 76, centre)}`}
      colour={paint.marigoldLight}
      width={6}
      every={15.4}
    />
    <path d={hours.join("")} strokeWidth="4.5" />
    <path
      d={path`M${centre}L${polar(-36, 52, centre)}M${centre}L${polar(-90, 82, centre)}`}
      strokeWidth="6.5"
    />
    <circle cx={centre[0]} cy={centre[1]} r="9" fill={paint.rani} strokeWidth="3" />
    <path
      d={path`M${polar(-74, 123, centre)}A123 123 0 0 1 ${polar(-46, 123, centre)}`}
      stroke={paint.cream}
      strokeWidth="5"
    />
    <Fill d="M0 252h480v68h-480z" colour={paint.lawn} />
    <path d="M-4 252H484" />
    <Tuft x={280} y={288} scale={0.8} />
    <Tuft x={448} y={276} />
    <Flat>
      <Flower x={344} y={284} r={9} />
      <Flower x={402} y={302} r={9} colour={paint.rani} />
      <Flower x={236} y={306} r={7} />
    </Flat>
    <GroundShadow x={118} y={294} rx={92} ry={9} />
    <ClayBank x={118} y={294} scale={1.05} />
    <PinchHand x={104} y={92} scale={0.86} turn={14} skin={paint.skin2}>
      <g transform="rotate(-14)">
        <Coin x={20} y={20} r={32} />
      </g>
    </PinchHand>
  </>,
);

const warp = [0, 96, 192, 288, 384, 480];

/** The month's columns on a checkered gamcha, with coins counted out beside them. */
const budget = drawing(
  { name: "post-notebook", width: 480, height: 320, ground: paint.field },
  <>
    <Flat fill={paint.rani}>
      <path d={warp.map((at) => path`M${at - 24} 0h48v320h-48z`).join("")} fillOpacity=".3" />
      <path d={warp.map((at) => path`M0 ${at - 56}h480v48h-480z`).join("")} fillOpacity=".3" />
    </Flat>
    <path
      d={warp.map((at) => path`M${at + 48} 0v320M0 ${at + 16}h480`).join("")}
      stroke={paint.rani}
      strokeOpacity=".5"
      strokeWidth="3"
    />
    <ColumnBook x={50} y={38} turn={-5} scale={0.95} />
    <Coin x={398} y={66} r={40} />
    <Coin x={424} y={162} r={34} />
    <Coin x={398} y={252} r={34} />
    <Pencil x={190} y={262} turn={-24} scale={0.92} />
  </>,
);

/** One strip of the receipt, 156 wide; 0,0 is its upper left corner. */
function FarePart({ d, colour }: { d: string; colour: Paint }) {
  return (
    <>
      <path d={d} fill={colour} />
      <Fill d="M3 3H22V57H3z" colour={paint.line} opacity={0.15} />
    </>
  );
}

const strip = "M0 0H156V60H0z";
const foot = scallopsThrough(alongLine([156, 58], [0, 58], 8), 0.56);

/** A receipt cut into the parts of the fare; two hands hold up the offer and the asking price. */
const fareParts = drawing(
  { name: "post-cut-receipt", width: 480, height: 320, ground: paint.leaf },
  <>
    <Rosette at={[240, 160]} r={204} count={38} fill={paint.leafLight} stroke="none" />
    <Place x={160} y={22} turn={-4}>
      <FarePart d="M0 60V14Q0 0 14 0H142Q156 0 156 14V60z" colour={paint.cream} />
      <path d="M34 22H102M34 42H76" strokeWidth="7" strokeOpacity=".75" />
      <Coin x={126} y={31} r={19} />
    </Place>
    <Place x={166} y={92} turn={3}>
      <FarePart d={strip} colour={paint.marigold} />
      <path
        d="M34 36a11 11 0 1 0 22 0a11 11 0 1 0-22 0m36 0a11 11 0 1 0 22 0a11 11 0 1 0-22 0M45 36l11-18h15l10 18M55 20l14 14l4-14"
        strokeWidth="3.6"
      />
      <path d="M112 31H138" strokeWidth="7" />
    </Place>
    <Place x={160} y={170} turn={-3}>
      <FarePart d={strip} colour={paint.peacock} />
      <circle cx="62" cy="30" r="20" fill={paint.cream} strokeWidth="3.6" />
      <path d="M62 17v13l9 6" strokeWidth="4" />
      <path d="M112 30H130" stroke={paint.cream} strokeWidth="7" />
    </Place>
    <Place x={166} y={236} turn={3}>
      <FarePart d={`M0 58V0H156V58${foot}z`} colour={paint.rani} />
      <Pin x={62} y={54} size={46} colour={paint.marigold} />
      <path d="M112 30H138" stroke={paint.cream} strokeWidth="7" />
    </Place>
    <Scissors x={122} y={88} turn={-1} scale={0.92} />
    <PinchHand x={104} y={176} scale={0.86} turn={-12} sleeve={paint.marigold} cuff={paint.rani}>
      <Place turn={12}>
        <PriceTag colour={paint.cream} coins={2} turn={4} />
      </Place>
    </PinchHand>
    <PinchHand x={382} y={84} scale={0.86} turn={14} mirror skin={paint.skin2} sleeve={paint.rani}>
      <Place turn={14}>
        <PriceTag colour={paint.brick} coins={3} turn={6} />
      </Place>
    </PinchHand>
  </>,
);

/** Two people on a motorbike with helmets on; the passenger and a friend at the roadside wave. */
const goodManners = drawing(
  { name: "post-good-manners", width: 480, height: 320, ground: paint.field },
  <>
    <FarTrees x={0} y={222} width={480} size={52} />
    <Backdrop opacity={0.75}>
      <Krishnachura x={58} y={226} scale={0.92} />
      <RainTree x={448} y={228} scale={0.94} />
    </Backdrop>
    <Bunting y={2} sag={12} flags={14} size={24} />
    <Fill d="M0 222h480v98h-480z" colour={paint.lawn} />
    <Fill d="M0 256h480v64h-480z" colour={paint.road} />
    <path d="M-4 256H484" />
    <path d="M6 306H480" stroke={paint.cream} strokeWidth="4" strokeDasharray="26 22" />
    <Tuft x={338} y={252} scale={0.8} />
    <GroundShadow x={416} y={262} rx={40} ry={5} />
    <Person
      x={420}
      y={262}
      r={19}
      pose="wave"
      look={{ ...looks.pony, top: paint.marigold, hem: paint.rani, legs: paint.peacock }}
      mirror
    />
    <GroundShadow x={172} y={290} rx={156} ry={7} />
    <Motorbike
      x={76}
      y={290}
      scale={0.86}
      passenger={<MotorbikePassenger wave />}
      pane={paint.sky}
    />
  </>,
);

const courses = [40, 76, 112, 148, 184, 220];

/** The licence and the key in front of the motorbike that will soon take its first passenger. */
const becomingRider = drawing(
  { name: "post-licence-card", width: 480, height: 320, ground: paint.brick },
  <>
    <path
      d={courses
        .map((y, row) =>
          Array.from(
            { length: 9 },
            (_, brick) => path`M${brick * 60 + (row % 2) * 30} ${y - 36}v36`,
          ).join(""),
        )
        .join("")}
      strokeOpacity=".16"
      strokeWidth="3"
    />
    <path d={courses.map((y) => path`M0 ${y}h480`).join("")} strokeOpacity=".16" strokeWidth="3" />
    <Fill d="M0 236h480v84h-480z" colour={paint.road} />
    <path d="M-4 236H484" />
    <GroundShadow x={60} y={284} rx={170} ry={9} />
    <Motorbike x={-162} y={284} scale={1.22} driver={null} passenger={null} pane={paint.sky} />
    <PinchHand
      x={394}
      y={150}
      scale={0.8}
      turn={14}
      mirror
      skin={paint.skin2}
      sleeve={paint.marigold}
      cuff={paint.cream}
    >
      <Place mirror>
        <LicenceCard x={-104} y={-8} turn={-21} scale={1.2} />
      </Place>
    </PinchHand>
    <GroundShadow x={340} y={280} rx={96} ry={6} />
    <BikeKey x={336} y={256} turn={-5} scale={0.9} />
  </>,
);

/** Through the gate for the first time: places have pins, and a signpost names the rest. */
const newOnCampus = drawing(
  { name: "post-campus-gate", width: 480, height: 320, ground: paint.sky },
  <>
    <Cloud x={40} y={78} scale={0.7} />
    <Cloud x={440} y={96} scale={0.7} />
    <FarTrees x={0} y={250} width={480} size={60} />
    <Backdrop opacity={0.8}>
      <RainTree x={52} y={252} scale={0.82} />
      <Krishnachura x={430} y={252} scale={0.9} />
    </Backdrop>
    <Fill d="M0 248h480v72h-480z" colour={paint.lawn} />
    <CampusGate x={238} y={260} scale={0.94}>
      <Fill d="M-66 0V-112L0-162L66-112V0z" colour={paint.field} />
      <FarTrees x={-66} y={-22} width={132} size={33} colour={paint.leafLight} />
      <Fill d="M-66 0V-24H66V0z" colour={paint.lawn} />
      <Fill d="M-44 4L-8-24H8L44 4z" colour={paint.road} />
    </CampusGate>
    <Fill d="M176 263H300L420 320H60z" colour={paint.road} />
    <path d="M238 274V292M238 306V330" stroke={paint.cream} strokeWidth="5" />
    <Pin x={238} y={248} size={92} colour={paint.rani} />
    <Pin x={118} y={77} size={58} colour={paint.leaf} />
    <Pin x={358} y={77} size={58} colour={paint.marigold} />
    <GroundShadow x={92} y={300} rx={36} ry={5} />
    <Person
      x={92}
      y={300}
      r={17}
      pose="reach"
      look={{
        ...looks.pony,
        top: paint.rani,
        legs: paint.cream,
        backpack: paint.peacock,
      }}
    />
    <GroundShadow x={410} y={304} rx={30} ry={5} />
    <GuidePost x={408} y={304} scale={0.96} />
  </>,
);

/** A phone with the route and the small bike on it, tracked by a satellite. */
const liveTracking = drawing(
  { name: "post-live-map", width: 480, height: 320, ground: paint.peacock },
  <>
    <Flat fill={paint.cream}>
      {[290, 230, 172].map((r) => (
        <circle key={r} cx="262" cy="176" r={r} fillOpacity=".07" />
      ))}
    </Flat>
    <path d="M104 100L190 150" stroke={paint.cream} strokeWidth="5" strokeDasharray="1 13" />
    <Place x={172} y={22} turn={8}>
      <Handset width={206} height={412}>
        <Flat>
          <path d="M12 12h70q14 54-16 78T12 96z" fill={paint.lawn} />
          <path d="M194 176q-50 0-58 34t18 58t40 12z" fill={paint.water} />
        </Flat>
        <Ripples d="M162 204h20M154 228h28" />
        <MapRoads d="M12 142H194M94 12V320M94 60H194M12 256H94" width={14} />
        <Route d="M46 256H94V60H158" width={8} />
        <MapTree x={50} y={72} scale={1.3} />
        <MapTree x={48} y={134} scale={1.1} />
        <MapHall x={148} y={132} scale={1.25} />
        <MapTree x={138} y={306} colour={paint.blossom} scale={1.2} />
        <MapTree x={60} y={206} scale={0.8} />
        <Pin x={46} y={258} size={50} colour={paint.leaf} />
        <Pin x={160} y={62} size={50} />
        <RiderDot x={94} y={166} r={26} />
      </Handset>
    </Place>
    <Satellite x={76} y={76} scale={0.92} turn={-28} />
  </>,
);

/** A power cut: the lamp is off, the candle burns, and the phone charges from a power bank. */
const powerCut = drawing(
  { name: "post-power-cut", width: 480, height: 320, ground: paint.inside },
  <>
    <Backdrop opacity={0.9}>
      <path d="M288 22H456V176H288z" fill={paint.wood} />
      <path d="M298 32H446V166H298z" fill={paint.nightSky} />
      <Twinkle x={326} y={60} r={8} />
      <Twinkle x={392} y={88} r={6} />
      <Twinkle x={424} y={52} r={7} />
      <Flat fill={paint.nightHedge}>
        <path d="M298 166V140q14-16 28 0q12-22 30 0q16-16 30 0q14-20 32 0q14-12 28 2v24z" />
      </Flat>
      <path d="M335 32V166M372 32V166M409 32V166" strokeWidth="5" />
    </Backdrop>
    <Flat fill={paint.light}>
      <Rosette at={[120, 128]} r={150} count={30} fillOpacity=".12" />
      <Rosette at={[120, 128]} r={104} count={24} fillOpacity=".2" />
      <Rosette at={[120, 128]} r={62} count={18} fillOpacity=".38" />
    </Flat>
    <path d="M214-4V10" strokeWidth="5" />
    <path d="M202 8h24v16h-24z" fill={paint.tyreFar} />
    <path
      d="M202 24q-16 14-14 28q4 22 26 22t26-22q2-14-14-28z"
      fill={paint.metal}
      fillOpacity=".5"
    />
    <path d="M206 28l4 22 4-8 4 8 4-22" strokeWidth="2.6" />
    <Fill d="M0 246h480v74h-480z" colour={paint.brick} />
    <path d="M-4 246H484" />
    <ellipse cx="140" cy="270" rx="170" ry="20" fill={paint.light} fillOpacity=".3" stroke="none" />
    <GroundShadow x={100} y={274} rx={64} ry={7} />
    <Candle x={116} y={272} scale={1.04} />
    <GroundShadow x={404} y={280} rx={72} ry={7} />
    <Place x={226} y={98} turn={-4}>
      <Handset width={112} height={190} screen={paint.nightSky}>
        <Rosette at={[56, 96]} r={40} count={16} fill={paint.peacock} stroke="none" />
        <path
          d="M42 66h28v-10h-28zM38 66H74q6 0 6 6v52q0 6-6 6H38q-6 0-6-6V72q0-6 6-6z"
          fill={paint.cream}
        />
        <Fill d="M37 98H75V122q0 3-3 3H40q-3 0-3-3z" colour={paint.leafLight} />
        <Part d="M60 72L44 100H56L51 122L69 94H57z" fill={paint.marigold} />
        <path d="M38 154h36" stroke={paint.cream} strokeWidth="6" />
      </Handset>
    </Place>
    <Tube
      d="M290 286C294 306 330 308 338 290C344 268 336 256 352 254"
      width={5}
      colour={paint.cream}
    />
    <path d="M289 276v14" strokeWidth="13" />
    <path d="M346 253h10" strokeWidth="15" />
    <PowerBank x={410} y={280} scale={0.98} />
  </>,
);

/** A window curtain tied back at its side, hanging from 0,0 to the right and down. */
const curtain = (
  <>
    <path d="M0 0H92C92 70 74 118 26 150C40 176 46 206 46 246H0z" fill={paint.rani} />
    <Shade d="M0 0H30C34 60 24 110 8 146C16 176 18 204 18 246H0z" />
    <path d="M58 8C60 62 48 104 22 138M30 168q8 28 8 56" strokeWidth="2.6" />
    <Dots d="M80 14C78 70 62 108 24 138" colour={paint.marigold} width={7} every={17} />
    <Tube d="M-2 146Q16 154 32 144" width={9} colour={paint.marigold} />
  </>
);

/** Packed the evening before: clock, tiffin and bag on the sill at sunrise. */
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
      {curtain}
    </Place>
    <Place x={438} y={28} mirror>
      {curtain}
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

/**
 * The sheet of clear plastic that hangs from the hood over the knees; the origin is the rickshaw's.
 */
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

/** Slanting rain: short strokes in rows, away from the edges so that none is cut off. */
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

/** The rickshaw with its rain sheet down, driving through puddles under a heavy sky. */
const monsoon = drawing(
  { name: "post-monsoon", width: 480, height: 320, ground: paint.water },
  <>
    <FarTrees x={0} y={232} width={480} size={58} />
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
      driver={inRain}
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

/** From the saddle: the road ahead, and the graduation cap hung on the handlebar. */
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

export const postPictures: readonly Picture[] = [
  afterDark,
  helmetFirst,
  checkFirst,
  firstMinutes,
  offPeak,
  budget,
  fareParts,
  goodManners,
  becomingRider,
  newOnCampus,
  liveTracking,
  powerCut,
  earlyClass,
  monsoon,
  leavingWell,
];
