import { setTimeout } from "node:timers/promises";
import { startMailServer } from "../tests/faults/mail-server.fixture.ts";
import { origin, sendForm, takesMany } from "../tests/harness/deletion-form.ts";
import { createTestDatabase, startPostgres } from "../tests/harness/postgres.ts";
import { startServerProcess } from "../tests/harness/server-process.ts";
import { startWatchedWire } from "../tests/harness/watched-wire.ts";
import { atMost, median, type Row } from "./report.ts";

const forms = 15;
const most = { before: 6, after: 6 };

/**
 * Counts the round trips to PostgreSQL for a form: before the response, and afterward until the
 * email is sent and recorded.
 */
export async function measureRoundTrips(): Promise<Row[]> {
  const postgres = await startPostgres();
  const target = await createTestDatabase(postgres.url);
  await using mail = await startMailServer();
  const wire = await startWatchedWire(Number(new URL(target.url).port));
  const site = await startServerProcess({
    ...takesMany,
    DATABASE_URL: Object.assign(new URL(target.url), { port: wire.port }).href,
    SMTP_URL: mail.url,
  });
  const found: { before: number; after: number }[] = [];
  for (let form = 0; form < forms; form++) {
    await wire.untilQuiet();
    const start = wire.count();
    const answer = await sendForm(site.url, { email: `student${form}@uni.example` }, origin);
    if (!answer.ok) throw new Error(`The form was answered with ${answer.status}`);
    const answered = wire.count();
    while (mail.received.length <= form) await setTimeout(5);
    await wire.untilQuiet();
    found.push({ before: answered - start, after: wire.count() - answered });
  }
  await site.stop();
  wire.close();
  await target.drop();
  await postgres.close();
  return (["before", "after"] as const).map((name) => {
    const trips = median(found.map((sample) => sample[name]));
    return atMost(`round trips ${name} the answer to a form`, trips, most[name], String(trips));
  });
}
