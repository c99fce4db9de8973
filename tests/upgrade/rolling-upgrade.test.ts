import { randomBytes } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import { paths } from "../../server/platform/http/paths.ts";
import { filledForm, referencePattern, takesMany } from "../harness/deletion-form.ts";
import { mainOf, textOf } from "../harness/html.ts";
import { createTestDatabase, startPostgres } from "../harness/postgres.ts";
import { type ServerProcess, startServerProcess } from "../harness/server-process.ts";
import { buildRelease, findLastRelease, settingsOfRelease } from "./last-release.ts";

// Upgrades two servers from the last release, one after the other, while forms arrive. Builds the
// release from the repository's history. Run with `npm run test:deep -- upgrade`.

/** How long both versions serve side by side, in milliseconds. */
const besideMs = 15_000;

let folder: string;
let postgres: Awaited<ReturnType<typeof startPostgres>>;
const release = findLastRelease();

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "upgrade-"));
  buildRelease(join(folder, "release"), release.commit);
  postgres = await startPostgres();
}, 1_800_000);
afterAll(async () => {
  await postgres?.close();
  await rm(folder, { recursive: true });
});

type Version = "release" | "current";
type Acknowledged = { reference: string; email: string; by: string };

test("loses no acknowledged form while two versions serve side by side", async () => {
  const database = await createTestDatabase(postgres.url);
  const settings = {
    ...takesMany,
    DATABASE_URL: database.url,
    SECRET_KEYS: `1:${randomBytes(32).toString("base64url")}`,
    SMTP_URL: "smtp://127.0.0.1:9",
    PUBLIC_URL: "http://localhost:3000",
  };
  const start = (place: number, version: Version) => {
    const dataDir = join(folder, `data-${place}`);
    return version === "release"
      ? startServerProcess(
          { ...settings, ...settingsOfRelease(join(folder, "release")) },
          dataDir,
          join(folder, "release/server/main.ts"),
        )
      : startServerProcess(settings, dataDir);
  };

  const serving = new Map<number, { version: Version; server: ServerProcess }>();
  const serve = async (place: number, version: Version) => {
    serving.set(place, { version, server: await start(place, version) });
  };
  for (const place of [0, 1]) await serve(place, "release");

  const acknowledged: Acknowledged[] = [];
  let unanswered = 0;
  let isOver = false;
  /** Sends forms to one server. Like a proxy, uses the other server during a restart. */
  async function sendFrom(place: number): Promise<void> {
    for (let turn = 0; !isOver; turn++) {
      const { server, version } = serving.get(place) ?? [...serving.values()][0] ?? never();
      const email = `p${place}-${turn}@uni.example`;
      const body = new URLSearchParams(filledForm({ email }));
      const headers = { Origin: settings.PUBLIC_URL };
      await fetch(server.url + paths.deletion, { method: "POST", body, headers })
        .then(async (answer) => {
          const [reference] = referencePattern.exec(textOf(mainOf(await answer.text()))) ?? [];
          if (answer.status !== 200 || !reference) throw new Error(String(answer.status));
          acknowledged.push({ reference, email, by: version });
        })
        .catch(() => {
          unanswered++;
        });
      await setTimeout(50);
    }
  }
  async function upgrade(place: number): Promise<void> {
    const stopped = serving.get(place);
    serving.delete(place);
    await stopped?.server.stop();
    await serve(place, "current");
  }

  const senders = [0, 1].map(sendFrom);
  await setTimeout(3_000);
  await upgrade(0);
  const beforeBeside = acknowledged.length;
  await setTimeout(besideMs);
  const beside = acknowledged.slice(beforeBeside);
  for (const { server, version } of serving.values()) {
    const { status, body } = await server.health();
    // An unreachable mail server degrades the health status only after an hour.
    expect([version, status, body.status]).toEqual([version, 200, "ok"]);
    for (const path of [paths.landing, paths.deletion, paths.faq]) {
      expect((await fetch(server.url + path)).status).toBe(200);
    }
  }
  await upgrade(1);
  await setTimeout(3_000);
  isOver = true;
  await Promise.all(senders);

  const rows = await database.ask("select reference, email from submissions");
  const stored = new Map(rows.map(({ reference, email }) => [reference, email]));
  const lost = acknowledged.filter(({ reference, email }) => stored.get(reference) !== email);
  const count = (version: Version) => beside.filter(({ by }) => by === version).length;
  console.log(
    `${release.version} and this version: ${acknowledged.length} forms acknowledged, ${lost.length} lost, ${unanswered} without an answer; side by side ${count("release")} and ${count("current")}`,
  );
  expect(lost).toEqual([]);
  expect(count("release")).toBeGreaterThan(10);
  expect(count("current")).toBeGreaterThan(10);
  for (const { server } of serving.values()) {
    const { code } = await server.stop();
    expect(code).toBe(0);
  }
});

function never(): never {
  throw new Error("No server runs");
}
