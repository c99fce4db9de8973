import { join } from "node:path";
import { afterEach, beforeEach, expect } from "vitest";
import { runCommand as runLedger } from "../../server/command-line/ledger.ts";
import { runCommand as runRequests } from "../../server/command-line/requests.ts";
import { openTestSite, type TestSite } from "./test-site.ts";

/** The site of the test that runs, in a file that begins with `openSiteForEachTest()`. */
export let site: TestSite;

/** Each test of the file begins on a site of its own, on which nothing may break. */
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

/** Nadia makes a backup and an export. */
export async function copyEverything(): Promise<void> {
  for (const [run, command, file] of [
    [runRequests, "backup", "copy.sqlite"],
    [runLedger, "export", "copy.sealed"],
  ] as const) {
    const words = [command, join(site.dataDir, file), "--as", "Nadia"];
    expect(await run(words, site.foundation)).toMatchObject({ code: 0 });
  }
}
