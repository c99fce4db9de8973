import { encode } from "fast-png";

/**
 * Encodes pixels (RGBA, opaque) as a PNG of at most 256 colours: flat drawings look the same at a
 * third of the size. The most frequent colours stay exact; each of the others, which only soften
 * edges, takes the nearest of them.
 */
export function palettePng(pixels: Uint8Array, width: number, height: number): Uint8Array {
  const colourAt = (index: number) =>
    ((pixels[index * 4] ?? 0) << 16) |
    ((pixels[index * 4 + 1] ?? 0) << 8) |
    (pixels[index * 4 + 2] ?? 0);
  const counts = new Map<number, number>();
  for (let index = 0; index < width * height; index++) {
    const colour = colourAt(index);
    counts.set(colour, (counts.get(colour) ?? 0) + 1);
  }
  const palette = [...counts]
    .sort((one, other) => other[1] - one[1])
    .slice(0, 256)
    .map(([colour]) => colour);
  const places = new Map([...counts.keys()].map((colour) => [colour, nearest(palette, colour)]));
  return encode(
    {
      width,
      height,
      channels: 1,
      data: new Uint8Array(width * height).map((_, index) => places.get(colourAt(index)) ?? 0),
      palette: palette.map((colour) => [colour >> 16, (colour >> 8) & 255, colour & 255]),
    },
    { zlib: { level: 8 } },
  );
}

function nearest(palette: number[], colour: number): number {
  let best = 0;
  let least = Number.POSITIVE_INFINITY;
  palette.forEach((candidate, place) => {
    const red = (candidate >> 16) - (colour >> 16);
    const green = ((candidate >> 8) & 255) - ((colour >> 8) & 255);
    const blue = (candidate & 255) - (colour & 255);
    const distance = red * red + green * green + blue * blue;
    if (distance >= least) return;
    least = distance;
    best = place;
  });
  return best;
}
