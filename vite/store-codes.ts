import { encode } from "uqr";
import type { Slot } from "./picture-slots.ts";

/** Width of the quiet zone around the code, in modules. ISO/IEC 18004 requires four. */
const margin = 4;

/** Draws a QR code for each store, for visitors at a computer to open the app's page on a phone. */
export function drawStoreCodes(addresses: readonly string[]): { slot: Slot; svg: string }[] {
  return addresses.map((address, index) => {
    const { data, size } = encode(address, { ecc: "M", border: 0 });
    const side = size + 2 * margin;
    // Draw each run of dark modules as one stroke.
    const strokes = data.flatMap((row, y) =>
      [
        ...row
          .map((dark) => (dark ? "#" : " "))
          .join("")
          .matchAll(/#+/g),
      ].map(({ 0: { length }, index: x }) => `M${x + margin} ${y + margin + 0.5}h${length}`),
    );
    return {
      slot: {
        name: `store-${index}`,
        art: `store-${index}`,
        width: side * 4,
        height: side * 4,
        // Cameras expect dark modules on a light background, even in dark mode.
        scheme: "day",
        where: "landing page, registration",
      },
      svg: `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${side} ${side}"><path d="M0 0h${side}v${side}H0z" fill="var(--art-cream)"/><path d="${strokes.join("")}" stroke="var(--art-line)"/></svg>`,
    };
  });
}
