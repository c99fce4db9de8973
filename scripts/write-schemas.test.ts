import { globSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { Ajv2020 } from "ajv/dist/2020.js";
import { expect, test } from "vitest";
import { parseYaml } from "../campus-reader/text-files.ts";
import { root } from "../tests/harness/campus.ts";
import { createSchemas } from "./write-schemas.ts";

const ajv = new Ajv2020({ strict: false, validateFormats: false });
const read = (file: string) => JSON.parse(readFileSync(file, "utf8"));
const campuses = ["campus", "campus-examples/kaltensee", "campus-examples/cairo"];

test.each(Object.entries(createSchemas()))(
  "schemas/%s.json has the keys that `npm run campus -- schemas` generates",
  (name, schema) => {
    const keys = (value: unknown) =>
      JSON.stringify(value).replace(/"description":"(?:[^"\\]|\\.)*",?/g, "");
    expect(keys(read(join(root, `schemas/${name}.json`)))).toBe(keys(schema));
  },
);

test.each(
  campuses.flatMap((campus) =>
    globSync(["*.yaml", "content/*/*.yaml"], { cwd: join(root, campus) }).map(
      (file) => `${campus}/${file}`,
    ),
  ),
)("%s references its schema in the first line and matches it", (file) => {
  const text = readFileSync(join(root, file), "utf8");
  const [, way = ""] = /^# yaml-language-server: \$schema=(.+)\n/.exec(text) ?? [];
  const validate = ajv.compile(read(join(root, dirname(file), way)));
  expect(validate(parseYaml(text)), JSON.stringify(validate.errors)).toBe(true);
});

/**
 * Lists the paths of all fields without a description. The path of a field in a list's items is the
 * list's path plus the field's name.
 */
function findUnexplained(schema: unknown, at = ""): string[] {
  const { properties = {}, items = [], anyOf = [], oneOf = [] } = Object(schema);
  const inside = [items, anyOf, oneOf].flat().flatMap((part) => findUnexplained(part, at));
  const fields = Object.entries(properties).flatMap(([name, field]) => {
    const way = at ? `${at}.${name}` : name;
    return [...(Object(field).description ? [] : [way]), ...findUnexplained(field, way)];
  });
  return [...new Set([...inside, ...fields])];
}

test("describes every setting, date, question and kind of data for editors", () => {
  const schemas = createSchemas();
  const names = ["campus", "calendar", "faq", "data-list"];
  expect(names.flatMap((name) => findUnexplained(schemas[name], name))).toEqual([]);
});

test("the campus schema rejects an unknown key and describes a known key", () => {
  const { campus = {} } = createSchemas();
  const settings = parseYaml(readFileSync(join(root, "campus/campus.yaml"), "utf8"));
  expect(ajv.validate(campus, { ...(settings as object), walet: "x" })).toBe(false);
  expect(campus).toHaveProperty(
    "properties.mailDomains.description",
    expect.stringContaining("Did you mean"),
  );
});
