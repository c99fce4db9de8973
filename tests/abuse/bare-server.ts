import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

/**
 * Baseline server that always responds with "ok". Its response times, measured by the same prober,
 * show how busy the machine is.
 */
const server = createServer((_request, response) => response.end("ok"));
server.listen(0, "127.0.0.1", () => process.send?.((server.address() as AddressInfo).port));
process.on("disconnect", () => process.exit());
