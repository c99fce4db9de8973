import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach } from "vitest";

/** The folder of the test that runs, in a file that begins with `folderForEachTest()`. */
export let folder: string;

/** Each test of the file has a folder of its own, which goes with it. */
export function folderForEachTest(): void {
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), "test-"));
  });
  // A server that hears nobody any more may still be closing its files there.
  afterEach(() => rm(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 }));
}
