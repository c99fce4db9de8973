import { type Logger, pino } from "pino";
import type { Config } from "./config.ts";

/**
 * Log of the running server: lines of JSON on standard output. Serving never waits for it or
 * ends because of it: lines that can't be written are dropped and counted.
 */
export function createLog(
  level: Config["logLevel"],
  destination: LogDestination = createLogDestination(),
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
 * Shortens a path for the log to its leading words and small numbers, as in all our paths, or a
 * built file's name. This removes a token, however a program encoded the text before it.
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
  /** Calls back when nothing is held any more, or nothing can be written now. */
  flush(done: () => void): void;
};

/** Characters held while the destination is slow or full. */
const mostHeldLength = 1 << 20;
/** Lines are written together, as soon as they have this length or this time has passed. */
const enoughLength = 1 << 12;
const longestWaitMs = 100;

/** @param fd standard output, except in tests */
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
  // With a full disk or a closed pipe there is nobody to tell, and the site has to go on. The
  // end of the process must not wait for room either: pino would retry forever.
  destination.on("error", () => {
    destination.flushSync = () => {};
  });
  destination.on("drain", () => {
    if (lost === 0) return;
    const told = { level: 40, time: Date.now(), lines: lost, msg: "log lines were lost" };
    lost = 0;
    destination.write(`${JSON.stringify(told)}\n`);
  });
  return {
    write: (line) => void destination.write(line),
    // The first flush completes what was under way.
    flush: (done) => destination.flush(() => destination.flush(() => done())),
  };
}
