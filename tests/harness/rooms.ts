import { importsOf, readSources } from "./sources.ts";

/**
 * The rooms of the server: each folder of `server/` is one, and each file that stands in none. Which room takes from
 * which is read from the code, so the picture in docs/architecture.md cannot lie.
 */
export type Rooms = Map<string, Set<string>>;

export function readRooms(): Rooms {
  const rooms: Rooms = new Map();
  for (const source of readSources("server")) {
    const from = roomOf(source.path);
    const takes = rooms.get(from) ?? new Set();
    rooms.set(from, takes);
    for (const { to } of importsOf(source)) {
      if (to.startsWith("server/") && roomOf(to) !== from) takes.add(roomOf(to));
    }
  }
  return rooms;
}

function roomOf(path: string): string {
  return path.split("/")[1] ?? "";
}

/** A way from a room back to itself, undefined where there is none. */
export function findCircle(rooms: Rooms): string[] | undefined {
  const done = new Set<string>();
  function walk(room: string, way: string[]): string[] | undefined {
    if (way.includes(room)) return [...way.slice(way.indexOf(room)), room];
    if (done.has(room)) return undefined;
    for (const next of rooms.get(room) ?? []) {
      const circle = walk(next, [...way, room]);
      if (circle) return circle;
    }
    done.add(room);
    return undefined;
  }
  for (const room of rooms.keys()) {
    const circle = walk(room, []);
    if (circle) return circle;
  }
  return undefined;
}

/** Floors from the top down: each room stands above all it takes from. */
export function toFloors(rooms: Rooms): string[][] {
  const heights = new Map<string, number>();
  function heightOf(room: string): number {
    const known = heights.get(room);
    if (known !== undefined) return known;
    const below = [...(rooms.get(room) ?? [])].map(heightOf);
    const height = below.length === 0 ? 0 : Math.max(...below) + 1;
    heights.set(room, height);
    return height;
  }
  const floors = Map.groupBy([...rooms.keys()].sort(), heightOf);
  return [...floors].sort(([one], [other]) => other - one).map(([, floor]) => floor);
}

/** The picture, as it stands in docs/architecture.md. */
export function drawRooms(rooms: Rooms): string {
  const width = Math.max(...[...rooms.keys()].map((room) => room.length)) + 2;
  const lines = toFloors(rooms).flatMap((floor) => [
    "-".repeat(40),
    ...floor.map((room) => {
      const takes = [...(rooms.get(room) ?? [])].sort();
      return `${room.padEnd(width)}${takes.join(", ") || "(nothing)"}`;
    }),
  ]);
  return ["```", `${"room".padEnd(width)}takes from`, ...lines, "```"].join("\n");
}

/** The document with the picture between its marks renewed. */
export function withPicture(text: string, picture: string): string {
  return text.replace(
    /(<!-- rooms: npm run weight -- rooms -->\n)[\s\S]*?(\n<!-- \/rooms -->)/,
    (_, before: string, after: string) => before + picture + after,
  );
}
