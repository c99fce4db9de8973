/** The campus and its people: safety, the panorama of the about section, and the two ways to join. */
import type { ReactNode } from "react";
import type { HeroVehicle } from "./choices.ts";
import { HeldPhone } from "./handset.tsx";
import { looks } from "./looks.ts";
import { Decal, Lotus, Pin, Rosette, Sun, TickBadge } from "./ornaments.tsx";
import { type At, Fill, Flat, GroundShadow, Part, Place, paint } from "./pen.tsx";
import { Figure, Person, Portrait } from "./people.tsx";
import { drawing, type Picture } from "./picture.tsx";
import { Cloud, FarTrees, Hall, Krishnachura, RainTree, Ripples, Road, Tuft } from "./scenery.tsx";
import { Motorbike, Rickshaw, SpareHelmet } from "./vehicles.tsx";

/** A paper that a driver must show: its sign in a round seal. 0,0 is its middle. */
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

/** The shield's dots: how far from its middle, and how deep. */
const nails = [
  [64, 66],
  [116, 104],
  [112, 152],
  [98, 200],
  [70, 248],
  [34, 286],
] as const;

/** A rider with helmet before a painted shield; around it the three papers that were checked. */
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

const ripples = [
  [36, 290, 44],
  [120, 306, 60],
  [250, 268, 50],
  [330, 298, 70],
  [470, 276, 46],
  [560, 302, 40],
] as const;

/** The campus by its lake: hall, trees, students on the way, and what is driven there. */
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
      <Ripples at={ripples} />
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

/** A student by the gate with the app in hand. */
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
        <Figure
          r={22}
          look={{
            ...looks.rider,
            headColour: paint.marigold,
            top: paint.leaf,
            skin: paint.skin2,
          }}
          hip={[92, -140]}
          shoulder={[112, -210]}
          head={[126, -242]}
          seated
          farLeg={{ knee: [162, -116], ankle: [148, -56] }}
          nearLeg={{ knee: [154, -114], ankle: [132, -50] }}
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

export const campusPictures = (vehicle: HeroVehicle): Picture[] => [
  safety,
  about(vehicle),
  joinUser,
  joinRider,
];
