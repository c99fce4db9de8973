import { spawnSync } from "node:child_process";
import { mkdirSync } from "node:fs";
import { open } from "node:fs/promises";
import { join } from "node:path";
import type { TestContext } from "vitest";

/**
 * Mounts a file system of this size on a folder until disposal. Skips the test if the system
 * doesn't allow mounting.
 */
export function mountSmallDisk(path: string, kilobytes: number, context: TestContext) {
  if (process.platform !== "linux" || process.getuid?.() !== 0) {
    context.skip("needs root on Linux to mount a small file system");
  }
  mkdirSync(path, { recursive: true });
  const how = ["-t", "tmpfs", "-o", `size=${kilobytes}k`, "tmpfs", path];
  const { status } = spawnSync("mount", how);
  if (status !== 0) context.skip("this system doesn't let root mount a file system");
  return { path, [Symbol.dispose]: () => void spawnSync("umount", ["-l", path]) };
}

/** Fills the disk to the last byte. Returns the path of the file to delete to free the space. */
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
