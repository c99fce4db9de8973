import { mkdtempDisposableSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readConfig } from "../server/config.ts";
import { createUpkeep } from "../server/deletion-requests/jobs/retention-jobs.ts";
import { testBundle } from "../server/deletion-requests/test-campus.fixture.ts";
import { createLog } from "../server/log.ts";
import { openFoundation } from "../server/open.ts";
import { toFormValues } from "../server/platform/forms/form-values.ts";
import { createServices } from "../server/services.ts";
import { filledForm, takesMany } from "../tests/harness/deletion-form.ts";
import { createTestDatabase, startPostgres } from "../tests/harness/postgres.ts";
import { atMost, median, type Row, ratio } from "./report.ts";
import { fillPostgres } from "./store-filling.ts";

const sizes = { small: 1_000, large: 1_000_000 };
const mostRatio = 1.5;
const warmUps = 10;
const measured = 150;

/**
 * Compares the duration of operations in a store of a thousand requests with their duration in a
 * store of a million, on SQLite and PostgreSQL.
 */
export async function measureStore(): Promise<Row[]> {
  using folder = mkdtempDisposableSync(join(tmpdir(), "bench-"));
  const postgres = await startPostgres({ durable: true });
  try {
    const place = async (size: number) => {
      const dataDir = join(folder.path, String(size));
      const { url } = await createTestDatabase(postgres.url);
      await fillPostgres(dataDir, url, size);
      return { dataDir, url };
    };
    const small = await place(sizes.small);
    const large = await place(sizes.large);
    return [
      ...(await compareSizes("file", { dataDir: small.dataDir }, { dataDir: large.dataDir })),
      ...(await compareSizes("PostgreSQL", small, large)),
    ];
  } finally {
    await postgres.close();
  }
}

async function compareSizes(
  store: string,
  small: { dataDir: string; url?: string },
  large: { dataDir: string; url?: string },
): Promise<Row[]> {
  const few = await openActs(small);
  const many = await openActs(large);
  const rows: Row[] = [];
  for (const act of Object.keys(few.acts) as (keyof typeof few.acts)[]) {
    const times: { small: number; large: number }[] = [];
    for (let index = 0; index < warmUps + measured; index++) {
      times.push({ small: await time(few.acts[act]), large: await time(many.acts[act]) });
    }
    const ms = median(times.slice(warmUps).map((pair) => pair.large));
    const growth = ms / median(times.slice(warmUps).map((pair) => pair.small));
    const what = `${store}, ${act}: 1,000,000 requests relative to 1,000`;
    rows.push(atMost(what, growth, mostRatio, `${ratio(growth)} (${ms.toFixed(2)} ms)`));
  }
  await few.close();
  await many.close();
  return rows;
}

/** Prepares the operations to measure, in a store without pending jobs. */
async function openActs({ dataDir, url }: { dataDir: string; url?: string }) {
  const read = readConfig({ ...takesMany, DATA_DIR: dataDir, DATABASE_URL: url });
  if (!read.ok) throw new Error(read.problems.join(" "));
  const opened = await openFoundation(read.config, { create: true });
  if (!opened.ok) throw new Error(opened.problem);
  const { foundation } = opened;
  const { desk, submitting } = createServices(foundation, testBundle, createLog("silent")).site;
  const upkeep = createUpkeep(foundation);
  let turn = 0;
  await upkeep.run();
  return {
    acts: {
      "a form stored": () =>
        submitting.submit(toFormValues(filledForm({ email: `new${turn++}@uni.example` }))),
      "upkeep with nothing to do": () => upkeep.run(),
      "a list of 50 requests": () => desk.list(["working"], 50),
      "search by address": () => desk.lookUp("new0@uni.example"),
    },
    close: () => foundation.database.close(),
  };
}

async function time(act: () => Promise<unknown>): Promise<number> {
  const started = performance.now();
  await act();
  return performance.now() - started;
}
