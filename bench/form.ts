import { randomUUID } from "node:crypto";
import { cpSync, mkdtempDisposableSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Request } from "autocannon";
import { paths } from "../server/http/paths.ts";
import { startAttackedServer } from "../tests/abuse/attacked-server.ts";
import { filledForm, sendForm } from "../tests/harness/deletion-form.ts";
import { startServerProcess } from "../tests/harness/server-process.ts";
import { load, startServing } from "./processes.ts";
import { atLeast, median, type Part } from "./report.ts";

const leastRatio = 0.6;
/** Another form each time. */
const manyForms: Request = {
  method: "POST",
  path: paths.deletionRequests,
  headers: { "Content-Type": "application/x-www-form-urlencoded" },
  setupRequest: (request) => {
    const form = filledForm({ email: `${randomUUID()}@uni.example` });
    return { ...request, body: String(new URLSearchParams(form)) };
  },
};
const settings = { SUBMISSION_LIMIT: "1000000", MAX_UNCONFIRMED: "10000000" };

/** Forms stored through the whole stack beside the least that storing them takes. */
export async function benchForm(): Promise<Part> {
  using folder = mkdtempDisposableSync(join(tmpdir(), "bench-"));
  const dataDir = join(folder.path, "ours");
  const first = await startServerProcess(settings, dataDir);
  await sendForm(first.url);
  await first.stop();
  cpSync(dataDir, join(folder.path, "plain"), { recursive: true });
  const ours = await startAttackedServer({ dataDir, logFile: join(folder.path, "log"), settings });
  const plain = await startServing("plain-forms.ts", [join(folder.path, "plain")]);
  const order = { connections: 16, duration: 3, requests: [manyForms] };
  await load(ours, order);
  await load(plain, order);
  const passed: number[] = [];
  for (let round = 0; round < 5; round++) {
    const our = await load(ours, order);
    passed.push(our.perSecond / (await load(plain, order)).perSecond);
  }
  await ours.stop();
  plain.stop();
  const what = "forms stored in the same time, beside a plain handler that commits the same rows";
  return { name: "form", rows: [atLeast(what, median(passed), leastRatio)] };
}
