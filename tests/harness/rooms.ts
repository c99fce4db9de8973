import { importsOf, readSources } from "./sources.ts";

/** The rooms of a folder, `server/` first of all: each folder in it is one, and each file that stands in none. */
export function readRooms(folder = "server"): Map<string, Set<string>> {
  const roomOf = (path: string) => path.slice(folder.length + 1).split("/")[0] ?? "";
  const rooms = new Map<string, Set<string>>();
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
