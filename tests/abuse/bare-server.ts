import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

/**
 * Baseline server that does nothing but respond. Its response times, measured by the same prober,
 * show the machine's noise.
 */
const server = createServer((_request, response) => response.end("ok"));
server.listen(0, "127.0.0.1", () => process.send?.((server.address() as AddressInfo).port));
process.on("disconnect", () => process.exit());
