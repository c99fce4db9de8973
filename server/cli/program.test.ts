import { join } from "node:path";
import { expect, test } from "vitest";
import { service, serviceForEachTest } from "../deletion-requests/test-service.fixture.ts";
import { runCommand as runAccountSystem } from "./account-system.ts";
import { runCommand as runLedger } from "./ledger.ts";
import { runCommand as runOperators } from "./operators.ts";
import { runCommand as runRequests } from "./requests.ts";
import { runOnRestored } from "./restore.ts";
import type { Outcome } from "./sentences.ts";

serviceForEachTest();

const off = { accountSystem: { mode: "off" }, publicUrl: "http://127.0.0.1:3000" } as const;

const commands: Record<string, (words: string[]) => Promise<Outcome>> = {
  requests: (words) => runRequests(words, service),
  ledger: (words) => runLedger(words, service),
  operators: (words) => runOperators(words, service),
  "account-system": (words) => runAccountSystem(words, { ...service, config: off }),
  restore: (words) => runOnRestored(words, service),
};

const run = (group: string, ...words: string[]) =>
  commands[group]?.(
    words.map((word) => (word === "FILE" ? join(service.folder, "written") : word)),
  ) as Promise<Outcome>;

test.each([
  ["requests", ["backup", "FILE"]],
  ["requests", ["trust-clock"]],
  ["ledger", ["verify"]],
  ["ledger", ["export", "FILE"]],
  ["ledger", ["check", "FILE"]],
  ["operators", ["add", "Sadia"]],
  ["operators", ["remove", "Rahim"]],
  ["account-system", ["recheck"]],
  ["account-system", ["resume"]],
  ["restore", ["confirm"]],
])("%s %j rejects an unknown operator name and lists the team", async (group, words) => {
  const refused = await run(group, ...words, "--as", "Zubaida");
  expect(refused).toEqual({
    code: 1,
    problem:
      "No one on the team is called Zubaida. The team is Nadia, Rahim, Tuli. To add someone: npm run operators -- add NAME\n",
  });
  expect(await service.desk.teamActs(10, null)).toMatchObject({ acts: [] });
});

test.each([
  ["requests", ["backup", "FILE"], "backup"],
  ["ledger", ["export", "FILE"], "ledger-export"],
])("%s %j records the OS user if no operator name is given", async (group, words, act) => {
  expect(await run(group, ...words)).toMatchObject({ code: 0 });
  const { acts } = await service.desk.teamActs(1, null);
  expect(acts).toMatchObject([{ type: act, name: expect.stringMatching(/^account ./) }]);
});

test("rejects an empty operator name and records a valid name as the team spells it", async () => {
  expect(await run("ledger", "verify", "--as", " ")).toMatchObject({
    code: 2,
    problem: "Say who you are with --as NAME. The name goes into the history.\n",
  });
  expect(await run("ledger", "verify", "--as", "nADIA")).toMatchObject({ code: 0 });
  const { acts } = await service.desk.teamActs(1, null);
  expect(acts).toMatchObject([{ type: "ledger-verify", name: "Nadia" }]);
});

test("rejects a value for an option that takes none, and invites no one", async () => {
  const invite = ["invite", "Zara", "zara@uni.example"];
  expect(await run("operators", ...invite, "--admin=false")).toEqual({
    code: 2,
    problem: "--admin takes no value. Leave it out if you don't want it.\n",
  });
  expect((await service.team.list()).map(({ name }) => name)).not.toContain("Zara");
});
