/** Heads, with hair or what is worn on it; they stand alone in badges. */

import { dressFor, type Headwear, type Look } from "./looks.ts";
import {
  type At,
  Dots,
  Fill,
  type Paint,
  Part,
  Place,
  paint,
  round,
  Shade,
  scallopRing,
  Tube,
} from "./pen.tsx";
import { useMotifs } from "./picture.tsx";

/** A head centred on x, y; about 2r wide and high without hair. `expression` "dot" has open eyes, brows and a nose. */
export function Head({
  x,
  y,
  r,
  look = {},
  turn = 0,
  expression,
}: At & { r: number; look?: Look; turn?: number; expression?: "smile" | "dot" }) {
  const motifs = useMotifs();
  const { skin, headwear, headColour } = dressFor(motifs, look);
  const mood = expression ?? (r < 13 ? "none" : "smile");
  const pen = round((3.4 * 24) / r > 6 ? 6 : Math.max(3, (3.4 * 24) / r));
  const hooded = headwear === "hijab";
  return (
    <Place x={x} y={y} scale={r / 24} turn={turn}>
      <g strokeWidth={pen}>
        {(headwear === "pony" || headwear === "braid") && (
          <>
            <path
              d="M-12-26C-38-34-46-8-42 12C-41 24-42 34-46 42C-36 46-28 38-27 26C-26 12-28 2-16-6z"
              fill={paint.hair}
            />
            <path d="M-43 32q8 4 16 0" stroke={paint.rani} strokeWidth="6" />
          </>
        )}
        {headwear === "bun" && <circle cx="-22" cy="-24" r="13" fill={paint.hair} />}
        {headwear === "bobble" && <HairBelowHat />}
        {hooded ? (
          <Hijab colour={headColour} skin={skin} />
        ) : (
          <>
            <path
              d="M-20-4C-20-20-8-28 4-28C18-28 23-16 23-4C23 12 16 25 4 25C-10 25-20 12-20-4z"
              fill={skin}
            />
            {headwear !== "bobble" && <circle cx="-19" cy="4" r="5.5" fill={skin} />}
          </>
        )}
        <Face mood={mood} hooded={hooded} />
        <Hair headwear={headwear} headColour={headColour} />
      </g>
    </Place>
  );
}

/** The cloth and the face in it; its border comes with `Hair`. */
function Hijab({ colour, skin }: { colour: Paint; skin: Paint }) {
  return (
    <>
      <path
        d="M-30 36C-26 20-32 8-30-8C-28-26-14-36 4-36C24-36 32-20 31 0C30 16 34 24 22 34C8 44-14 44-30 36z"
        fill={colour}
      />
      <Shade d="M-30 36C-26 20-32 8-30-8C-28-20-22-28-14-32C-22-10-16 22-2 40C-14 42-24 40-30 36z" />
      <ellipse cx="6" cy="-1" rx="18.5" ry="22.5" fill={skin} />
    </>
  );
}

function Face({ mood, hooded }: { mood: "smile" | "dot" | "none"; hooded: boolean }) {
  if (mood === "none") return null;
  const eyes = {
    smile: "M-1 3q4-5 8 0M13 3q3-5 7 0",
    dot: "M3 2v1M16 2v1M-1-6q4-3 8-1M13-7q4-2 7 1M12 3l3 7h-4",
  }[mood];
  return (
    <>
      <circle
        cx={hooded ? -5 : -9}
        cy="11"
        r="5.5"
        fill={paint.rani}
        fillOpacity=".35"
        stroke="none"
      />
      <path d="M2 13q8 9 15-1" strokeWidth="2.8" />
      <path d={eyes} strokeWidth={mood === "smile" ? 2.8 : 2.4} />
      {mood === "dot" && <path d="M3 2v1M16 2v1" strokeWidth="5" />}
    </>
  );
}

