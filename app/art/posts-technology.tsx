/** Blog pictures of the technology posts. */
import type { ReactElement } from "react";
import { Handset, MapHall, MapRoads, MapTree, RideEnds, RiderDot, Route } from "./handset.tsx";
import { Satellite } from "./objects.tsx";
import { Fill, Flat, Place, paint, Sheet } from "./pen.tsx";
import type { Picture } from "./picture.ts";
import { Ripples } from "./scenery.tsx";

/** A phone with the route and the small bike on it, heard by a satellite. */
function LiveTracking(): ReactElement {
  return (
    <Sheet width={480} height={320}>
      <Fill d="M0 0h480v320h-480z" colour={paint.peacock} />
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
    </Sheet>
  );
}

export const technologyPictures: readonly Picture[] = [
  { name: "post-8", width: 480, height: 320, draw: LiveTracking },
];
