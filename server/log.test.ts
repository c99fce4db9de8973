import { openSync, readFileSync } from "node:fs";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import type { Logger } from "pino";
import { expect, test } from "vitest";
import { folder, folderForEachTest } from "../tests/harness/folder.ts";
import { fillDisk, mountSmallDisk } from "../tests/harness/small-disk.ts";
import {
  createLog,
  createLogDestination,
  createTerminalDestination,
  type LogDestination,
} from "./log.ts";

folderForEachTest();

const flushed = (destination: LogDestination) =>
  new Promise<void>((resolve) => destination.flush(resolve));

const linesOf = (path: string) =>
  readFileSync(path, "utf8")
    .split("\n")
    .filter(Boolean)
    .map((line) => JSON.parse(line) as Record<string, unknown>);

test("counts the lines that were lost while the disk was full", async (context) => {
  using disk = mountSmallDisk(folder, 4096, context);
  const path = join(disk.path, "log");
  const fd = openSync(path, "a");
  const big = await fillDisk(disk.path);
  const destination = createLogDestination(fd);
  const log = createLog("info", destination);
  for (let line = 0; line < 30_000; line++) log.info({ line });
  await flushed(destination);
  await rm(big);
  await flushed(destination);
  await flushed(destination);
  // Keeps the file descriptor open. The log still retries buffered lines, which must not be written
  // to the next file that gets this descriptor.
  const lines = linesOf(path);
  const warning = lines.pop();
  expect(warning).toMatchObject({ msg: "log lines were lost" });
  // Lines that were being written when the disk filled up may be repeated. The count covers every
  // missing line.
  const numbers = [...new Set(lines.map(({ line }) => line))];
  expect(numbers).toEqual(numbers.map((_, index) => index));
  expect(lines.length + Number(warning?.lines)).toBeGreaterThanOrEqual(30_000);
});

/** Returns the lines that a log writes. */
function logged(write: (log: Logger) => void): string[] {
  const lines: string[] = [];
  write(createLog("info", { write: (line) => void lines.push(line), flush: (done) => done() }));
  return lines;
}

test("redacts email addresses, tokens and request objects, including those one level deep", () => {
  const bait = { email: "bait@uni.example", token: "bait-token" };
  const [line = "", ...moreLines] = logged((log) =>
    log.info({ ...bait, request: bait, req: bait, res: bait }, "message"),
  );
  expect(moreLines).toEqual([]);
  expect(line).not.toContain("bait");
  expect(JSON.parse(line)).toMatchObject({
    email: "[removed]",
    token: "[removed]",
    request: { email: "[removed]", token: "[removed]" },
    req: "[removed]",
    res: "[removed]",
  });
});

const token = "tOkEn-0123456789_AbCdEfGhIjKlMnOpQrStUvWxYz";

test.each([
  ["/", "/"],
  ["/bn/faq?utm=1", "/bn/faq"],
  ["/blog/1", "/blog/1"],
  ["/operator/figures.csv", "/operator/figures.csv"],
  ["/assets/form-Bx9_dK-2.js", "/assets/form-Bx9_dK-2.js"],
  [`/${"a".repeat(15_000)}`, `/${"a".repeat(199)}`],
  [`/delete-my-account?link=${token}`, "/delete-my-account"],
  [`/delete-my-account%3Flink=${token}`, "/-"],
  [`/delete-my-account%253Flink%253D${token}`, "/-"],
  [`/delete-my-account;link=${token}`, "/-"],
  [`/delete-my-account=${token}`, "/-"],
  [`/operator/enrol%23${token}`, "/operator/-"],
  [`/operator/enrol#${token}`, "/operator/-"],
  [`/operator/requests/${token}`, "/operator/requests/-"],
  [`/operator/requests/${token}/`, "/operator/requests/-"],
  [`/operator//requests/${token}`, "/operator/-"],
  [`//operator/requests/${token}`, "/-"],
  [`/operator/%72equests/${token}`, "/operator/-"],
  [`/operator/./requests/${token}`, "/operator/-"],
  [`\\operator\\${token}`, "-"],
  ["/operator/requests/2TD5WXYZ", "/operator/requests/-"],
  ["/delete-my-account/anika@uni.example", "/delete-my-account/-"],
])("logs the path %s as %s", (path, place) => {
  const lines = logged((log) => {
    log.info({ path }, "request");
    log.child({ path }, { redact: [] }).info("request");
  });
  expect(lines.map((line) => JSON.parse(line).path)).toEqual([place, place]);
});

test("writes short readable lines at a terminal", () => {
  const lines: string[] = [];
  const collected = {
    write: (line: string) => void lines.push(line.replace(/^\[[\d:]+\] /, "")),
    flush: (done: () => void) => done(),
  };
  const log = createLog("info", createTerminalDestination({ hasColors: false }, collected));
  log.info({ method: "GET", path: "/faq", status: 200, ms: 3, id: "r-1" }, "request");
  log.warn({ byMs: 5000 }, "the clock jumped");
  expect(lines).toEqual(["INFO: GET /faq 200 in 3 ms\n", 'WARN: the clock jumped {"byMs":5000}\n']);
});
