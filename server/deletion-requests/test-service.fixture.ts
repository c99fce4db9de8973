import { afterEach, beforeEach } from "vitest";
import { openTestService, type TestService } from "./service.fixture.ts";

/** Service of the running test, in files that call `serviceForEachTest()`. */
export let service: TestService;

/**
 * Gives each test of a file its own service, closed after it.
 * @param start initial time, if not the default of `openTestService`
 */
export function serviceForEachTest(start?: string): void {
  beforeEach(async () => {
    service = await openTestService(start);
  });
  afterEach(() => service.close());
}
