import { write } from "node:fs";
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
  /** Calls back when nothing is held any more. */
  flush(done: () => void): void;
};

/** Lines are held while the destination is slow, up to this much. */
const mostHeldLength = 1 << 20;
/** Lines are written together, as soon as there are so many or the first has waited so long. */
const enoughLength = 1 << 16;
const longestWaitMs = 20;
/** How soon a destination that was busy is tried again. */
const tryAgainMs = 20;

/** @param fd standard output, unless a test says otherwise */
export function createLogDestination(fd = 1): LogDestination {
  let held = "";
  let heldLines = 0;
  let lostLines = 0;
  let isWriting = false;
  let timer: NodeJS.Timeout | undefined;
  let startsAmidLine = false;
  const waiting: (() => void)[] = [];

  function writeHeld(): void {
    clearTimeout(timer);
    timer = undefined;
    if (isWriting) return;
    if (heldLines === 0) {
      for (const done of waiting.splice(0)) done();
      return;
    }
    isWriting = true;
    const told = lostLines;
    const lines = heldLines;
    const chunk = Buffer.from((startsAmidLine ? "\n" : "") + tellLost(told) + held);
    held = "";
    heldLines = 0;
    put(fd, chunk, 0, (written) => {
      isWriting = false;
      if (written === chunk.length) {
        lostLines -= told;
        startsAmidLine = false;
      } else {
        // A full disk, a reader that went away: nobody can be told, and the site has other things to do.
        lostLines += lines;
        startsAmidLine ||= written > 0;
      }
      writeSoon();
    });
  }

  function writeSoon(): void {
    if (held.length >= enoughLength || waiting.length > 0) writeHeld();
    else if (heldLines > 0) timer ??= setTimeout(writeHeld, longestWaitMs);
  }

  return {
    write(line) {
      if (held.length > mostHeldLength) {
        lostLines++;
        return;
      }
      held += line;
      heldLines++;
      writeSoon();
    },
    flush(done) {
      waiting.push(done);
      writeHeld();
    },
  };
}

function tellLost(lines: number): string {
  if (lines === 0) return "";
  return `${JSON.stringify({ level: 40, time: Date.now(), lines, msg: "log lines were lost" })}\n`;
}

/** Writes all of it, however often the destination is busy; calls back with how far it came. */
function put(fd: number, chunk: Buffer, from: number, done: (written: number) => void): void {
  write(fd, chunk, from, chunk.length - from, null, (error, count) => {
    if (error?.code === "EAGAIN") setTimeout(() => put(fd, chunk, from, done), tryAgainMs);
    else if (error) done(from);
    else if (from + count < chunk.length) put(fd, chunk, from + count, done);
    else done(chunk.length);
  });
}
