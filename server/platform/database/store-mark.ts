import { createHash } from "node:crypto";
import { open, readFile, rename, stat } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";

/**
 * The mark is a small file next to the database. It records the database's identity and highest
 * ids. At startup, the server compares the mark with the database to detect missing rows or a
 * copied folder. The server writes the mark after the commits, so the mark may lag behind the
 * database but is never ahead. PostgreSQL needs no mark: its servers don't share a folder, and it
 * verifies its own log.
 */

export const markName = "requests.mark";

const markSchema = z.object({
  /** Highest id ever assigned in each table. */
  highest: z.record(z.string(), z.int()),
  inode: z.string(),
  born: z.string(),
  /** Hash of the machine's id, if the system has one. */
  machine: z.string().optional(),
});
type StoreMark = z.infer<typeof markSchema>;

type MarkFinding = "new" | "same" | "shorter" | "moved";

type Highest = StoreMark["highest"];

/** @param readHighest reads the highest committed ids */
export function createStoreMark(dataDir: string, readHighest: () => Highest) {
  const path = join(dataDir, markName);
  let written = "";

  async function makeMark(): Promise<StoreMark> {
    // Reads the ids first, because reading them throws if the database file was replaced.
    const highest = readHighest();
    const { ino, birthtimeNs } = await stat(join(dataDir, "requests.sqlite"), { bigint: true });
    return {
      highest,
      inode: String(ino),
      born: String(birthtimeNs),
      machine: await readMachine(),
    };
  }

  return {
    /** Compares the mark from the last run with the current database. */
    async compare(): Promise<MarkFinding> {
      const before = await readMark(path);
      if (!before) return "new";
      const now = await makeMark();
      // Versions up to 1.12 also counted ledger entries, which now expire.
      const { ledger: _, ...counted } = before.highest;
      const isShorter = Object.entries(counted).some(
        ([table, highest]) => (now.highest[table] ?? 0) < highest,
      );
      if (isShorter) return "shorter";
      // Some file systems don't preserve inode numbers, others don't preserve creation times.
      const isOtherFile = before.inode !== now.inode && before.born !== now.born;
      const isOtherMachine =
        before.machine !== undefined && now.machine !== undefined && before.machine !== now.machine;
      return isOtherFile || isOtherMachine ? "moved" : "same";
    },

    /** Writes the mark to disk if its content has changed since the last write. */
    async write(): Promise<void> {
      const text = JSON.stringify(await makeMark());
      if (text === written) return;
      const fresh = `${path}.new`;
      {
        await using file = await open(fresh, "w", 0o600);
        await file.writeFile(text);
        await file.datasync();
      }
      await rename(fresh, path);
      written = text;
    },
  };
}

/** Returns the mark, or `undefined` if it is missing or damaged. */
async function readMark(path: string): Promise<StoreMark | undefined> {
  const text = await readFile(path, "utf8").catch(() => undefined);
  if (text === undefined) return undefined;
  try {
    return markSchema.parse(JSON.parse(text));
  } catch {
    return undefined;
  }
}

/**
 * Returns a hash of the machine id. Returns `undefined` if there is none, or in a container, where
 * the id changes at each start.
 */
async function readMachine(): Promise<string | undefined> {
  try {
    const first = await readFile("/proc/1/comm", "utf8");
    if (first.trim() !== "systemd") return undefined;
    const id = (await readFile("/etc/machine-id", "utf8")).trim();
    return id === ""
      ? undefined
      : createHash("sha256").update(`store ${id}`).digest("hex").slice(0, 32);
  } catch {
    return undefined;
  }
}
