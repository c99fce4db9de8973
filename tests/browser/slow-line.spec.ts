import { createServer, get } from "node:http";
import type { AddressInfo } from "node:net";
import { buffer } from "node:stream/consumers";
import { desktop, expect, phone, test } from "../harness/browser.ts";
import { postPaths } from "../harness/campus.ts";
import * as probes from "../harness/in-page.ts";

// On a slow connection, a page arrives in pieces. The test sends each piece after the previous one
// is painted, and sends the display font last. The steps are therefore the same on every machine.

const pages = ["/", "/delete-my-account", "/blog", postPaths[0] ?? "", "/faq"];

/**
 * Maximum layout shift. Columns and rows have their size before their text arrives, but growing
 * text always moves its neighbors a little.
 */
const limit = 0.02;

/** Size of a piece of the compressed page in bytes: the payload of the smallest TCP packets. */
const pieceBytes = 536;

/**
 * Starts a proxy that sends one piece of a page per call of `send`, and fonts after the last piece.
 */
async function startSlowLine(site: string) {
  let rest: Buffer = Buffer.alloc(0);
  let give: (piece: Buffer | undefined) => void = () => {};
  let whole = Promise.withResolvers<void>();
  const server = createServer((request, response) => {
    get(site + request.url, { headers: { "Accept-Encoding": "br" } }, async (answer) => {
      const { "content-type": type = "", "content-encoding": encoding = "identity" } =
        answer.headers;
      const body = await buffer(answer);
      response.writeHead(answer.statusCode ?? 502, {
        "Content-Type": type,
        "Content-Encoding": encoding,
      });
      if (type.startsWith("font/")) await whole.promise;
      if (!type.startsWith("text/html")) return void response.end(body);
      whole = Promise.withResolvers();
      response.flushHeaders();
      rest = body;
      give = (piece) => (piece ? response.write(piece) : response.end());
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://localhost:${(server.address() as AddressInfo).port}`,
    /** Sends the next piece. Returns false if there is none. */
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

/**
 * Waits for the next paint.
 * @returns the number of first paints so far: 0 before anything is visible
 */
function untilPainted(): Promise<number> {
  return new Promise((resolve) => {
    const finish = () => resolve(performance.getEntriesByName("first-contentful-paint").length);
    // Before the body begins, browsers neither paint nor run animation frames.
    if (!document.body) finish();
    else requestAnimationFrame(() => requestAnimationFrame(finish));
  });
}

for (const [size, viewport] of Object.entries({ phone, desktop })) {
  test(`causes no layout shift while a page arrives in pieces (${size})`, async ({
    page,
    server,
  }) => {
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
      expect(await page.evaluate(probes.shifted, {}), path).toBeLessThan(limit);
    }
    expect(paintedOnTheWay, "paints of incomplete pages").toBeGreaterThan(5);
  });
}
