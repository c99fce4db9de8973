import { createServer } from "node:http";

/** A server that does nothing, asked by the same prober as the one under siege: what it needs is the machine's doing. */
const server = createServer((_request, response) => response.end("ok"));
server.listen(0, "127.0.0.1", () => {
  const address = server.address();
  process.send?.(typeof address === "object" && address ? address.port : 0);
});
process.on("disconnect", () => process.exit());
