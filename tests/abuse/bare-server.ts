import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

/** A server that does nothing, asked by the same prober as the one under abuse: what it needs is the machine's doing. */
const server = createServer((_request, response) => response.end("ok"));
server.listen(0, "127.0.0.1", () => process.send?.((server.address() as AddressInfo).port));
process.on("disconnect", () => process.exit());
