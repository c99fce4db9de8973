import { globSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { decidedByTheDatabase, vitestProjects, wholeShelf } from "../../vitest.config.ts";

const root = join(import.meta.dirname, "../..");

/** Each way of reading `{one,other}` in a pattern. */
function unfold(pattern: string): string[] {
  const [whole = "", ways] = /\{([^{}]*)\}/.exec(pattern) ?? [];
  if (ways === undefined) return [pattern];
  return ways.split(",").flatMap((way) => unfold(pattern.replace(whole, way)));
}

const named = [
  ...[...decidedByTheDatabase, ...wholeShelf.include, ...wholeShelf.exclude],
  ...vitestProjects.flatMap(({ include = [], exclude = [] }) => [...include, ...exclude]),
].flatMap(unfold);

test.each([...new Set(named)])("%s, as vitest.config.ts says, is there", (pattern) => {
  expect(globSync(pattern, { cwd: root })).not.toEqual([]);
});
