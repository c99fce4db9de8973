import type { Socket } from "node:net";

/** Index of the parser's callback for a piece of the body (`HTTPParser.kOnBody`). */
const onBody = 3;

/** Undocumented parts of Node's HTTP parser. */
type Parser = { onIncoming?: () => number; pause?: () => void; [onBody]?: unknown };

/**
 * Stops Node from parsing data that it has already read from a connection that is about to end.
 * Destroying the socket doesn't stop the parser: one read contains up to 1,500 requests or 10,000
 * pieces of a body, and Node calls us for each of them before it does anything else. Measured: with
 * 20 such connections, the 99th percentile of other visitors' page times rises from about 200 ms to
 * 1,000 ms, and we promise 250 ms. No documented API does this, so this function reaches into the
 * parser. If a later Node renames these parts, this function does nothing, and a test in
 * `listener.test.ts` fails.
 */
export function stopParsing(socket: Socket): void {
  const { parser } = socket as Socket & { parser?: Parser | null };
  const take = parser?.[onBody];
  if (!take) return;
  parser.onIncoming = () => 0;
  parser[onBody] = undefined;
  parser.pause?.();
  // Node reuses the parser for another connection, which needs the callback for its bodies.
  socket.prependOnceListener("close", () => {
    parser[onBody] = take;
  });
}
