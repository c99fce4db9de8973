import { fork, spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createTestDatabase, startPostgres } from "../tests/harness/postgres.ts";
import { median, type Part, type Row, ratio } from "./report.ts";
import { fill, type Place } from "./store-filling.ts";

/**
 * The same acts in a store of a thousand requests and of a million, in the file and in PostgreSQL, there by one, two and
 * three instances at the same moment; PostgreSQL waits for the disk.
 */
const sizes = { small: 1_000, large: 1_000_000 };
const mostRatio = 1.5;
const mostSeconds = 1;
const mostMb = 200;
const mostInstances = 3;
const rounds = 3;

export const measuredActs = [
  "a form stored",
  "the next due message",
  "upkeep with nothing to do",
  "the queue's first page",
  "search by reference",
  "search by address",
  "search by an address that is unknown",
  "figures of a month",
] as const;
export type MeasuredAct = (typeof measuredActs)[number];

/** `growth`: the large store beside the small one. `times`: milliseconds in the large one, by one instance, two and three. */
type Measured = { growth: Record<MeasuredAct, number>; times: Record<MeasuredAct, number[]> };

export async function benchStore(): Promise<Part> {
  const folder = mkdtempSync(join(tmpdir(), "bench-"));
  const postgres = await startPostgres({ durable: true });
  try {
    const inFile = (name: string): Place => ({ dataDir: join(folder, name) });
    const inPostgres = async (name: string): Promise<Place> => ({
      dataDir: join(folder, `${name}-postgres`),
      url: (await createTestDatabase(postgres.url)).url,
    });
    const stores: ({ name: string; large: Place } & Measured)[] = [];
    for (const [name, toPlace] of [
      ["file", inFile],
      ["PostgreSQL", inPostgres],
    ] as const) {
      const [small, large] = [await toPlace("small"), await toPlace("large")];
      await fill(small, sizes.small);
      await fill(large, sizes.large);
      stores.push({ name, large, ...(await measure(small, large)) });
    }
    const rows: Row[] = measuredActs.map((act) => {
      const figures = stores.map(({ name, growth, times }) => {
        const [alone = Number.NaN] = times[act];
        return {
          figure: growth[act],
          text: `${name} ${ratio(growth[act])} (${alone.toFixed(2)} ms)`,
        };
      });
      return {
        what: `${act}: ${toWords(sizes.large)} beside ${toWords(sizes.small)} requests`,
        figure: figures.map(({ text }) => text).join(", "),
        limit: `${mostRatio}x at most`,
        held: figures.every(({ figure }) => figure <= mostRatio),
      };
    });
    const [file, server] = stores;
    for (const act of measuredActs) {
      const beside = file?.times[act][0] ?? Number.NaN;
      rows.push({
        what: `${act}: PostgreSQL beside the file; by one, two and three instances at once`,
        figure: (server?.times[act] ?? []).map((ms) => ratio(ms / beside)).join(", "),
        limit: "",
        held: undefined,
      });
    }
    for (const { name, large } of stores) {
      for (const words of [["list"], ["figures"]]) {
        const { seconds, mb } = await runCommand(large, words);
        rows.push({
          what: `\`requests ${words.join(" ")}\` with ${toWords(sizes.large)} requests, ${name}`,
          figure: `${seconds.toFixed(2)} s, ${Math.round(mb)} MB`,
          limit: `${mostSeconds} s, ${mostMb} MB`,
          held: seconds <= mostSeconds && mb <= mostMb,
        });
      }
    }
    const notes = [
      `In brackets: with ${toWords(sizes.large)} requests. PostgreSQL runs on the same machine as its instances, and waits for its disk.`,
    ];
    return { name: "store", rows, notes };
  } finally {
    await postgres.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

const toWords = (size: number) => size.toLocaleString("en");

/** In the small store and the large one by turns; where several can work on it, by them at the same moment, too. */
async function measure(small: Place, large: Place): Promise<Measured> {
  const few = await startInstance(small);
  const many = [await startInstance(large)];
  while (large.url && many.length < mostInstances) many.push(await startInstance(large));
  // What is due in a store like this is done once; then there is nothing to do.
  await few.act("what is due");
  await many[0]?.act("what is due");
  const growth = {} as Record<MeasuredAct, number>;
  const times = {} as Record<MeasuredAct, number[]>;
  for (const act of measuredActs) {
    const found: { growth: number; ms: number }[] = [];
    for (let round = 0; round < rounds; round++) {
      const beside = await few.act(act);
      const ms = (await many[0]?.act(act)) ?? Number.NaN;
      found.push({ growth: ms / beside, ms });
    }
    growth[act] = median(found.map((one) => one.growth));
    times[act] = [median(found.map((one) => one.ms))];
    for (let count = 2; count <= many.length; count++) {
      times[act].push(median(await Promise.all(many.slice(0, count).map((one) => one.act(act)))));
    }
  }
  for (const instance of [few, ...many]) instance.stop();
  return { growth, times };
}

async function startInstance(place: Place) {
  const child = fork(join(import.meta.dirname, "store-acts.ts"), [JSON.stringify(place)], {
    cwd: join(import.meta.dirname, ".."),
  });
  let heard = Promise.withResolvers<unknown>();
  child.on("message", (message) => heard.resolve(message));
  child.on("exit", (code) => heard.reject(new Error(`An instance of the bench ended: ${code}`)));
  await heard.promise;
  return {
    /** Median in milliseconds. */
    async act(name: MeasuredAct | "what is due"): Promise<number> {
      heard = Promise.withResolvers();
      child.send(name);
      return Number(await heard.promise);
    },
    stop(): void {
      heard.promise.catch(() => {});
      child.disconnect();
    },
  };
}

/** One of the commands as operators run it, with the most memory it took. */
function runCommand(
  { dataDir, url }: Place,
  words: string[],
): Promise<{ seconds: number; mb: number }> {
  return new Promise((resolve, reject) => {
    const started = performance.now();
    const child = spawn(
      process.execPath,
      [
        "--import",
        join(import.meta.dirname, "tell-memory.ts"),
        "server/command-line/requests.ts",
        ...words,
      ],
      {
        cwd: join(import.meta.dirname, ".."),
        env: { ...process.env, DATA_DIR: dataDir, ...(url && { DATABASE_URL: url }) },
        stdio: ["ignore", "ignore", "pipe"],
      },
    );
    let said = "";
    child.stderr.on("data", (chunk: Buffer) => {
      said += chunk.toString();
    });
    child.on("error", reject);
    child.on("close", (code) => {
      const peak = /peak (\d+)/.exec(said)?.[1];
      if (code !== 0 || !peak) return reject(new Error(`requests ${words}: ${said}`));
      resolve({ seconds: (performance.now() - started) / 1_000, mb: Number(peak) / 1024 });
    });
  });
}
