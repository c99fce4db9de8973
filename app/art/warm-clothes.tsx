/** What people wear where the drawings are of another place than the first campus. */
import { type Paint, paint, Shade, scallopRing, Tube } from "./pen.tsx";

/** Shoulder-long hair that shows under a hat, behind the face of a head of r 24. */
export function HairBelowHat() {
  return <path d="M-20-14C-34-8-36 16-31 30C-22 36-8 36 0 28L-12 0z" fill={paint.hair} />;
}

/** A knitted hat with its turned-up brim and bobble, on a head of r 24. */
export function BobbleHat({ colour }: { colour: Paint }) {
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
      <Tube d="M-25-8Q2-18 27-8" width={9} colour={paint.cream} />
      <path d="M-22-9Q2-18 24-9" stroke={colour} strokeWidth="3" strokeDasharray="0 8" />
    </>
  );
}

/** A helmet's two stripes, where the first campus paints a flower. */
export function HelmetStripes() {
  return <path d="M-16-35Q-24-18-20 18M-8-38Q-15-20-12 4" stroke={paint.cream} strokeWidth="4" />;
}
