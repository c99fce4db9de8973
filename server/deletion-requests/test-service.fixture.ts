import { afterEach, beforeEach } from "vitest";
import { openTestService, type TestService } from "./service.fixture.ts";

/** The current test's service. Set only in files that call `serviceForEachTest()`. */
export let service: TestService;

export function serviceForEachTest(...opening: Parameters<typeof openTestService>): void {
  beforeEach(async () => {
    service = await openTestService(...opening);
  });
  afterEach(() => service.close());
}
