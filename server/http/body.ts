import type { IncomingMessage } from "node:http";

/** Reads the body of a request while it comes, and gives up on one that is too long, too slow or in crumbs. */

export type Body =
  | { kind: "bytes"; bytes: Uint8Array }
  /** `gone`: its sender hung up. The others are told why. */
  | { kind: "too-large" | "too-slow" | "too-many-pieces" | "gone" };

export const bodyLimits = {
  /** Room for 5,000 characters of four bytes each, percent-encoded, and the other fields. */
  bytes: 80 * 1024,
  /**
   * A body has ten seconds, and one more for every 500 bytes that arrived (Apache's RequestReadTimeout has the same
   * MinRate). A phone on 2G sends 2,500 bytes a second and is never ended; a byte every few seconds is, after ten.
   */
  firstMs: 10_000,
  bytesPerSecond: 500,
  /**
   * Each piece costs 1.5 µs however little is in it, so 64 KB in pieces of one byte would hold the thread for 16 ms. Pieces
   * of 32 bytes on average are the smallest that are read to the end, beyond the first ones: browsers, proxies and HTTP
   * libraries send some thousand bytes in each, and a program that writes line by line some dozen.
   */
  freePieces: 64,
  bytesPerPiece: 32,
  /**
   * Bodies of one client that take longer than `firstMs`; its wider networks have their shares. A mobile carrier puts
   * thousands of phones behind one address, but few of them send a long text on 2G in the same minute.
   */
  slowPerClient: 64,
  /** What still comes of a body that is too long is thrown away for so long: who is cut off while sending hears no answer. */
  farewellMs: 1_000,
  farewellBytes: 1024 * 1024,
};

/** The longest that any body may take, in milliseconds. */
export const longestBodyMs =
  bodyLimits.firstMs + (bodyLimits.bytes / bodyLimits.bytesPerSecond) * 1_000;

type Limits = typeof bodyLimits;

/** Takes a place among the slow bodies of a client, and gives it back; undefined where there is none. */
export type TakeSlowPlace = () => (() => void) | undefined;

/**
 * Starts to read now, so that pieces that arrive together with the headers are counted one by one.
 * @param options.onEnd told how many bytes and pieces came, for whoever counts what they cost
 */
export function readBody(
  incoming: IncomingMessage,
  options: {
    most?: number;
    limits?: Limits;
    takeSlowPlace?: TakeSlowPlace;
    onEnd?: (came: { bytes: number; pieces: number }, kind: Body["kind"]) => void;
  } = {},
): Promise<Body> {
  const { limits = bodyLimits, takeSlowPlace } = options;
  const most = options.most ?? limits.bytes;
  const stated = Number(incoming.headers["content-length"] ?? 0);
  const { promise, resolve } = Promise.withResolvers<Body>();
  const started = performance.now();
  let kept: Buffer = Buffer.allocUnsafe(Math.min(stated, most, firstBytes));
  let bytes = 0;
  let pieces = 0;
  let isTooLarge = stated > most;
  let timer: NodeJS.Timeout | undefined;
  let leaveSlowPlace: (() => void) | undefined;

  function take(piece: Buffer): void {
    pieces++;
    const at = bytes;
    bytes += piece.byteLength;
    if (pieces > limits.freePieces + bytes / limits.bytesPerPiece) {
      end({ kind: "too-many-pieces" });
      return;
    }
    if (!isTooLarge && bytes > most) {
      isTooLarge = true;
      sayFarewell();
    }
    if (!isTooLarge) {
      if (bytes > kept.byteLength) kept = grow(kept, Math.min(most, Math.max(bytes, 2 * at)));
      piece.copy(kept, at);
    } else if (bytes - most > limits.farewellBytes) end({ kind: "too-large" });
  }

  function sayFarewell(): void {
    clearTimeout(timer);
    kept = Buffer.alloc(0);
    timer = setTimeout(end, limits.farewellMs, { kind: "too-large" });
  }

  function judgeProgress(): void {
    const allowedMs = limits.firstMs + (bytes / limits.bytesPerSecond) * 1_000;
    leaveSlowPlace ??= takeSlowPlace ? takeSlowPlace() : () => {};
    if (!leaveSlowPlace || performance.now() - started >= allowedMs) end({ kind: "too-slow" });
    else timer = setTimeout(judgeProgress, 1_000);
  }

  function finish(): void {
    end(isTooLarge ? { kind: "too-large" } : { kind: "bytes", bytes: kept.subarray(0, bytes) });
  }
  const leave = () => end({ kind: "gone" });

  function end(body: Body): void {
    clearTimeout(timer);
    leaveSlowPlace?.();
    incoming.off("data", take).off("end", finish).off("close", leave).off("error", leave);
    // A sender that hangs up now is no fault.
    incoming.on("error", () => {});
    if (body.kind !== "bytes") incoming.pause();
    options.onEnd?.({ bytes, pieces }, body.kind);
    resolve(body);
  }

  if (isTooLarge) sayFarewell();
  else timer = setTimeout(judgeProgress, limits.firstMs);
  incoming.on("data", take).on("end", finish).on("close", leave).on("error", leave);
  return promise;
}

/** Most forms are shorter. */
const firstBytes = 4 * 1024;

function grow(kept: Buffer, size: number): Buffer {
  const larger = Buffer.allocUnsafe(size);
  kept.copy(larger);
  return larger;
}
