import { crc32, deflateSync } from "node:zlib";

/**
 * Pixels (RGBA, opaque) as a PNG of at most 256 colours: flat drawings lose nothing that is seen and weigh a third. The
 * most frequent colours stay exact; each of the others, which only soften edges, takes the nearest of them.
 */
export function palettePng(pixels: Uint8Array, width: number, height: number): Buffer {
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
  const places = new Map<number, number>(palette.map((colour, place) => [colour, place]));
  for (const colour of counts.keys()) {
    if (!places.has(colour)) places.set(colour, nearest(palette, colour));
  }

  // Each line begins with the number of its filter: none.
  const lines = Buffer.alloc((width + 1) * height);
  for (let index = 0; index < width * height; index++) {
    const line = Math.floor(index / width);
    lines[index + line + 1] = places.get(colourAt(index)) ?? 0;
  }
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 3], 8); // eight bits a pixel, into a palette
  const colours = Buffer.from(
    palette.flatMap((colour) => [colour >> 16, (colour >> 8) & 255, colour & 255]),
  );
  return Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    chunk("IHDR", header),
    chunk("PLTE", colours),
    chunk("IDAT", deflateSync(lines, { level: 9 })),
    chunk("IEND", Buffer.alloc(0)),
  ]);
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

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, "latin1"), data]);
  const frame = Buffer.alloc(8);
  frame.writeUInt32BE(data.length, 0);
  frame.writeUInt32BE(crc32(body), 4);
  return Buffer.concat([frame.subarray(0, 4), body, frame.subarray(4)]);
}
