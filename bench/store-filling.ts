import { mkdirSync } from "node:fs";
import { openTestService } from "../server/deletion-requests/service.fixture.ts";
import { moveBetween } from "../server/platform/database/store-locations.ts";
import { openForFilling } from "../tests/harness/fill-store.ts";

const mostOpen = 10_000;
const days = 700;

/**
 * Fills a store. The service creates an unconfirmed, a confirmed and a completed request, and SQL
 * copies them. A tenth of the requests are open, but at most about 10,000. The others ended 40 to 740
 * days ago.
 */
export async function fill(dataDir: string, size: number): Promise<void> {
  await liveOnce(dataDir);
  const { sqlite, multiply, close } = openForFilling(dataDir);
  const idOf = (state: string) =>
    Number(sqlite.prepare("select id from requests where state = ?").get(state)?.id);
  const ended = idOf("completed");
  const open = Math.min(mostOpen, size / 10);
  // Links are deleted thirty days after their request has ended, so old requests have none.
  sqlite.exec(`delete from tokens where request_id = ${ended}`);
  multiply({ of: idOf("received"), count: open / 2 });
  multiply({ of: idOf("confirmed"), count: open / 2 });
  const earlier = `'-' || (40 + copy.i % ${days}) || ' days'`;
  /** Returns SQL expressions that move a table's instants and dates into the past. */
  function shifted(table: string): Record<string, string> {
    const columns = sqlite.prepare("select name from pragma_table_info(?)").all(table);
    return Object.fromEntries(
      columns.flatMap(({ name }) => {
        if (/^(at|.*_at)$/.test(`${name}`)) {
          return [[name, `strftime('%Y-%m-%dT%H:%M:%fZ', t.${name}, ${earlier})`]];
        }
        return /_on$|^due_(from|to)$/.test(`${name}`)
          ? [[name, `date(t.${name}, ${earlier})`]]
          : [];
      }),
    );
  }
  const moved = ["requests", "submissions", "request_events"];
  const change = Object.fromEntries(moved.map((table) => [table, shifted(table)]));
  multiply({ of: ended, count: size - open, change });
  close();
}

/** Fills a store and copies it into an empty PostgreSQL database. */
export async function fillPostgres(dataDir: string, url: string, size: number): Promise<void> {
  await fill(dataDir, size);
  await moveBetween(dataDir, url, () => {});
}

async function liveOnce(dataDir: string): Promise<void> {
  mkdirSync(dataDir, { recursive: true });
  const yesterday = Temporal.Now.instant().subtract({ hours: 24 }).toString();
  const service = await openTestService(yesterday, { dataDir });
  await service.submit({ email: "received@uni.example" });
  await service.submitConfirmed({ email: "confirmed@uni.example" });
  await service.complete(await service.submitConfirmed({ email: "completed@uni.example" }));
  await service.rounds.runOnce();
  await service.stop();
}
