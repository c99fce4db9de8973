import { type Logger, pino } from "pino";
import type { Config } from "./config.ts";

/**
 * The log of the running server: lines of JSON on standard output. Serving never waits for it and never ends because
 * of it: lines that cannot be written are dropped and counted.
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
 * A path as the log may have it: the words and small numbers with which it begins, as all of ours do, or a built file. A
 * token is neither, however a program spelled what stands before it.
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
  /** Calls back when nothing is held any more, or cannot be written now. */
  flush(done: () => void): void;
};

/** Lines are held while the destination is slow or full, up to this much. */
const mostHeldLength = 1 << 20;
/** Lines are written together, as soon as there are so many or this time has passed. */
const enoughLength = 1 << 12;
const longestWaitMs = 100;

/** @param fd standard output, unless a test says otherwise */
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
  // A full disk, a reader that went away: nobody can be told, and the site has other things to do. Nor may the end of the
  // process wait for room: pino would try again for ever.
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
    // The first is over with what was under way.
    flush: (done) => destination.flush(() => destination.flush(() => done())),
  };
}
