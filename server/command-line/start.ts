import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { readConfig } from "../config.ts";
import { type Foundation, openFoundation } from "../open.ts";
import { type Outcome, toMinute } from "./sentences.ts";

export type CommandServices = Omit<Foundation, "config" | "mailFiles">;

/** Opens the data folder of the server, which may be running, for one command. Sets the exit code. */
export async function runOnData(
  run: (services: CommandServices & Pick<Foundation, "config">) => Promise<Outcome>,
): Promise<void> {
  process.exitCode = await openAndRun(async (services) => print(await run(services)));
}

/** Says what a command has to say, and returns its exit code. */
export async function print({ code, out = "", problem }: Outcome): Promise<number> {
  await pipeline(Readable.from(typeof out === "string" ? [out] : out), process.stdout, {
    end: false,
  });
  if (problem) process.stderr.write(problem);
  return code;
}

async function openAndRun(
  run: (services: CommandServices & Pick<Foundation, "config">) => Promise<number>,
): Promise<number> {
  const configured = readConfig(process.env);
  if (!configured.ok) return fail(...configured.problems);
  const opened = await openFoundation(configured.config, { create: false });
  if (!opened.ok) {
    fail(opened.problem);
    return "missing" in opened ? 5 : 1;
  }
  const { foundation } = opened;
  const { calendar, clock } = foundation;
  if (configured.config.isDrill) console.log(`--- A drill, ${toMinute(calendar, clock())}. ---`);
  try {
    return await run(foundation);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return fail(`That could not be done: ${reason}.`);
  } finally {
    await foundation.database.close();
  }
}

function fail(...sentences: string[]): 1 {
  for (const sentence of sentences) process.stderr.write(`${sentence}\n`);
  return 1;
}
