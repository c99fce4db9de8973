import { enterRestored } from "../../server/deletion-requests/keeping/restore.ts";
import type { TestSite } from "./test-site.ts";

/** What is stored is from now on a copy that was put back, and waits for somebody to look at it. */
export async function putBackCopy(site: Pick<TestSite, "foundation" | "clock">): Promise<void> {
  const at = site.clock();
  await enterRestored(site.foundation, {
    name: "Nadia",
    at,
    knownUntil: at,
    report: { copies: [{ file: "copy", takenAt: at.toString() }], restored: [], same: 0 },
  });
}
