import { type Logger, pino } from "pino";
import { prettyFactory } from "pino-pretty";
import type { Config } from "./config.ts";

/**
 * Creates the running server's logger. Writes JSON lines to standard output, or readable lines at a
 * terminal. Requests never wait for the log or fail because of it. Lines that can't be written are
 * dropped and counted.
 */
export function createLog(
  level: Config["logLevel"],
  destination: LogDestination = process.stdout.isTTY
    ? createTerminalDestination({ hasColors: process.stdout.hasColors() })
    : createLogDestination(),
): Logger {
  return pino(
    {
      level,
      base: null,
      redact: {
        paths: ["email", "*.email", "token", "*.token", "req", "res"],
        censor: "[removed]",
      },
      serializers: { path: placeOf },
    },
    destination,
  );
}

const longestPath = 200;
const ourSegment = /^(?:[a-z-]+(?:\.[a-z]+)?|\d{1,6})$/;
const builtFile = /^\/(?:assets|art)\/[\w.-]+$/;

/**
 * Truncates a path for the log at the first segment that isn't a plain word or a small number.
 * Keeps the complete path of a built file. The result never contains a token, whatever encoding the
 * client used.
 */
function placeOf(path: unknown): string {
  const [plain = ""] = String(path).slice(0, longestPath).split("?", 1);
  if (plain === "/" || builtFile.test(plain)) return plain;
  if (!plain.startsWith("/")) return "-";
  const segments = plain.slice(1).split("/");
  const other = segments.findIndex((segment) => !ourSegment.test(segment));
  return other < 0 ? plain : ["", ...segments.slice(0, other), "-"].join("/");
}

export type LogDestination = {
  write(line: string): void;
  /** Calls `done` once the buffer is empty or nothing can be written. */
  flush(done: () => void): void;
};

/** Maximum number of characters to buffer while the destination is slow or full. */
const mostHeldLength = 1 << 20;
/**
 * Minimum length of a batch of lines, in characters. A shorter batch is written after
 * `longestWaitMs`.
 */
const enoughLength = 1 << 12;
const longestWaitMs = 100;

/** @param fd file descriptor; defaults to standard output */
export function createLogDestination(fd = 1): LogDestination {
  let lost = 0;
  const destination = pino.destination({
    dest: fd,
    sync: false,
    minLength: enoughLength,
    maxLength: mostHeldLength,
    periodicFlush: longestWaitMs,
  });
  destination.on("drop", () => {
    lost++;
  });
  // If the disk is full or the pipe is closed, the site must keep running. The process must also
  // exit without waiting for space, because pino would retry forever.
  destination.on("error", () => {
    destination.flushSync = () => {};
  });
  destination.on("drain", () => {
    if (lost === 0) return;
    const notice = { level: 40, time: Date.now(), lines: lost, msg: "log lines were lost" };
    lost = 0;
    destination.write(`${JSON.stringify(notice)}\n`);
  });
  return {
    write: (line) => void destination.write(line),
    // Flushes twice, because the first flush only completes the write in progress.
    flush: (done) => destination.flush(() => destination.flush(() => done())),
  };
}

/**
 * Creates a log destination for a terminal, with one short line per event.
 * @param hasColors whether the terminal supports colors
 */
export function createTerminalDestination(
  { hasColors }: { hasColors: boolean },
  destination: LogDestination = createLogDestination(),
): LogDestination {
  const shared = { colorize: hasColors, translateTime: "SYS:HH:MM:ss" };
  const formatRequest = prettyFactory({
    ...shared,
    hideObject: true,
    messageFormat: "{method} {path} {status} in {ms} ms",
  });
  const formatOther = prettyFactory({ ...shared, singleLine: true });
  return {
    ...destination,
    write: (line) => {
      const facts = JSON.parse(line);
      destination.write(facts.msg === "request" ? formatRequest(facts) : formatOther(facts));
    },
  };
}
