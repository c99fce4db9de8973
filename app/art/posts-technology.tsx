/** Blog pictures of the technology posts. */
import { Handset, MapHall, MapRoads, MapTree, RideEnds, RiderDot, Route } from "./handset.tsx";
import { Candle, PowerBank, Satellite } from "./objects.tsx";
import { Rosette, Twinkle } from "./ornaments.tsx";
import { Backdrop, Fill, Flat, GroundShadow, Place, paint, Tube } from "./pen.tsx";
import { drawing, type Picture } from "./picture.tsx";
import { Ripples } from "./scenery.tsx";

/** A phone with the route and the small bike on it, heard by a satellite. */
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
        <Ripples
          at={[
            [162, 204, 20],
            [154, 228, 28],
          ]}
        />
        <MapRoads d="M12 142H194M94 12V320M94 60H194M12 256H94" width={14} />
        <Route d="M46 256H94V60H158" width={8} />
        <MapTree x={50} y={72} scale={1.3} />
        <MapTree x={48} y={134} scale={1.1} />
        <MapHall x={148} y={132} scale={1.25} />
        <MapTree x={138} y={306} colour={paint.blossom} scale={1.2} />
        <MapTree x={60} y={206} scale={0.8} />
        <RideEnds from={[46, 258]} to={[160, 62]} size={50} />
        <RiderDot x={94} y={166} r={26} />
      </Handset>
    </Place>
    <Satellite x={76} y={76} scale={0.92} turn={-28} />
  </>,
);

/** A power cut: the lamp is out, the candle burns, and the phone drinks from a power bank. */
const powerCut = drawing(
  { name: "post-power-cut", width: 480, height: 320, ground: paint.inside },
  <>
    <NightWindow />
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
    <Flat fill={paint.light}>
      <ellipse cx="140" cy="270" rx="170" ry="20" fillOpacity=".3" />
    </Flat>
    <GroundShadow x={100} y={274} rx={64} ry={7} />
    <Candle x={116} y={272} scale={1.04} />
    <GroundShadow x={404} y={280} rx={72} ry={7} />
    <Place x={226} y={98} turn={-4}>
      <Handset width={112} height={190} screen={paint.nightSky}>
        <path d="M30 62H76q6 0 6 6v46q0 6-6 6H36" stroke="none" />
        <Flat>
          <Rosette at={[56, 96]} r={40} count={16} fill={paint.peacock} />
        </Flat>
        <path
          d="M42 66h28v-10h-28zM38 66H74q6 0 6 6v52q0 6-6 6H38q-6 0-6-6V72q0-6 6-6z"
          fill={paint.cream}
        />
        <Fill d="M37 98H75V122q0 3-3 3H40q-3 0-3-3z" colour={paint.leafLight} />
        <path d="M60 72L44 100H56L51 122L69 94H57z" fill={paint.marigold} strokeWidth="3" />
        <path d="M38 154h36" stroke={paint.cream} strokeWidth="6" />
      </Handset>
    </Place>
    <Tube
      d="M290 286C294 306 330 308 338 290C344 268 336 256 352 254"
      width={5}
      colour={paint.cream}
      edge={3}
    />
    <path d="M289 276v14" strokeWidth="13" />
    <path d="M346 253h10" strokeWidth="15" />
    <PowerBank x={410} y={280} scale={0.98} />
  </>,
);

function NightWindow() {
  return (
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
  );
}

export const technologyPictures: readonly Picture[] = [liveTracking, powerCut];
