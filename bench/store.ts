import { mkdtempDisposableSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { runCommand as listInShell } from "../server/cli/requests.ts";
import { readConfig } from "../server/config.ts";
import { createUpkeep } from "../server/deletion-requests/jobs/retention-jobs.ts";
import { testBundle } from "../server/deletion-requests/test-campus.fixture.ts";
import { findUnsent } from "../server/delivery/outbox.ts";
import { createLog } from "../server/log.ts";
import { openFoundation } from "../server/open.ts";
import { toFormValues } from "../server/platform/forms/form-values.ts";
import { createServices } from "../server/services.ts";
import { filledForm } from "../tests/harness/deletion-form.ts";
import { createTestDatabase, startPostgres } from "../tests/harness/postgres.ts";
import { atMost, median, type Row, ratio } from "./report.ts";
import { fillPostgres } from "./store-filling.ts";

const sizes = { small: 1_000, large: 1_000_000 };
const mostRatio = 1.5;
const rounds = 3;
const warmUps = 10;
const measured = 50;

/**
 * Location of a store: a folder with the SQLite database, or a PostgreSQL URL and the folder with
 * the keys.
 */
type StoreLocation = { dataDir: string; url?: string };

/**
 * Measurements by operation: `ms` is the operation's time in the large store in milliseconds, and
 * `growth` is the ratio of this time to the time in the small store.
 */
type Growth = Map<string, { growth: number; ms: number }>;

/**
 * Compares the duration of operations in a store of a thousand requests with their duration in a
 * store of a million, on SQLite and PostgreSQL.
 */
export async function measureStore(): Promise<Row[]> {
  using folder = mkdtempDisposableSync(join(tmpdir(), "bench-"));
  const postgres = await startPostgres({ durable: true });
  try {
    const [small, large] = [join(folder.path, "s"), join(folder.path, "l")];
    const place = async (dataDir: string, size: number) => {
      const { url } = await createTestDatabase(postgres.url);
      await fillPostgres(dataDir, url, size);
      return { dataDir, url };
    };
    const inPostgres = {
      small: await place(small, sizes.small),
      large: await place(large, sizes.large),
    };
    const file = await compareSizes({ dataDir: small }, { dataDir: large });
    const server = await compareSizes(inPostgres.small, inPostgres.large);
    return [...file].map(([act, { growth, ms }]) => {
      const other = server.get(act) ?? { growth: Number.NaN, ms: Number.NaN };
      return atMost(
        `${act}: 1,000,000 requests relative to 1,000`,
        Math.max(growth, other.growth),
        mostRatio,
        `file ${ratio(growth)} (${ms.toFixed(2)} ms), PostgreSQL ${ratio(other.growth)} (${other.ms.toFixed(2)} ms)`,
      );
    });
  } finally {
    await postgres.close();
  }
}

async function compareSizes(small: StoreLocation, large: StoreLocation): Promise<Growth> {
  const few = await openActs(small);
  const many = await openActs(large);
  const found: Growth = new Map();
  for (const act of Object.keys(few.acts) as (keyof typeof few.acts)[]) {
    const growths: number[] = [];
    const times: number[] = [];
    for (let round = 0; round < rounds; round++) {
      const beside = await time(few.acts[act]);
      const ms = await time(many.acts[act]);
      growths.push(ms / beside);
      times.push(ms);
    }
    found.set(act, { growth: median(growths), ms: median(times) });
  }
  await few.close();
  await many.close();
  return found;
}

/** Prepares the operations to measure, in a store without pending jobs. */
async function openActs({ dataDir, url }: StoreLocation) {
  const MAX_UNCONFIRMED = "10000000";
  const read = readConfig({ DATA_DIR: dataDir, DATABASE_URL: url, MAX_UNCONFIRMED });
  if (!read.ok) throw new Error(read.problems.join(" "));
  const opened = await openFoundation(read.config, { create: true });
  if (!opened.ok) throw new Error(opened.problem);
  const { foundation } = opened;
  const { database, clock } = foundation;
  const { desk, submitting } = createServices(foundation, testBundle, createLog("silent")).site;
  const upkeep = createUpkeep(foundation);
  const last = (await desk.list(["working"], 50))?.requests.at(-1);
  if (!last?.email) throw new Error("The filled store has no open request");
  const { reference, email } = last;
  const month = Temporal.Now.plainDateISO().subtract({ months: 6 }).toPlainYearMonth();
  let turn = 0;
  await upkeep.run();
  return {
    acts: {
      "a form stored": () =>
        submitting.submit(toFormValues(filledForm({ email: `new${turn++}@uni.example` }))),
      "what waits in the outbox": () => findUnsent(database.read, ["person", "operators"], clock()),
      "upkeep with nothing to do": () => upkeep.run(),
      "the list in a shell": () => listInShell(["list"], foundation),
      "search by reference": () => desk.find(reference),
      "search by address": () => desk.lookUp(email),
      "search by an address that is unknown": () => desk.lookUp("nobody@uni.example"),
      "figures of a month": () => desk.happened(month),
    },
    close: () => database.close(),
  };
}

async function time(act: () => Promise<unknown>): Promise<number> {
  const taken: number[] = [];
  for (let index = 0; index < warmUps + measured; index++) {
    const started = performance.now();
    await act();
    if (index >= warmUps) taken.push(performance.now() - started);
  }
  return median(taken);
}
