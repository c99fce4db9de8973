/** Blog pictures of the safety posts. */
import { Handset } from "./handset.tsx";
import { looks } from "./looks.ts";
import { AidBox, BigHelmet, BikeTail, PhoneHand, PlateSigns, WarningTriangle } from "./objects.tsx";
import { Pin, Rosette, TickBadge, Twinkle } from "./ornaments.tsx";
import { Backdrop, Fill, Flat, GroundShadow, Place, paint, path, polar } from "./pen.tsx";
import { Person, Portrait } from "./people.tsx";
import { drawing, type Picture } from "./picture.tsx";
import { FarTrees, Hall, Hedge, StreetLamp, Tuft } from "./scenery.tsx";
import { Motorbike } from "./vehicles.tsx";

/** Two students under a street lamp on their way to the pick-up pin. */
const afterDark = drawing(
  { name: "post-after-dark", width: 480, height: 320, ground: paint.nightSky },
  <>
    <Twinkle x={34} y={92} />
    <Twinkle x={150} y={30} r={6} />
    <Twinkle x={232} y={52} r={5} />
    <Twinkle x={292} y={24} />
    <Twinkle x={452} y={132} r={6} />
    <Flat>
      <Rosette at={[404, 66]} r={36} count={16} fill={paint.light} />
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
    <Person x={248} y={288} r={22} pose="step" look={{ ...looks.student, backpack: paint.rani }} />
    <path d="M306 290H372" stroke={paint.light} strokeWidth="5" strokeDasharray="1 13" />
    <Pin x={408} y={290} size={86} colour={paint.leaf} />
  </>,
);

const rays = Array.from({ length: 18 }, (_, index) => {
  const from = polar(index * 20 + 4, 330, [240, 160]);
  const to = polar(index * 20 + 14, 330, [240, 160]);
  return path`M240 160L${from}L${to}z`;
});

/** A painted helmet, its strap open, on the rays of a rickshaw's back-board. */
const helmetFirst = drawing(
  { name: "post-helmet", width: 480, height: 320, ground: paint.marigold },
  <>
    <Fill d={rays.join("")} colour={paint.marigoldLight} />
    <Rosette at={[240, 160]} r={206} count={40} fill={paint.cream} strokeWidth="3" />
    <circle cx="240" cy="160" r="184" fill={paint.field} stroke="none" />
    <BigHelmet x={226} y={152} scale={0.92} />
  </>,
);

/** The plate on the bike and the plate on the screen are the same. */
const checkFirst = drawing(
  { name: "post-number-plate", width: 480, height: 320, ground: paint.rani },
  <>
    <Flat fill={paint.cream}>
      <Rosette at={[136, 168]} r={190} count={34} fillOpacity=".14" />
      <Rosette at={[136, 168]} r={150} count={30} fillOpacity=".9" />
    </Flat>
    <Fill d="M0 276h480v44h-480z" colour={paint.road} />
    <path d="M-4 276H484" />
    <GroundShadow x={136} y={298} rx={76} ry={7} />
    <BikeTail x={136} y={298} scale={1.02} />
    <PhoneHand x={364} y={136} width={124} from={[96, 250]}>
      <Place x={-62} y={-112}>
        <Handset width={124} height={216} screen={paint.paper}>
          <Fill d="M7 7H117V62H7z" colour={paint.sky} />
          <Portrait x={62} y={66} r={31} look={looks.rider} ground={paint.field} />
          <path
            d="M18 106H106q6 0 6 6v36q0 6-6 6H18q-6 0-6-6V112q0-6 6-6z"
            fill={paint.cream}
            strokeWidth="3"
          />
          <PlateSigns x={62} y={130} scale={0.68} />
          <path d="M32 182H92" stroke={paint.leaf} strokeWidth="11" />
        </Handset>
      </Place>
    </PhoneHand>
    <TickBadge x={250} y={96} r={34} />
  </>,
);

/** Off the road and safe: the bike on its stand, the triangle out, the first-aid box at hand. */
const firstMinutes = drawing(
  { name: "post-warning-triangle", width: 480, height: 320, ground: paint.clay },
  <>
    <Flat fill={paint.marigold}>
      <Rosette at={[196, 190]} r={168} count={32} fillOpacity=".45" />
      <Rosette at={[196, 190]} r={128} count={28} fillOpacity=".55" />
    </Flat>
    <FarTrees x={0} y={226} width={480} size={64} colour={paint.wood} />
    <Fill d="M0 224h480v96h-480z" colour={paint.lawn} />
    <Fill d="M0 262h480v58h-480z" colour={paint.road} />
    <path d="M-4 262H484" />
    <Tuft x={420} y={258} />
    <Tuft x={26} y={256} scale={0.8} />
    <GroundShadow x={206} y={284} rx={150} ry={7} />
    <path d="M204 238L186 284h-14" strokeWidth="8" />
    <Motorbike
      x={96}
      y={284}
      scale={0.92}
      colour={paint.peacock}
      driver={null}
      passenger={null}
      pane={paint.sky}
    />
    <GroundShadow x={400} y={302} rx={62} ry={6} />
    <WarningTriangle x={400} y={302} scale={1} />
    <GroundShadow x={92} y={308} rx={62} ry={6} />
    <AidBox x={92} y={308} scale={0.94} />
  </>,
);

export const safetyPictures: readonly Picture[] = [
  afterDark,
  helmetFirst,
  checkFirst,
  firstMinutes,
];
