import { afterEach, beforeEach } from "vitest";
import { openOffice, type TestOffice } from "./office.fixture.ts";

/** The office of the test that runs, in a file that begins with `openOfficeForEachTest()`. */
export let office: TestOffice;

/**
 * Each test of the file begins in an office of its own, which is closed behind it.
 * @param start when it begins, where it is not as `openOffice` says
 */
export function openOfficeForEachTest(start?: string): void {
  beforeEach(async () => {
    office = await openOffice(start);
  });
  afterEach(() => office.close());
}
