import { existsSync, statSync } from "node:fs";
import { chmod, mkdir, open, rename, rm } from "node:fs/promises";
import { join, resolve } from "node:path";
import { migrationNames, upgradeStore } from "./database.ts";
import { type MoveResult, moveStore, type Progress, type Side, toSide } from "./moving.ts";
import { parsePostgresAddress } from "./postgres-address.ts";
import { openFitting } from "./postgres-opening.ts";
import { isInUse, lookAtFile, openSqlite } from "./sqlite.ts";

/** Where a store stands or is to stand: a data folder, or an address of PostgreSQL. Opened as it is, without upgrading it. */
type Place = {
  side: Side;
  /** As sentences name it; holds no password. */
  name: string;
  upgrade(): Promise<void>;
  /** What is there takes its place as a store. */
  finish(): Promise<void>;
};

type PlaceResult = { ok: true; place: Place } | { ok: false; problem: string };

const file = "requests.sqlite";

/** Moves a store; what cannot be done is told in one sentence, without a password. */
export async function moveBetween(
  from: string,
  to: string,
  tell: (progress: Progress) => void,
): Promise<
  { ok: true; from: string; to: string; result: MoveResult } | { ok: false; problem: string }
> {
  if (isAddress(from) === isAddress(to)) {
    return {
      ok: false,
      problem: isAddress(from)
        ? "Both are PostgreSQL: copy one into the other with pg_dump and pg_restore."
        : "Both are folders: stop the server and copy the folder.",
    };
  }
  const source = isAddress(from) ? await openAddress(from) : await openFolder(from);
  if (!source.ok) return source;
  try {
    const target = isAddress(to) ? await openAddress(to) : await openNewFolder(to);
    if (!target.ok) return target;
    const { place } = target;
    try {
      const result = await moveStore(source.place.side, place.side, {
        migrations: migrationNames,
        upgrade: place.upgrade,
        tell,
      });
      await place.side.close();
      if (result.kind === "moved") await place.finish();
      return { ok: true, from: source.place.name, to: place.name, result };
    } catch (error) {
      await place.side.close();
      throw error;
    }
  } finally {
    await source.place.side.close();
  }
}

function isAddress(text: string): boolean {
  return /^postgres(?:ql)?:/.test(text);
}

async function openAddress(text: string): Promise<PlaceResult> {
  const parsed = parsePostgresAddress(text);
  if (!parsed.ok) return { ok: false, problem: `The address of PostgreSQL ${parsed.problem}.` };
  const opened = await openFitting(parsed.address);
  if (!opened.ok) return opened;
  const { store } = opened;
  return {
    ok: true,
    place: {
      side: toSide("postgres", store),
      name: `the database ${parsed.address.name}`,
      upgrade: () => upgradeStore(store.dialect),
      finish: async () => {},
    },
  };
}

async function openFolder(text: string): Promise<PlaceResult> {
  const folder = resolve(text);
  const path = join(folder, file);
  if (!statSync(path, { throwIfNoEntry: false })?.size) {
    return { ok: false, problem: `There is no database in ${folder}.` };
  }
  if (isInUse(path)) {
    return { ok: false, problem: `The server is running on ${folder}. Stop it first.` };
  }
  if (lookAtFile(path) === "other") {
    return { ok: false, problem: `${path} is a database, but not one of this server.` };
  }
  const store = openSqlite(path);
  const damage = store.findDamage();
  if (damage !== undefined) {
    await store.close();
    return { ok: false, problem: `The database ${path} is damaged (${damage}).` };
  }
  const side = toSide("sqlite", store);
  const upgrade = () => upgradeStore(store.dialect);
  return { ok: true, place: { side, name: folder, upgrade, finish: async () => {} } };
}

/** The rows go into a folder beside, which the server does not know, until all of them are there. */
async function openNewFolder(text: string): Promise<PlaceResult> {
  const folder = resolve(text);
  if (existsSync(join(folder, file))) {
    return { ok: false, problem: `There is a database in ${folder} already. Choose a new folder.` };
  }
  const unfinished = join(folder, "unfinished-move");
  const path = join(unfinished, file);
  try {
    if (isInUse(path)) {
      return { ok: false, problem: `Another move into ${folder} is under way.` };
    }
    await rm(unfinished, { recursive: true, force: true });
    await mkdir(unfinished, { recursive: true, mode: 0o700 });
    await (await open(path, "a", 0o600)).close();
    await chmod(path, 0o600);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    return { ok: false, problem: `The folder ${folder} cannot be written (${code}).` };
  }
  const store = openSqlite(path);
  const side = toSide("sqlite", store);
  return {
    ok: true,
    place: {
      side,
      name: folder,
      upgrade: () => upgradeStore(store.dialect),
      async finish() {
        await rename(path, join(folder, file));
        await rm(unfinished, { recursive: true });
        const handle = await open(folder, "r");
        await handle.sync().finally(() => handle.close());
      },
    },
  };
}
