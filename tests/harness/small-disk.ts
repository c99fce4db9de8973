import { spawnSync } from "node:child_process";
import { mkdirSync } from "node:fs";
import { open } from "node:fs/promises";
import { join } from "node:path";

/** Why a folder cannot become a file system of its own with so many KB, or undefined once it is one. */
export function mountSmallDisk(folder: string, kilobytes: number): string | undefined {
  if (process.platform !== "linux" || process.getuid?.() !== 0) {
    return "needs a small file system, which only root on Linux may make";
  }
  mkdirSync(folder, { recursive: true });
  const mounted = spawnSync("mount", ["-t", "tmpfs", "-o", `size=${kilobytes}k`, "tmpfs", folder]);
  return mounted.status === 0 ? undefined : "this system does not let root make a file system";
}

export function unmount(folder: string): void {
  spawnSync("umount", ["-l", folder]);
}

/** Fills the disk of a folder to its last byte. Returns the file whose removal makes room again. */
export async function fillDisk(folder: string): Promise<string> {
  const path = join(folder, "big");
  const big = await open(path, "w");
  for (const size of [64 * 1024, 4096, 1]) {
    const block = Buffer.alloc(size, 1);
    await (async () => {
      for (;;) await big.write(block);
    })().catch(() => {});
  }
  await big.close();
  return path;
}
