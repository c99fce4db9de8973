/** For each shop that has the app a code that a phone's camera reads: who sits at a desk takes the address along. */
import { encode } from "uqr";
import { paint } from "./pen.tsx";
import { drawing, type Picture } from "./picture.tsx";

/** Modules around the code that stay free, so that it is found: ISO/IEC 18004 asks for four. */
const quiet = 4;

export function storeCodes(addresses: readonly string[]): Picture[] {
  return addresses.map((address, index) => {
    const { data, size } = encode(address, { ecc: "M", border: 0 });
    const side = size + 2 * quiet;
    // Each line of dark modules is one stroke.
    const strokes = data.flatMap((row, y) =>
      [
        ...row
          .map((dark) => (dark ? "#" : " "))
          .join("")
          .matchAll(/#+/g),
      ].map(({ 0: { length }, index: x }) => `M${x + quiet} ${y + quiet + 0.5}h${length}`),
    );
    const code = drawing(
      // Cameras read dark on light.
      { name: `store-${index}`, width: side, height: side, scheme: "day" },
      <>
        <path d={`M0 0h${side}v${side}H0z`} fill={paint.cream} stroke="none" />
        <path d={strokes.join("")} strokeWidth={1} strokeLinecap="butt" />
      </>,
    );
    return { ...code, width: side * 4, height: side * 4 };
  });
}
