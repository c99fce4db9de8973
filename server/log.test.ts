import { closeSync, openSync, readFileSync } from "node:fs";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { mountSmallDisk, unmount } from "../tests/harness/small-disk.ts";
import { createLog, createLogDestination, type LogDestination } from "./log.ts";

let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "log-"));
});

afterEach(async () => {
  await rm(folder, { recursive: true });
});

const flushed = (destination: LogDestination) =>
  new Promise<void>((resolve) => destination.flush(resolve));

const linesOf = (path: string) =>
  readFileSync(path, "utf8")
    .split("\n")
    .filter(Boolean)
    .map((line) => JSON.parse(line) as Record<string, unknown>);

test("lines arrive whole and in order", async () => {
  const path = join(folder, "log");
  const fd = openSync(path, "w");
  const destination = createLogDestination(fd);
  const log = createLog("info", destination);
  for (let line = 0; line < 1000; line++) log.info({ line }, "ü");
  await flushed(destination);
  closeSync(fd);
  expect(linesOf(path).map(({ line }) => line)).toEqual(Array.from({ length: 1000 }, (_, i) => i));
});

test("a device without room loses lines and nothing else", async () => {
  const fd = openSync("/dev/full", "w");
  const destination = createLogDestination(fd);
  const log = createLog("info", destination);
  for (let line = 0; line < 100; line++) log.info({ line });
  await flushed(destination);
  closeSync(fd);
});

test("a disk that was full tells how many lines it lost, once there is room", async (context) => {
  const skipped = mountSmallDisk(folder, 64);
  if (skipped) return context.skip(skipped);
  try {
    const path = join(folder, "log");
    const fd = openSync(path, "a");
    const destination = createLogDestination(fd);
    const log = createLog("info", destination);
    await writeFile(join(folder, "big"), "x".repeat(60_000));
    for (let line = 0; line < 1000; line++) {
      log.info({ line });
      if (line % 100 === 0) await flushed(destination);
    }
    await flushed(destination);
    await rm(join(folder, "big"));
    log.info({ line: "later" });
    await flushed(destination);
    closeSync(fd);
    const text = readFileSync(path, "utf8").split("\n").filter(Boolean);
    const [lost, later] = text.slice(-2).map((line) => JSON.parse(line));
    expect(later).toMatchObject({ line: "later" });
    expect(lost).toMatchObject({ msg: "log lines were lost" });
    // One line may stand there in part.
    const whole = text.filter((line) => line.endsWith("}")).length - 2;
    expect(lost.lines + whole).toBeGreaterThanOrEqual(1000);
    expect(whole).toBeGreaterThan(0);
  } finally {
    unmount(folder);
  }
});

const token = "tOkEn-0123456789_AbCdEfGhIjKlMnOpQrStUvWxYz";

test.each([
  ["/", "/"],
  ["/faq?lang=bn", "/faq"],
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
])("of %s the log has %s", (path, place) => {
  const lines: string[] = [];
  const log = createLog("info", {
    write: (line) => void lines.push(line),
    flush: (done) => done(),
  });
  log.info({ path }, "request");
  log.child({ path }, { redact: [] }).info("request");
  expect(lines.map((line) => JSON.parse(line).path)).toEqual([place, place]);
});
