import { Validator } from "@seriousme/openapi-schema-validator";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import {
  type ProblemCode,
  problems,
  toProblem,
} from "../../server/account-system/contract/problems.ts";
import {
  document,
  examples,
  examplesOf,
  media,
  misfits,
  type Tree,
} from "../harness/account-contract.ts";
import { type AccountScenario, openAccountScenario } from "../harness/account-scenario.ts";

describe("the OpenAPI document", () => {
  test("the document is valid OpenAPI 3.1 without broken references", async () => {
    expect(document.openapi).toBe("3.1.0");
    const { valid, errors } = await new Validator().validate(structuredClone(document));
    expect(errors).toBeUndefined();
    expect(valid).toBe(true);
  });

  test("the document has an example for every body, answer type and event type", () => {
    expect(media.length).toBeGreaterThan(10);
    for (const { at, value } of media) {
      expect(value, at.join("/")).toMatchObject({ examples: expect.any(Object) });
    }
    const typesIn = (schema: string) =>
      new Set(examplesOf(schema).map(([, , value]) => String(value.type).split(/[.#]/).at(-1)));
    const { schemas } = document.components as { schemas: Record<string, Tree> };
    for (const schema of ["Answer", "Event"]) {
      expect(schemas[schema]?.anyOf).toHaveLength(typesIn(schema).size);
    }
    expect([...typesIn("Problem")].sort()).toEqual(Object.keys(problems).sort());
  });

  test.each(examples)("the example %s, %s conforms to the schema", (schema, _, value) => {
    expect(misfits(schema, value)).toEqual([]);
    for (const key of ["type", "state", "items"].filter((field) => field in value)) {
      const { [key]: _, ...rest } = value;
      if (schema === "Problem" && key === "state") continue;
      expect(misfits(schema, rest)).not.toEqual([]);
    }
  });
});

test.each(examplesOf("Problem"))(
  "the site returns the problem details in the example %s, %s",
  async (_, _title, value) => {
    const { type, title, status, ...more } = value as Tree;
    const [place = "", code = ""] = String(type).split("#");
    const answer = toProblem(place, code as ProblemCode, more);
    expect(answer.status).toBe(status);
    expect(await answer.json()).toEqual({ type, title, status, ...more });
  },
);

describe("the site's webhook", () => {
  let scenario: AccountScenario;

  beforeAll(async () => {
    scenario = await openAccountScenario();
  });

  afterAll(() => scenario[Symbol.asyncDispose]());

  /** Adapts an example to the newest request and to this campus's kinds of data. */
  function toThisCampus(data: Tree): Tree {
    const requested = scenario.receiver.newest("requested");
    const { id, kinds } = requested.event.data;
    if (data.item !== undefined) return { id, item: requested.id };
    if (!Array.isArray(data.lines)) return { ...data, id };
    const lines = data.lines as Tree[];
    const places = kinds as Tree[];
    return {
      ...data,
      id,
      lines: places.map((place, index) => ({ ...lines[index % lines.length], ...place })),
    };
  }

  test.each(examplesOf("Answer").map(([, name, value]) => [name, value] as const))(
    "accepts the example answer %s",
    async (name, value) => {
      await scenario.confirmed(name.toLowerCase());
      const { id } = scenario.receiver.newest("requested").event.data;
      const type = String(value.type).split(".").at(-1) ?? "";
      if (type === "completed") await scenario.answer("started", { id });
      const { status, body } = await scenario.answer(type, toThisCampus(value.data as Tree));
      expect({ status, misfits: misfits("Accepted", body) }).toEqual({ status: 200, misfits: [] });
    },
  );

  test("rejects an answer that lacks a required field", async () => {
    await scenario.confirmed("strict");
    for (const [, name, value] of examplesOf("Answer")) {
      const data = toThisCampus(value.data as Tree);
      for (const key of Object.keys(data)) {
        const { [key]: _, ...rest } = data;
        const isRefused = misfits("Answer", { ...value, data: rest }).length > 0;
        const { status } = await scenario.answer(String(value.type).split(".").at(-1) ?? "", rest);
        // An answer without an optional field may conflict with the request's state (409), but must
        // not get a 422.
        expect({ name, key, isRefused: status === 422 }).toEqual({ name, key, isRefused });
        if (!isRefused) break;
      }
    }
  });

  test("rejects samples of values that the schema rejects", async () => {
    await scenario.confirmed("parts");
    const { id } = scenario.receiver.newest("requested").event.data;
    await scenario.answer("started", { id });
    const line = { store: "accounts", kind: "identity", outcome: "deleted" };
    const completed = { id, backupsGoneBy: null, lines: [line] };
    const answers: [string, Record<string, unknown>][] = [
      ["completed", { ...completed, lines: [{ ...line, note: "x" }] }],
      ["completed", { ...completed, lines: [{ ...line, reason: "as-listed" }] }],
      ["completed", { ...completed, lines: [{ ...line, until: "2026-12-31" }] }],
      ["completed", { ...completed, lines: [{ ...line, outcome: "kept", reason: "legal-duty" }] }],
      ["received", { id: `${id}\u0000` }],
      ["received", { id, item: "one\u0000" }],
      ...["\u0000", "\u0085", "\u202e", "\ud800"].map((sign): (typeof answers)[number] => [
        "failed",
        { id, reason: `The ${sign} table`, again: true },
      ]),
    ];
    for (const [type, data] of answers) {
      const misfit = misfits("Answer", { type: `account.deletion.${type}`, data });
      expect(misfit, JSON.stringify(data)).not.toEqual([]);
      expect((await scenario.answer(type, data)).status, JSON.stringify(data)).toBe(422);
    }
  });
});
