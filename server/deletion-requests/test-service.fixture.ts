import { afterEach, beforeEach } from "vitest";
import { openTestService, type TestService } from "./service.fixture.ts";

/** The service of the test that runs, in a file that begins with `serviceForEachTest()`. */
export let service: TestService;

/**
 * Each test of the file begins in a service of its own, which is closed behind it.
 * @param start when it begins, where it is not as `openTestService` says
 */
export function serviceForEachTest(start?: string): void {
  beforeEach(async () => {
    service = await openTestService(start);
  });
  afterEach(() => service.close());
}
