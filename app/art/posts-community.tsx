/** Blog pictures of the community posts. */

import { Head } from "./heads.tsx";
import { looks } from "./looks.ts";
import { BikeKey, CampusGate, GuidePost, LicenceCard, PinchHand } from "./objects.tsx";
import { Bunting, Pin } from "./ornaments.tsx";
import { Backdrop, Fill, GroundShadow, Place, paint, path, Tube } from "./pen.tsx";
import { Person } from "./people.tsx";
import { drawing, type Picture } from "./picture.tsx";
import { Cloud, FarTrees, Krishnachura, RainTree, Tuft } from "./scenery.tsx";
import { Motorbike, MotorbikePassenger } from "./vehicles.tsx";

/** Two on one motorbike, helmets on; the one on the back seat and a friend at the roadside wave. */
const goodManners = drawing(
  { name: "post-good-manners", width: 480, height: 320, ground: paint.field },
  <>
    <FarTrees x={0} y={222} width={480} size={52} />
    <Backdrop opacity={0.75}>
      <Krishnachura x={58} y={226} scale={0.92} />
      <RainTree x={448} y={228} scale={0.94} />
    </Backdrop>
    <Bunting x={-10} y={2} width={500} sag={12} flags={14} size={24} />
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

/** The licence and the key in front of the motorbike that is about to take its first passenger. */
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
        <LicenceCard x={-104} y={-8} turn={-21} scale={1.2}>
          <path d="M-84-18h66v68h-66z" fill={paint.sky} strokeWidth="3" />
          <path d="M-82 50q4-22 31-22q27 0 31 22z" fill={paint.rani} strokeWidth="3" />
          <Tube d="M-51 22v8" width={11} colour={paint.skin2} />
          <Head x={-52} y={9} r={17} look={{ skin: paint.skin2, headwear: "bun" }} />
        </LicenceCard>
      </Place>
    </PinchHand>
    <GroundShadow x={340} y={280} rx={96} ry={6} />
    <BikeKey x={336} y={256} turn={-5} scale={0.9} />
  </>,
);

/** Through the gate for the first time: places carry pins, a signpost says the rest. */
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
        headwear: "braid",
        top: paint.rani,
        cut: "kameez",
        legs: paint.cream,
        backpack: paint.peacock,
      }}
    />
    <GroundShadow x={410} y={304} rx={30} ry={5} />
    <GuidePost x={408} y={304} scale={0.96} />
  </>,
);

export const communityPictures: readonly Picture[] = [goodManners, becomingRider, newOnCampus];
