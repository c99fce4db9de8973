/** Pictures of the landing page's first view: the vehicle, the phone, and the share image. */
import type { ReactNode } from "react";
import {
  type HeroVehicle,
  type HoodColour,
  type HoodMotif,
  hoodColours,
  hoodMotifs,
} from "../../campus-reader/choices.ts";
import { Handset, MapHall, MapRoads, MapTree, RiderDot, Route } from "./handset.tsx";
import { looks } from "./looks.ts";
import { Fringe, Pin, Star, Sun, Twinkle } from "./ornaments.tsx";
import { Fill, Flat, GroundShadow, type Paint, Place, paint } from "./pen.tsx";
import { Portrait } from "./people.tsx";
import { drawing, type Picture } from "./picture.tsx";
import { Ripples, Tuft } from "./scenery.tsx";
import { HoodCloth, HoodMotifs, Motif, Motorbike, Rickshaw } from "./vehicles.tsx";

/**
 * The scene on the street in the first view. The page draws sky, trees, verge and road from edge to
 * edge: the horizon is at 286, the curb at 336.
 */
function hero(vehicle: HeroVehicle) {
  return drawing(
    { name: "hero", width: 640, height: 400 },
    <>
      <g className="by-night">
        <Twinkle x={560} y={60} r={9} />
        <Twinkle x={616} y={132} r={6} />
        <Twinkle x={500} y={24} r={6} />
        <Twinkle x={44} y={30} r={7} />
        <Twinkle x={136} y={22} r={5} />
      </g>
      <clipPath id="horizon">
        <path d="M0 0h640v288h-640z" />
      </clipPath>
      <g clipPath="url(#horizon)">
        <Sun x={318} y={200} r={170} scallops={34} />
      </g>
      <GroundShadow x={548} y={322} rx={30} ry={5} />
      <Pin x={548} y={321} size={112} />
      <Tuft x={458} y={326} />
      <Tuft x={8} y={322} scale={0.8} />
      <GroundShadow x={236} y={366} rx={222} ry={9} />
      {vehicle === "rickshaw" ? (
        <Rickshaw {...stand} lamp />
      ) : (
        <Motorbike x={132} y={366} scale={1.12} />
      )}
      <g className="by-night">
        <Fill
          d="M393 188L640 344A80 12 0 0 1 482 352L393 205z"
          colour={paint.light}
          opacity={0.3}
        />
      </g>
    </>,
  );
}

/** Position of the rickshaw in the first view. */
const stand = { x: 110, y: 366, scale: 1.02 };

/** Rim colour of each hood colour. */
const rims: Record<HoodColour, Paint> = {
  rani: paint.marigold,
  marigold: paint.rani,
  peacock: paint.marigold,
  leaf: paint.rani,
};

const phone = drawing(
  { name: "phone", width: 280, height: 560, pen: 3.5 },
  <Handset width={280} height={560} bezel={16}>
    <Flat>
      <path d="M16 60q60-20 84 22t-22 76q-30 14-62 6z" fill={paint.lawn} />
      <path d="M264 216q-66-8-76 38t20 74q26 14 56 6z" fill={paint.water} />
      <path d="M16 330h70v50H16z" fill={paint.lawn} />
    </Flat>
    <Ripples d="M216 250h26M204 280h40M228 306h24" />
    <MapRoads
      d="M16 206H264M118 16V380M118 112Q190 96 204 130T264 152M16 316H118L176 380M176 16V108"
      width={15}
    />
    <Route d="M62 316H118V112Q190 96 204 130T228 146" width={7} />
    <MapHall x={64} y={286} scale={1.15} />
    <MapHall x={214} y={88} scale={1.2} />
    <MapTree x={58} y={112} scale={1.35} />
    <MapTree x={90} y={146} scale={0.95} />
    <MapTree x={150} y={68} />
    <MapTree x={164} y={196} colour={paint.blossom} scale={0.9} />
    <MapTree x={154} y={296} scale={1.1} />
    <MapTree x={42} y={376} />
    <MapTree x={226} y={376} colour={paint.blossom} />
    <Pin x={62} y={316} size={54} colour={paint.leaf} />
    <Pin x={230} y={146} size={54} />
    <RiderDot x={118} y={206} r={21} />
    <path d="M14 392q0-22 22-22H244q22 0 22 22v160H14z" fill={paint.paper} stroke={paint.wire} />
    <path d="M122 386h36" stroke={paint.mapLine} strokeWidth="5" />
    <Portrait x={62} y={432} r={29} look={looks.rider} />
    <path d="M104 418h66" stroke={paint.wire} strokeWidth="8" />
    {[108, 126, 144, 162, 180].map((x) => (
      <Star key={x} x={x} y={444} r={8} outline={0} />
    ))}
    <path
      d="M212 408h24q10 0 10 10v26q0 10-10 10h-24q-10 0-10-10v-26q0-10 10-10z"
      fill={paint.marigold}
    />
    <path d="M218 431h12" strokeWidth="5" />
    <path
      d="M48 480H232q16 0 16 16v12q0 16-16 16H48q-16 0-16-16v-12q0-16 16-16z"
      fill={paint.peacock}
    />
    <path d="M100 502h80" stroke={paint.cream} strokeWidth="7" />
  </Handset>,
);

