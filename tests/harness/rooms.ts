import { importsOf, readSources } from "./sources.ts";

/**
 * The rooms of a folder, `server/` first of all: each folder in it is one, and each file that stands in none.
 * @param beside other folders, each of which is a room as a whole
 */
export function readRooms(folder = "server", ...beside: string[]): Map<string, Set<string>> {
  const roomOf = (path: string) =>
    path.startsWith(`${folder}/`)
      ? path.slice(folder.length + 1).split("/")[0]
      : beside.find((one) => path.startsWith(`${one}/`));
  const rooms = new Map<string, Set<string>>();
  for (const source of readSources(folder, ...beside)) {
    const from = roomOf(source.path) ?? "";
    const takes = rooms.get(from) ?? new Set();
    rooms.set(from, takes);
    for (const { to } of importsOf(source)) {
      const room = roomOf(to);
      if (room !== undefined && room !== from) takes.add(room);
    }
  }
  return rooms;
}

/** Those that take from one another, each group once: rooms, or files. */
export function findCircles(takes: ReadonlyMap<string, Iterable<string>>): string[][] {
  const reached = new Map([...takes.keys()].map((one) => [one, reachedFrom([one], takes)]));
  const circular = [...takes.keys()].sort().filter((one) => reached.get(one)?.has(one));
  const groups = Map.groupBy(circular, (one) =>
    circular
      .filter((other) => reached.get(one)?.has(other) && reached.get(other)?.has(one))
      .join(" "),
  );
  return [...groups.values()];
}

/** Everything that these take, and what that takes, and so on. */
export function reachedFrom(
  takers: readonly string[],
  takes: ReadonlyMap<string, Iterable<string>>,
): Set<string> {
  const reached = new Set<string>();
  const left = takers.flatMap((one) => [...(takes.get(one) ?? [])]);
  for (let one = left.pop(); one !== undefined; one = left.pop()) {
    if (reached.has(one)) continue;
    reached.add(one);
    left.push(...(takes.get(one) ?? []));
  }
  return reached;
}
