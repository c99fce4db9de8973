import { join } from "node:path";
import { afterEach, beforeEach, expect } from "vitest";
import { runCommand as runLedger } from "../../server/cli/ledger.ts";
import { runCommand as runRequests } from "../../server/cli/requests.ts";
import { openTestSite, type TestSite } from "./test-site.ts";

/** The current test's site. Available in files that call `openSiteForEachTest()`. */
export let site: TestSite;

/** Opens a site for each test of the file. Any reported error fails the test. */
export function openSiteForEachTest(): void {
  beforeEach(async () => {
    site = await openTestSite();
  });
  afterEach(async () => {
    expect(site.faults).toEqual([]);
    await site[Symbol.asyncDispose]();
  });
}

export type Operator = Awaited<ReturnType<TestSite["signInAs"]>>;

/** Makes a backup and an export as the operator Nadia. */
export async function copyEverything(): Promise<void> {
  for (const [run, command, file] of [
    [runRequests, "backup", "copy.sqlite"],
    [runLedger, "export", "copy.sealed"],
  ] as const) {
    const words = [command, join(site.dataDir, file), "--as", "Nadia"];
    expect(await run(words, site.foundation)).toMatchObject({ code: 0 });
  }
}
