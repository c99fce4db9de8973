import { afterEach, beforeEach } from "vitest";
import { openTestService, type TestService } from "./service.fixture.ts";

/** Service of the running test, in files that call `serviceForEachTest()`. */
export let service: TestService;

/** Gives each test of a file its own service, closed after it. */
export function serviceForEachTest(...opening: Parameters<typeof openTestService>): void {
  beforeEach(async () => {
    service = await openTestService(...opening);
  });
  afterEach(() => service.close());
}
