/** How people dress where the drawings are of another place than the first campus. */
import type { ReactElement } from "react";
import type { Motifs } from "./motifs.ts";
import { type Paint, paint, Shade, scallopRing } from "./pen.tsx";
import type { Look } from "./people.tsx";

/** The same person as somebody who lives elsewhere: by a lake in coat and woollen hat, else in a shirt. */
export function dressFor(motifs: Motifs, look: Look): Look {
  if (motifs === "delta") return look;
  const tunic = look.cut === "kameez" || look.cut === "panjabi";
  const hooded = look.headwear === "hijab";
  const legs = tunic ? paint.jeans : look.legs;
  const { hem, scarf, ...own } = look;
  const plain: Look = { ...own, legs, ...(look.shoes === paint.rani && { shoes: paint.cream }) };
  if (motifs === "plain") {
    return {
      ...plain,
      ...(tunic && { cut: "shirt" as const }),
      ...(hooded && { headwear: "bun" as const }),
    };
  }
  return {
    ...plain,
    sleeves: "long",
    ...(tunic && { cut: "coat" as const }),
    ...(hooded && { headwear: "bobble" as const }),
    // A hat is warm enough at its size; who has none, and no helmet, wears a scarf.
    ...(tunic && !hooded && { scarf: scarf ?? paint.cream }),
  };
}

/** Shoulder-long hair that shows under a hat, behind the face of a head of r 24. */
export function HairBelowHat(): ReactElement {
  return <path d="M-20-14C-34-8-36 16-31 30C-22 36-8 36 0 28L-12 0z" fill={paint.hair} />;
}

/** A knitted hat with its turned-up brim and bobble, on a head of r 24. */
export function BobbleHat({ colour }: { colour: Paint }): ReactElement {
  return (
    <>
      <path
        d={scallopRing([2, -43], 9, 9, 7, { jitter: 0.2 })}
        fill={paint.cream}
        strokeWidth="3"
      />
      <path d="M-26-10C-30-30-16-40 2-40C22-40 31-28 27-9z" fill={colour} />
      <Shade d="M-26-10C-30-28-18-38-6-39C-16-30-15-20-13-10z" />
      <path d="M-6-20l3-15M8-21v-16M20-20l-3-13" strokeWidth="2.2" strokeOpacity=".55" />
      <path d="M-25-8Q2-18 27-8" strokeWidth="15" />
      <path d="M-25-8Q2-18 27-8" stroke={paint.cream} strokeWidth="9" />
      <path d="M-22-9Q2-18 24-9" stroke={colour} strokeWidth="3" strokeDasharray="0 8" />
    </>
  );
}

/** A helmet's two stripes, where the first campus paints a flower. */
export function HelmetStripes(): ReactElement {
  return <path d="M-16-35Q-24-18-20 18M-8-38Q-15-20-12 4" stroke={paint.cream} strokeWidth="4" />;
}
