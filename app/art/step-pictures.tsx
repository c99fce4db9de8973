/** The four steps from signing up to rating each other. */
import { Handset, HeldPhone } from "./handset.tsx";
import { Head } from "./heads.tsx";
import { looks } from "./looks.ts";
import { Bunting, Coin, Decal, Pin, Rosette, Star, Sun, TickBadge } from "./ornaments.tsx";
import { Fill, GroundShadow, Part, Place, paint, Tube } from "./pen.tsx";
import { Person, Portrait } from "./people.tsx";
import { drawing, type Picture } from "./picture.tsx";
import { Cloud, FarTrees, Hall, Krishnachura, Road } from "./scenery.tsx";
import { Motorbike, MotorbikeDriver, SpareHelmet } from "./vehicles.tsx";

/** Step 1: an identity card on its ribbon in front of the phone, stamped as checked. */
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

/** Step 2: she stands at her pick-up pin, the way runs to the hall with the drop-off pin. */
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

/** Step 3: the rider has come with a second helmet. */
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

/** Step 4: the fare goes over, from hand to hand as a coin or from phone to phone, and each gives the other stars. */
function payAndRate(cash: boolean) {
  const stars = (x: number) =>
    [0, 1, 2, 3, 4].map((i) => (
      <Star key={i} x={x + (i - 2) * 33} y={300 - (i - 2) ** 2 * 4} r={17} />
    ));
  return drawing(
    { name: "step-4", width: 480, height: 360, ground: paint.sky },
    <>
      <Bunting x={-10} y={8} width={500} flags={11} size={30} sag={20} />
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

export const stepPictures = (cash: boolean): readonly Picture[] => [
  signUp,
  request,
  meet,
  payAndRate(cash),
];
