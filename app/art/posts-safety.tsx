/** Blog pictures of the safety posts. */
import type { ReactElement } from "react";
import { Pin, Twinkle } from "./ornaments.tsx";
import { looks, Person } from "./people.tsx";
import { Backdrop, Fill, Flat, GroundShadow, paint, Sheet, scallopRing } from "./pen.tsx";
import type { Picture } from "./picture.ts";
import { Hall, Hedge, StreetLamp } from "./scenery.tsx";

/** Two students under a street lamp on their way to the pick-up pin. */
function AfterDark(): ReactElement {
  return (
    <Sheet width={480} height={320}>
      <Fill d="M0 0h480v320h-480z" colour={paint.nightSky} />
      <Twinkle x={34} y={92} />
      <Twinkle x={150} y={30} r={6} />
      <Twinkle x={232} y={52} r={5} />
      <Twinkle x={292} y={24} />
      <Twinkle x={452} y={132} r={6} />
      <Flat>
        <path d={scallopRing([404, 66], 36, 36, 16)} fill={paint.light} />
        <path d="M404 34a32 32 0 1 0 22 55a36 36 0 0 1-22-55z" fill={paint.cream} />
      </Flat>
      <Backdrop opacity={0.5}>
        <Hall x={330} y={228} scale={0.86} />
      </Backdrop>
      <Flat>
        <Hedge x={-4} y={240} width={490} height={22} colour={paint.nightHedge} />
      </Flat>
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
      <Person
        x={248}
        y={288}
        r={22}
        pose="step"
        look={{ ...looks.student, backpack: paint.rani }}
      />
      <path d="M306 290H372" stroke={paint.light} strokeWidth="5" strokeDasharray="1 13" />
      <Pin x={408} y={290} size={86} colour={paint.leaf} />
    </Sheet>
  );
}

export const safetyPictures: readonly Picture[] = [
  { name: "post-12", width: 480, height: 320, scheme: "night", draw: AfterDark },
];
