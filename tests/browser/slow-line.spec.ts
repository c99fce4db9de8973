import { createServer, get } from "node:http";
import type { AddressInfo } from "node:net";
import { buffer } from "node:stream/consumers";
import { desktop, expect, phone, test } from "../harness/browser.ts";
import { addressIn, campus, pagePaths } from "../harness/campus.ts";
import * as probes from "../harness/in-page.ts";

// On a slow connection, a page arrives in pieces. The test sends each piece after the previous one
// is painted, and sends the display font last. The steps are therefore the same on every machine.

const tablet = { width: 800, height: 1000 };

/** Lists of a category are shorter than the list of all posts. */
const pages = pagePaths.filter((path) => !path.includes("?") || path.endsWith("=All"));

/**
 * Maximum layout shift. Columns and rows reserve their space before their text arrives. A shift
 * remains, because text moves its neighbors as it grows and when the display font changes its line
 * breaks. If no installed font has the script, more line breaks change. Browsers rate a shift of up
 * to 0.1 as good.
 */
const limits = { first: 0.05, translation: 0.1 };

/** Size of a piece of the compressed page in bytes: the payload of a TCP packet. */
const pieceBytes = 1220;

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

const visits = [
  ...Object.entries({ phone, tablet, desktop }).map(([size, viewport]) => ({
    what: `(${size})`,
    language: campus.settings.language,
    limit: limits.first,
    viewport,
  })),
  // Phones have fonts for every script.
  ...campus.translations.flatMap(({ settings: { language } }) =>
    Object.entries({ tablet, desktop }).map(([size, viewport]) => ({
      what: `in ${language} (${size})`,
      language,
      limit: limits.translation,
      viewport,
    })),
  ),
];

for (const { what, language, limit, viewport } of visits) {
  test(`causes hardly any layout shift while a page arrives in pieces ${what}`, async ({
    page,
    server,
  }) => {
    await using line = await startSlowLine(server.url);
    await page.setViewportSize(viewport);
    await page.emulateMedia({ reducedMotion: "reduce" });
    let paintedOnTheWay = 0;
    for (const path of pages) {
      await page.goto(line.url + addressIn(language, path), { waitUntil: "commit" });
      while (line.send()) {
        paintedOnTheWay += await page.evaluate(untilPainted);
      }
      await page.waitForLoadState();
      await page.evaluate(() => document.fonts.ready.then(() => undefined));
      const shift = await page.evaluate(probes.shifted, {});
      expect.soft(shift, path).toBeLessThan(limit);
    }
    expect(paintedOnTheWay, "paints of incomplete pages").toBeGreaterThan(5);
  });
}
