import { randomUUID } from "node:crypto";
import { cpSync, mkdtempDisposableSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Request } from "autocannon";
import { paths } from "../server/platform/http/paths.ts";
import { startAttackedServer } from "../tests/abuse/attacked-server.ts";
import { filledForm, sendForm } from "../tests/harness/deletion-form.ts";
import { startServerProcess } from "../tests/harness/server-process.ts";
import { compare, startServing } from "./processes.ts";
import { atLeast, median, type Row, ratio } from "./report.ts";

const leastRatio = 0.6;
const settings = { SUBMISSION_LIMIT: "1000000", MAX_UNCONFIRMED: "10000000" };

/** A valid form, with a new email address each time. */
const form: Request = {
  method: "POST",
  path: paths.deletionRequests,
  headers: { "Content-Type": "application/x-www-form-urlencoded" },
  setupRequest: (request) => {
    const fields = filledForm({ email: `${randomUUID()}@uni.example` });
    return { ...request, body: String(new URLSearchParams(fields)) };
  },
};

/**
 * Compares form submissions through the whole stack with a plain handler that commits the same
 * rows.
 */
export async function measureForm(): Promise<Row[]> {
  using folder = mkdtempDisposableSync(join(tmpdir(), "bench-"));
  const dataDir = join(folder.path, "ours");
  const first = await startServerProcess(settings, dataDir);
  await sendForm(first.url);
  await first.stop();
  const plainDir = join(folder.path, "plain");
  cpSync(dataDir, plainDir, { recursive: true });
  const ours = await startAttackedServer({ dataDir, logFile: join(folder.path, "log"), settings });
  const plain = await startServing("plain-forms.ts", plainDir);
  const found = await compare(ours, plain, 5, { connections: 16, duration: 3, requests: [form] });
  await ours.stop();
  plain.stop();
  const stored = median(found.map(({ our, bare }) => our.perSecond / bare.perSecond));
  return [atLeast("forms stored in the same time", stored, leastRatio, ratio(stored))];
}
