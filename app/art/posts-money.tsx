/** Blog pictures of the posts on saving money. */
import type { ReactElement } from "react";
import { ClayBank, PinchHand } from "./objects.tsx";
import { Coin, Flower } from "./ornaments.tsx";
import { Fill, Flat, GroundShadow, paint, path, polar, Sheet, scallopRing } from "./pen.tsx";
import type { Picture } from "./picture.ts";
import { Cloud, FarTrees, Tuft } from "./scenery.tsx";

/** The sun as a clock with the hours from 11 to 4 painted, a clay bank, and a coin on its way in. */
function OffPeak(): ReactElement {
  const centre = [316, 150] as const;
  const hours = Array.from({ length: 12 }, (_, hour) => {
    const turn = hour * 30 - 90;
    return path`M${polar(turn, hour % 3 ? 92 : 86, centre)}L${polar(turn, 100, centre)}`;
  });
  return (
    <Sheet width={480} height={320}>
      <Fill d="M0 0h480v320h-480z" colour={paint.sky} />
      <Cloud x={116} y={64} scale={0.8} />
      <Cloud x={462} y={52} scale={0.6} />
      <FarTrees x={0} y={256} width={480} />
      <path d={scallopRing(centre, 132, 132, 30)} fill={paint.marigold} />
      <circle cx={centre[0]} cy={centre[1]} r="113" fill={paint.marigoldLight} strokeWidth="3" />
      <path
        d={path`M${centre}L${polar(-120, 111.5, centre)}A111.5 111.5 0 0 1 ${polar(30, 111.5, centre)}z`}
        fill={paint.leaf}
        strokeWidth="3"
      />
      <path
        d={path`M${polar(-112, 76, centre)}A76 76 0 0 1 ${polar(24, 76, centre)}`}
        stroke={paint.marigoldLight}
        strokeWidth="6"
        strokeDasharray="0 15.4"
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
    </Sheet>
  );
}

export const moneyPictures: readonly Picture[] = [
  { name: "post-34", width: 480, height: 320, draw: OffPeak },
];