function Hair({ headwear, headColour }: { headwear: Headwear; headColour: Paint }) {
  switch (headwear) {
    case "hijab":
      return (
        <>
          <Dots d="M-12 19C-20 2-16-24 4-30" colour={paint.marigold} width={4.5} every={9} />
          <path d="M-24 30q14-2 24 6" strokeWidth="2.6" />
        </>
      );
    case "helmet":
      return <Helmet colour={headColour} />;
    case "bobble":
      return <BobbleHat colour={headColour} />;
    case "cap":
      return (
        <>
          <path
            d="M-24-6C-28-24-12-34 4-34C18-34 26-26 25-14q12 0 17 5q-1 5-8 4C14-8-8-8-24-6z"
            fill={headColour}
          />
          <path d="M25-14q-24-3-44 2" strokeWidth="2.6" />
        </>
      );
    case "curly":
      return (
        <path
          d="M-24 8a9 9 0 0 1-6-13a9 9 0 0 1 3-14a10 10 0 0 1 13-11a11 11 0 0 1 18-4a11 11 0 0 1 17 6a9 9 0 0 1 5 14q-10 2-15-6q-6 7-13 5q-3 5-10 4q1 9-4 16q-2-3-8 3z"
          fill={paint.hair}
        />
      );
    case "pony":
    case "braid":
    case "bun":
      return (
        <path
          d="M-24 8C-34-16-18-35 5-33C20-32 28-20 24-5C14-8 5-15 1-23C-3-12-10-6-16-3C-15 2-17 5-18 6C-20 2-23 4-24 8z"
          fill={paint.hair}
        />
      );
    case "short":
      return (
        <path
          d="M-24 8C-32-14-20-35 5-34C22-34 29-22 24-8C16-8 9-11 4-18C-1-11-8-8-15-8C-13-1-16 5-18 6C-20 2-23 3-24 8z"
          fill={paint.hair}
        />
      );
  }
}

function Helmet({ colour }: { colour: Paint }) {
  return (
    <>
      <path d="M-10 20Q0 30 8 25" strokeWidth="3.4" />
      <path
        d="M-27 14C-38-18-18-39 6-39C26-39 35-26 35-12C20-14 8-14 2-10C-4-4-4 8-8 20C-18 22-25 20-27 14z"
        fill={colour}
      />
      <Shade d="M-27 14C-36-12-24-32-8-37C-20-18-18 2-14 21C-20 21-25 19-27 14z" />
      <path d="M-6-32q10-4 20-1" stroke={paint.cream} strokeWidth="4" />
      <HelmetPaint />
      <path d="M4-13L38-11q5 1 4 5q-1 3-6 3L10-8z" fill={colour} />
    </>
  );
}

/** What is painted on a helmet: a flower in the delta, else two stripes. */
function HelmetPaint() {
  if (useMotifs() !== "delta") return <HelmetStripes />;
  return (
    <Fill
      d="M-5-13q-9-3-8-10q8 0 8 10q-2-10 2-13q4 4 2 13q0-8 7-10q2 7-9 10z"
      colour={paint.cream}
    />
  );
}

/** Shoulder-long hair that shows under a hat, behind the face of a head of r 24. */
export function HairBelowHat() {
  return <path d="M-20-14C-34-8-36 16-31 30C-22 36-8 36 0 28L-12 0z" fill={paint.hair} />;
}

/** A knitted hat with its turned-up brim and bobble, on a head of r 24. */
export function BobbleHat({ colour }: { colour: Paint }) {
  return (
    <>
      <Part d={scallopRing([2, -43], 9, 9, 7, { jitter: 0.2 })} fill={paint.cream} />
      <path d="M-26-10C-30-30-16-40 2-40C22-40 31-28 27-9z" fill={colour} />
      <Shade d="M-26-10C-30-28-18-38-6-39C-16-30-15-20-13-10z" />
      <path d="M-6-20l3-15M8-21v-16M20-20l-3-13" strokeWidth="2.2" strokeOpacity=".55" />
      <Tube d="M-25-8Q2-18 27-8" width={9} colour={paint.cream} />
      <Dots d="M-22-9Q2-18 24-9" colour={colour} width={3} every={8} />
    </>
  );
}

/** A helmet's two stripes, where the first campus paints a flower. */
export function HelmetStripes() {
  return <path d="M-16-35Q-24-18-20 18M-8-38Q-15-20-12 4" stroke={paint.cream} strokeWidth="4" />;
}