/** A share image: the road below, the hood's fringe above, and the vehicle in front of the sun. */
function share(name: string, driven?: ReactNode): Picture {
  return drawing(
    { name, width: 1200, height: 630, pen: 5, ground: paint.field },
    <>
      {driven && <Sun x={900} y={320} r={250} scallops={38} />}
      <Fill d="M0 530h1200v100h-1200z" colour={paint.lawn} />
      <Fill d="M0 552h1200v78h-1200z" colour={paint.road} />
      <path d="M-6 552h1212" />
      <path d="M16 606h1200" stroke={paint.cream} strokeWidth="6" strokeDasharray="40 32" />
      {driven}
      <Fringe x={0} y={16} width={1200} scallop={50} />
    </>,
  );
}

function shareRickshaw(name: string, colour: HoodColour, motif: HoodMotif): Picture {
  return share(
    name,
    <>
      <GroundShadow x={830} y={586} rx={310} ry={12} />
      <Rickshaw
        x={648}
        y={584}
        scale={1.46}
        hood={paint[colour]}
        rim={rims[colour]}
        motif={motif}
      />
    </>,
  );
}

const shareMotorbike = share(
  "share",
  <>
    <GroundShadow x={850} y={586} rx={270} ry={12} />
    <Motorbike x={672} y={584} scale={1.5} />
  </>,
);

/**
 * One painted part of a hood, to be laid over the rickshaw of the first view. The colours are the
 * same in both schemes.
 */
function hoodPart(name: string, part: ReactNode): Picture {
  return drawing(
    { name: `hood-${name}`, width: 640, height: 400, scheme: "day" },
    <Place {...stand}>{part}</Place>,
  );
}

/** Every paint of the hood, for a campus whose rickshaw can be painted. */
const hoodPictures: readonly Picture[] = [
  ...hoodColours.map((colour) =>
    hoodPart(colour, <HoodCloth colour={paint[colour]} rim={rims[colour]} />),
  ),
  ...hoodMotifs.map((motif) => hoodPart(motif, <HoodMotifs motif={motif} />)),
  ...hoodMotifs.map((motif) =>
    drawing(
      { name: `motif-${motif}`, width: 64, height: 64, scheme: "day", pen: 3 },
      <Place x={32} y={motif === "star" ? 52 : 57} turn={-90}>
        <Motif motif={motif} />
      </Place>,
    ),
  ),
  ...hoodColours.flatMap((colour) =>
    hoodMotifs.map((motif) => shareRickshaw(`share-hood-${colour}-${motif}`, colour, motif)),
  ),
];

export function heroPictures(vehicle: HeroVehicle): Picture[] {
  const driven =
    vehicle === "rickshaw"
      ? [...hoodPictures, shareRickshaw("share", "rani", "lotus")]
      : [shareMotorbike];
  return [hero(vehicle), phone, ...driven, share("share-post")];
}
