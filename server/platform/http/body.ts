import type { IncomingMessage } from "node:http";

/**
 * Reads request bodies as they arrive. Rejects bodies that are too long, too slow or split into too
 * many pieces.
 */

export type Body =
  | { kind: "bytes"; bytes: Uint8Array }
  /** `gone` means that the client hung up. The other kinds require a response. */
  | { kind: "too-large" | "too-slow" | "too-many-pieces" | "gone" };

export const bodyLimits = {
  /** Enough for 5,000 percent-encoded characters of four bytes each, plus the other fields. */
  bytes: 80 * 1024,
  /**
   * A body may take ten seconds plus one second for every 500 bytes received (like MinRate in
   * Apache's RequestReadTimeout). A phone on 2G sends 2,500 bytes per second and never reaches the
   * limit. A client that sends a byte every few seconds reaches it after about ten seconds.
   */
  firstMs: 10_000,
  bytesPerSecond: 500,
  /**
   * Allows `freePieces` pieces plus one for every `bytesPerPiece` bytes. Each piece costs 1.5 µs
   * regardless of its size, so a body of tiny pieces could occupy the thread. Browsers, proxies and
   * HTTP libraries send thousands of bytes per piece; a program that writes line by line sends a
   * few dozen pieces.
   */
  freePieces: 64,
  bytesPerPiece: 32,
  /**
   * Maximum number of concurrent slow bodies (longer than `firstMs`) per client. Wider networks get
   * a multiple of it. A mobile carrier has thousands of phones behind one IP address, but few of
   * them send a long text on 2G in the same minute.
   */
  slowPerClient: 64,
  /**
   * How long to keep reading a body that is too long, in milliseconds. A client that is
   * disconnected while sending would never see the response.
   */
  lingerMs: 1_000,
  discardedBytes: 1024 * 1024,
};

/** Maximum time that a body may take, in milliseconds. */
export const longestBodyMs =
  bodyLimits.firstMs + (bodyLimits.bytes / bodyLimits.bytesPerSecond) * 1_000;

type Limits = typeof bodyLimits;

/**
 * Reserves a slot for a client's slow body. Returns a function that frees the slot, or `undefined`
 * if no slot is free.
 */
export type TakeSlowPlace = () => (() => void) | undefined;

/**
 * Reads a body. Starts immediately, to count pieces that arrive together with the headers.
 * @param options.onEnd receives the number of bytes and pieces to charge for
 */
export function readBody(
  incoming: IncomingMessage,
  options: {
    most?: number;
    limits?: Limits;
    takeSlowPlace?: TakeSlowPlace;
    onEnd?: (received: { bytes: number; pieces: number }, kind: Body["kind"]) => void;
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
      discardRest();
    }
    if (!isTooLarge) {
      if (bytes > kept.byteLength) kept = grow(kept, Math.min(most, Math.max(bytes, 2 * at)));
      piece.copy(kept, at);
    } else if (bytes - most > limits.discardedBytes) end({ kind: "too-large" });
  }

  function discardRest(): void {
    clearTimeout(timer);
    kept = Buffer.alloc(0);
    timer = setTimeout(end, limits.lingerMs, { kind: "too-large" });
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
    // Ignores a later disconnect, because the body has been read or rejected.
    incoming.on("error", () => {});
    if (body.kind !== "bytes") incoming.pause();
    options.onEnd?.({ bytes, pieces }, body.kind);
    resolve(body);
  }

  if (isTooLarge) discardRest();
  else timer = setTimeout(judgeProgress, limits.firstMs);
  incoming.on("data", take).on("end", finish).on("close", leave).on("error", leave);
  return promise;
}

/** Initial size of the buffer, enough for most forms. */
const firstBytes = 4 * 1024;

function grow(kept: Buffer, size: number): Buffer {
  const larger = Buffer.allocUnsafe(size);
  kept.copy(larger);
  return larger;
}
