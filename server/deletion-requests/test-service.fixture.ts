import { afterEach, beforeEach } from "vitest";
import { openTestService, type TestService } from "./service.fixture.ts";

/** The current test's service, in files that call `serviceForEachTest()`. */
export let service: TestService;

/** Gives each test in a file a service of its own, which is closed after the test. */
export function serviceForEachTest(...opening: Parameters<typeof openTestService>): void {
  beforeEach(async () => {
    service = await openTestService(...opening);
  });
  afterEach(() => service.close());
}
