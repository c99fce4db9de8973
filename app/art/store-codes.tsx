/** QR codes of the app in each store, so that a reader at a desk can open it on a phone. */
import { encode } from "uqr";
import { paint } from "./pen.tsx";
import { drawing, type Picture } from "./picture.tsx";

/** Width of the quiet zone around the code in modules; ISO/IEC 18004 requires four. */
const quiet = 4;

export function storeCodes(addresses: readonly string[]): Picture[] {
  return addresses.map((address, index) => {
    const { data, size } = encode(address, { ecc: "M", border: 0 });
    const side = size + 2 * quiet;
    // One stroke for each line of dark modules.
    const strokes = data.flatMap((row, y) =>
      [
        ...row
          .map((dark) => (dark ? "#" : " "))
          .join("")
          .matchAll(/#+/g),
      ].map(({ 0: { length }, index: x }) => `M${x + quiet} ${y + quiet + 0.5}h${length}`),
    );
    const code = drawing(
      // Cameras expect dark on light.
      { name: `store-${index}`, width: side, height: side, scheme: "day" },
      <>
        <path d={`M0 0h${side}v${side}H0z`} fill={paint.cream} stroke="none" />
        <path d={strokes.join("")} strokeWidth={1} strokeLinecap="butt" />
      </>,
    );
    return { ...code, width: side * 4, height: side * 4 };
  });
}
