/** Blog pictures of the posts on saving money. */
import type { ReactElement } from "react";
import { ClayBank, ColumnBook, Pencil, PinchHand, PriceTag } from "./objects.tsx";
import { Coin, Flower, Pin } from "./ornaments.tsx";
import { alongLine, Fill, Flat, GroundShadow, type Paint, Place, paint, path, polar, Shade, Sheet, scallopRing, scallopsThrough } from "./pen.tsx";
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

/** The month's columns on a chequered gamcha, with the coins counted out beside them. */
function Budget(): ReactElement {
  const warp = [0, 96, 192, 288, 384, 480];
  return (
    <Sheet width={480} height={320}>
      <Fill d="M0 0h480v320h-480z" colour={paint.field} />
      <Flat fill={paint.rani}>
        <path d={warp.map((at) => path`M${at - 24} 0h48v320h-48z`).join("")} fillOpacity=".3" />
        <path
          d={warp.map((at) => path`M0 ${at - 56}h480v48h-480z`).join("")}
          fillOpacity=".3"
        />
      </Flat>
      <path
        d={warp.map((at) => path`M${at + 48} 0v320M0 ${at + 16}h480`).join("")}
        stroke={paint.rani}
        strokeOpacity=".5"
        strokeWidth="3"
      />
      <ColumnBook x={50} y={38} turn={-5} scale={0.95} />
      <Coin x={398} y={66} r={40} />
      <Coin x={424} y={162} r={34} />
      <Coin x={398} y={252} r={34} />
      <Pencil x={190} y={262} turn={-24} scale={0.92} />
    </Sheet>
  );
}

/** One part of the receipt: 140 wide, 0,0 its upper left corner. */
function FarePart({ height, colour }: { height: number; colour: Paint }): ReactElement {
  return (
    <>
      <path d={path`M0 0h140v${height}h-140z`} fill={colour} />
      <Shade d={path`M0 0h34v${height}h-34z`} opacity={0.14} />
    </>
  );
}

/** A receipt cut into what the fare is made of; two hands hold up what they bid and what they ask. */
function FareParts(): ReactElement {
  const foot = alongLine([140, 52], [0, 52], 7);
  return (
    <Sheet width={480} height={320}>
      <Fill d="M0 0h480v320h-480z" colour={paint.leaf} />
      <path d={scallopRing([240, 160], 204, 204, 38)} fill={paint.leafLight} stroke="none" />
      <Place x={172} y={18} turn={-3}>
        <path d="M0 66V12Q0 0 12 0H128Q140 0 140 12V66z" fill={paint.cream} />
        <Shade d="M0 66V12Q0 0 12 0H34V66z" opacity={0.14} />
        <path d="M28 22H92M28 42H70" strokeWidth="7" strokeOpacity=".75" />
        <Coin x={112} y={36} r={17} />
      </Place>
      <Place x={168} y={96} turn={2}>
        <FarePart height={54} colour={paint.marigold} />
        <path d="M24 32a10 10 0 1 0 20 0a10 10 0 1 0-20 0m34 0a10 10 0 1 0 20 0a10 10 0 1 0-20 0M34 32l10-16h16l8 16M44 18l12 14" strokeWidth="3.4" />
        <path d="M94 27H122" strokeWidth="7" />
      </Place>
      <Place x={174} y={162} turn={-2}>
        <FarePart height={54} colour={paint.sky} />
        <circle cx="50" cy="27" r="17" fill={paint.cream} strokeWidth="3.4" />
        <path d="M50 16v11l8 5" strokeWidth="3.4" />
        <path d="M94 27H114" strokeWidth="7" />
      </Place>
      <Place x={168} y={230} turn={3}>
        <path d={`M0 0H140V52${scallopsThrough(foot, 0.55, 0)}z`} fill={paint.rani} />
        <Shade d="M0 0h34v52H0z" opacity={0.14} />
        <Pin x={50} y={46} size={40} colour={paint.marigold} />
        <path d="M94 27H122" stroke={paint.cream} strokeWidth="7" />
      </Place>
      <PinchHand x={98} y={124} scale={0.72} turn={-20} sleeve={paint.marigold} cuff={paint.cream}>
        <Place turn={20}>
          <PriceTag colour={paint.peacock} coins={2} turn={6} />
        </Place>
      </PinchHand>
      <PinchHand x={386} y={84} scale={0.72} turn={16} mirror skin={paint.skin2} sleeve={paint.rani}>
        <Place turn={16}>
          <PriceTag colour={paint.brick} coins={3} turn={4} />
        </Place>
      </PinchHand>
    </Sheet>
  );
}

export const moneyPictures: readonly Picture[] = [
  { name: "post-34", width: 480, height: 320, draw: OffPeak },
  { name: "post-14", width: 480, height: 320, draw: Budget },
  { name: "post-74", width: 480, height: 320, draw: FareParts },
];
