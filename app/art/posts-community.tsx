/** Blog pictures of the community posts. */
import type { ReactElement } from "react";
import { Bunting } from "./ornaments.tsx";
import { looks, Person } from "./people.tsx";
import { Backdrop, Fill, GroundShadow, paint, Sheet } from "./pen.tsx";
import type { Picture } from "./picture.ts";
import { FarTrees, Krishnachura, RainTree, Tuft } from "./scenery.tsx";
import { Motorbike, MotorbikePassenger } from "./vehicles.tsx";

/** Two on one motorbike, helmets on; the one on the back seat and a friend at the roadside wave. */
function GoodManners(): ReactElement {
  return (
    <Sheet width={480} height={320}>
      <Fill d="M0 0h480v320h-480z" colour={paint.field} />
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
      <Person x={420} y={262} r={19} pose="wave" look={{ ...looks.pony, top: paint.marigold, hem: paint.rani, legs: paint.peacock }} mirror />
      <GroundShadow x={172} y={290} rx={156} ry={7} />
      <Motorbike x={76} y={290} scale={0.86} passenger={<MotorbikePassenger wave />} pane={paint.sky} />
    </Sheet>
  );
}

export const communityPictures: readonly Picture[] = [
  { name: "post-57", width: 480, height: 320, draw: GoodManners },
];
