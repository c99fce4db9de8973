import type { Socket } from "node:net";

/** Index of the parser's callback for a piece of the body (`HTTPParser.kOnBody`). */
const onBody = 3;

/** Undocumented parts of Node's HTTP parser. */
type Parser = { onIncoming?: () => number; pause?: () => void; [onBody]?: unknown };

/**
 * Stops Node from parsing data that it has already read from a connection. Destroying the socket
 * doesn't stop the parser: one read contains up to 1,500 requests or 10,000 pieces of a body, and
 * Node emits all of them before it does anything else. With 20 such connections, the 99th
 * percentile of other visitors' page times rises from about 200 ms to 1,000 ms; we promise 250 ms.
 * Because no documented API does this, the function changes internals of the parser. If a later
 * Node version renames them, the function does nothing, and a test in `listener.test.ts` fails.
 */
export function stopParsing(socket: Socket): void {
  const { parser } = socket as Socket & { parser?: Parser | null };
  const take = parser?.[onBody];
  if (!take) return;
  parser.onIncoming = () => 0;
  parser[onBody] = undefined;
  parser.pause?.();
  // Node reuses the parser for another connection, which needs the callback for its own bodies.
  socket.prependOnceListener("close", () => {
    parser[onBody] = take;
  });
}
