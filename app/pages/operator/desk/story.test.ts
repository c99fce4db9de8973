import { expect, test } from "vitest";
import type { Words } from "../../../words.ts";
import { tellEvent } from "./story.ts";

const event = {
  at: Temporal.Instant.from("2026-12-01T03:00:00Z"),
  type: "take",
  code: "",
  note: "",
  dueFrom: undefined,
  dueTo: undefined,
};
const byNadia = { ...event, actor: "operator", name: "Nadia" } as const;
const bySystem = { ...event, actor: "system", name: "" } as const;

function wordsWith(bySystem?: { take: string }): Words {
  const acts = { take: "honoured us", complete: "said that it is done", completed: "ended it" };
  const story = { system: "The account system", clock: "The clock", ...acts, bySystem };
  return {
    dates: { momentBriefly: String },
    say: String,
    operator: { desk: { story, request: {} } },
  } as unknown as Words;
}

test("what an account system did is told in words of its own where the language has some", () => {
  const honouring = wordsWith({ take: "took it" });
  expect(tellEvent(honouring, byNadia, true)).toMatchObject({ who: "Nadia", what: "honoured us" });
  expect(tellEvent(honouring, bySystem, true)).toMatchObject({
    who: "The account system",
    what: "took it",
  });
  expect(tellEvent(wordsWith(), bySystem, true).what).toBe("honoured us");
});

test("what the account system called done, the clock completes", () => {
  const complete = { ...bySystem, type: "complete" };
  const told = (toState: string) => tellEvent(wordsWith(), { ...complete, toState }, true);
  expect(told("in-progress")).toMatchObject({
    who: "The account system",
    what: "said that it is done",
  });
  expect(told("completed")).toMatchObject({ who: "The clock", what: "ended it" });
});
