import { once } from "node:events";
import { createServer, get, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { buffer } from "node:stream/consumers";

/** A bare server of some pages of our server, with the same headers and bytes. */
const [port = "", ...paths] = process.argv.slice(2);
const pages = new Map<string, { headers: object; body: Buffer }>();
for (const path of paths) {
  const request = get({ port, path, headers: { "Accept-Encoding": "br" } });
  const [response] = (await once(request, "response")) as [IncomingMessage];
  const { date: _, connection: __, ...headers } = response.headers;
  pages.set(path, { headers, body: await buffer(response) });
}
const server = createServer((request, response) => {
  const page = pages.get(request.url ?? "");
  if (!page) return response.writeHead(404).end();
  response.writeHead(200, { ...page.headers }).end(page.body);
});
server.listen(0, "127.0.0.1", () => process.send?.((server.address() as AddressInfo).port));
process.on("disconnect", () => process.exit());
