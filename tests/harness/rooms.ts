import { importsOf, readSources } from "./sources.ts";

/**
 * The rooms of a folder, `server/` first of all: each folder in it is one, and each file that stands in none. Which room takes from
 * which is read from the code, so the picture in docs/architecture.md cannot lie.
 */
export type Rooms = Map<string, Set<string>>;

export function readRooms(folder = "server"): Rooms {
  const roomOf = (path: string) => path.slice(folder.length + 1).split("/")[0] ?? "";
  const rooms: Rooms = new Map();
  for (const source of readSources(folder)) {
    const from = roomOf(source.path);
    const takes = rooms.get(from) ?? new Set();
    rooms.set(from, takes);
    for (const { to } of importsOf(source)) {
      if (to.startsWith(`${folder}/`) && roomOf(to) !== from) takes.add(roomOf(to));
    }
  }
  return rooms;
}

/** Those that take from one another, each group once: rooms, or files. */
export function findCircles(takes: ReadonlyMap<string, Iterable<string>>): string[][] {
  const reached = new Map([...takes.keys()].map((one) => [one, reachedFrom(one, takes)]));
  const circular = [...takes.keys()].sort().filter((one) => reached.get(one)?.has(one));
  const groups = Map.groupBy(circular, (one) =>
    circular
      .filter((other) => reached.get(one)?.has(other) && reached.get(other)?.has(one))
      .join(" "),
  );
  return [...groups.values()];
}

function reachedFrom(start: string, takes: ReadonlyMap<string, Iterable<string>>): Set<string> {
  const reached = new Set<string>();
  const left = [...(takes.get(start) ?? [])];
  for (let one = left.pop(); one !== undefined; one = left.pop()) {
    if (reached.has(one)) continue;
    reached.add(one);
    left.push(...(takes.get(one) ?? []));
  }
  return reached;
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
