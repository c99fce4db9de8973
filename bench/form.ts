import { cpSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { filledForm } from "../tests/harness/deletion-form.ts";
import { startServerProcess } from "../tests/harness/server-process.ts";
import { startBesiegedServer } from "../tests/siege/besieged-server.ts";
import { compareDatabases } from "./databases.ts";
import type { Order } from "./load.ts";
import { load, startProgram, startServing } from "./processes.ts";
import { median, type Part, type Row, ratio } from "./report.ts";

const connections = 16;
const rounds = 5;
const leastRatio = 0.6;
const kills = 50;
const forms = "/deletion-requests";
const settings = { SUBMISSION_LIMIT: "1000000", MAX_UNCONFIRMED: "10000000" };

/** Forms stored through the whole stack beside the least that storing them takes, and what a kill leaves. */
export async function benchForm(): Promise<Part> {
  const folder = mkdtempSync(join(tmpdir(), "bench-"));
  const dataDir = join(folder, "ours");
  try {
    const first = await startServerProcess(settings, dataDir);
    await fetch(`${first.url}${forms}`, {
      method: "POST",
      body: new URLSearchParams(filledForm({ feedback: "I moved to another city." })),
    });
    await first.stop();
    cpSync(dataDir, join(folder, "plain"), { recursive: true });
    return {
      name: "form",
      rows: [
        ...(await compare(folder, dataDir)),
        ...(await killOften(join(folder, "killed"))),
        ...(await compareDatabases()),
      ],
    };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function compare(folder: string, dataDir: string): Promise<Row[]> {
  const ours = await startBesiegedServer({ dataDir, logFile: join(folder, "log"), settings });
  const plain = await startServing("plain-forms.ts", [join(folder, "plain")]);
  const ask = { connections, seconds: 3, ask: { forms } };
  const passed: number[] = [];
  const spent: number[] = [];
  await load(ours, { ...ask, seconds: 1 });
  await load(plain, { ...ask, seconds: 1 });
  for (let round = 0; round < rounds; round++) {
    const our = await load(ours, ask);
    const least = await load(plain, ask);
    passed.push(our.perSecond / least.perSecond);
    spent.push(least.perAnswer / our.perAnswer);
  }
  await ours.stop();
  plain.stop();
  return [
    {
      what: "forms stored in the same time, beside a plain handler that commits the same rows",
      figure: ratio(median(passed)),
      limit: `${leastRatio}x at least`,
      held: median(passed) >= leastRatio,
    },
    {
      what: "the same for the same processor time, the mails that are written meanwhile included",
      figure: ratio(median(spent)),
      limit: "",
      held: undefined,
    },
  ];
}

/** Kills the server again and again under that load, and looks for what it had said was stored. */
async function killOften(dataDir: string): Promise<Row[]> {
  const acknowledged: string[] = [];
  for (let round = 0; round < kills; round++) {
    const server = await startServerProcess(settings, dataDir);
    const client = startProgram("measurer", "load.ts", [
      JSON.stringify({
        port: server.port,
        connections,
        seconds: 1,
        ask: { forms },
        tellEach: true,
      } satisfies Order),
    ]);
    const before = acknowledged.length;
    await new Promise<void>((resolve) => {
      client.on("message", (told: { reference?: string }) => {
        if (told.reference) acknowledged.push(told.reference);
        // A different moment of the server's work each time.
        if (acknowledged.length === before + 20 + 7 * round)
          server.stop("SIGKILL").then(() => client.kill());
      });
      client.once("exit", () => resolve());
    });
    await server.stop("SIGKILL");
  }
  // Opened once more by the server itself, as after a crash.
  await (await startServerProcess(settings, dataDir)).stop();
  const sqlite = new DatabaseSync(join(dataDir, "requests.sqlite"), { readOnly: true });
  const find = sqlite.prepare("select 1 from submissions where reference = ?");
  const lost = acknowledged.filter((reference) => !find.get(reference)).length;
  const half = Number(
    sqlite
      .prepare(
        `select count(*) as n from requests r where
          (select count(*) from submissions where request_id = r.id) <> 1 or
          (select count(*) from request_events where request_id = r.id) <> 1 or
          (select count(*) from tokens where request_id = r.id) <> 1 or
          (select count(*) from outbox where request_id = r.id) <> 1`,
      )
      .get()?.n,
  );
  sqlite.close();
  return [
    {
      what: `forms lost by ${kills} kills, of ${acknowledged.length} acknowledged`,
      figure: String(lost),
      limit: "0",
      held: lost === 0 && acknowledged.length > kills,
    },
    { what: "requests stored in part", figure: String(half), limit: "0", held: half === 0 },
  ];
}
