import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

/** A page of the bare server, with the same headers and bytes as the site's page. */
export type BarePage = { path: string; headers: string[]; body: string };

const pages = new Map(
  (JSON.parse(readFileSync(process.argv[2] ?? "", "utf8")) as BarePage[]).map((page) => [
    page.path,
    { headers: page.headers, body: Buffer.from(page.body, "base64") },
  ]),
);
const server = createServer((request, response) => {
  const page = pages.get(request.url ?? "");
  if (!page) return response.writeHead(404).end();
  response.writeHead(200, page.headers).end(page.body);
});
server.listen(0, "127.0.0.1", () => process.send?.((server.address() as AddressInfo).port));
process.on("disconnect", () => process.exit());
