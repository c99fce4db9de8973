import { createServer, get } from "node:http";
import type { AddressInfo } from "node:net";
import { buffer } from "node:stream/consumers";
import { desktop, expect, phone, test } from "../harness/browser.ts";
import { postPaths } from "../harness/campus.ts";
import * as looks from "../harness/looks.ts";

// On a slow line a page comes in pieces. Here each piece comes when the one before it has been painted, and the face of
// its titles when all of it has, so that every machine sees the same on the way.

const pages = ["/", "/delete-my-account", "/blog", postPaths[0] ?? "", "/faq"];

/** Where columns and rows stand is known before their words come; beside a text that grows, something always moves a little. */
const limit = 0.015;

/** What the smallest packets carry, packed as the page is. */
const pieceBytes = 536;

/** Passes a site on, a page with one piece for each `send`, and faces of letters when there is none left. */
async function startSlowLine(site: string) {
  let rest: Buffer = Buffer.alloc(0);
  let give: (piece: Buffer | undefined) => void = () => {};
  let whole = Promise.withResolvers<void>();
  const server = createServer((asked, answered) => {
    get(site + asked.url, { headers: { "Accept-Encoding": "br" } }, async (answer) => {
      const { "content-type": type = "", "content-encoding": encoding = "identity" } =
        answer.headers;
      const body = await buffer(answer);
      answered.writeHead(answer.statusCode ?? 502, {
        "Content-Type": type,
        "Content-Encoding": encoding,
      });
      if (type.startsWith("font/")) await whole.promise;
      if (!type.startsWith("text/html")) return void answered.end(body);
      whole = Promise.withResolvers();
      answered.flushHeaders();
      rest = body;
      give = (piece) => (piece ? answered.write(piece) : answered.end());
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://localhost:${(server.address() as AddressInfo).port}`,
    /** @returns whether there was a piece left */
    send(): boolean {
      const piece = rest.subarray(0, pieceBytes);
      rest = rest.subarray(pieceBytes);
      give(piece.length > 0 ? piece : undefined);
      if (piece.length === 0) whole.resolve();
      return piece.length > 0;
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** @returns how many first paints there have been: none before there is anything to see. */
function untilPainted(): Promise<number> {
  return new Promise((resolve) => {
    const tell = () => resolve(performance.getEntriesByName("first-contentful-paint").length);
    // Until the visible part begins, nothing is painted, and nobody is told of a frame.
    if (!document.body) tell();
    else requestAnimationFrame(() => requestAnimationFrame(tell));
  });
}

for (const [size, viewport] of Object.entries({ phone, desktop })) {
  test(`nothing jumps while a page comes in pieces (${size})`, async ({ page, server }) => {
    await using line = await startSlowLine(server.url);
    await page.setViewportSize(viewport);
    await page.emulateMedia({ reducedMotion: "reduce" });
    let paintedOnTheWay = 0;
    for (const path of pages) {
      await page.goto(line.url + path, { waitUntil: "commit" });
      while (line.send()) {
        paintedOnTheWay += await page.evaluate(untilPainted);
      }
      await page.waitForLoadState();
      await page.evaluate(() => document.fonts.ready.then(() => undefined));
      expect(await page.evaluate(looks.shifted, false), path).toBeLessThan(limit);
    }
    expect(paintedOnTheWay, "pages were seen on their way").toBeGreaterThan(5);
  });
}
