import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach } from "vitest";

/** The current test's folder. Available in files that call `folderForEachTest()`. */
export let folder: string;

/** Creates a temporary folder before each test and removes it afterward. */
export function folderForEachTest(): void {
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), "test-"));
  });
  // A stopped server may still be closing files there.
  afterEach(() => rm(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 }));
}
