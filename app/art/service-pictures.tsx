/** The services of a campus, on the road or still to come. */

import { looks } from "./looks.ts";
import { Flower, Rosette, Sun } from "./ornaments.tsx";
import {
  Backdrop,
  Fill,
  Flat,
  Glint,
  GroundShadow,
  Part,
  type Point,
  paint,
  Shade,
} from "./pen.tsx";
import { Person } from "./people.tsx";
import { drawing, type Picture } from "./picture.tsx";
import { Cloud, FarTrees, Hall, RainTree, Road, Tuft } from "./scenery.tsx";
import { Motorbike, Rickshaw } from "./vehicles.tsx";

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
function FoodBox() {
  return (
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
}

/** The light behind what a service is about. */
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
    <Motorbike x={116} y={330} scale={1.02} colour={paint.leaf} passenger={<FoodBox />} />
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
    <Flat fill={paint.marigold}>
      <path d="M188 152h26v8h-26zM281 146l24 3-1 8-24-3z" />
    </Flat>
    <Flower x={243} y={154} r={11} />
    <path d="M176 256l16-2m118 2l-16-2" strokeWidth="13" />
    <path d="M177 256l14-2m118 2l-14-2" stroke={paint.skin2} strokeWidth="8" />
  </>,
);

const services = { bike, rickshaw, food, assist };

/** The services of a campus: what is still to come is dusty. */
export function servicePictures(
  offered: readonly { id: keyof typeof services; status: "available" | "coming" }[],
): Picture[] {
  return offered.map(({ id, status }) => ({ ...services[id], coming: status === "coming" }));
}
