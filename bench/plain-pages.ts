import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { Browser } from "@playwright/test";

/** Elements that a hand-written page would use. Other elements are replaced by their content. */
const elements = (
  "html head title body header nav main section article aside footer h1 h2 h3 h4 p ul ol li dl dt dd a " +
  "strong em b i code time blockquote q figure figcaption img picture source details summary table caption thead " +
  "tbody tr th td form fieldset legend label input select option textarea button hr br address abbr small"
).split(" ");
const attributes =
  "lang dir href src srcset sizes media alt width height loading decoding type name value for id open selected action method datetime".split(
    " ",
  );
const withoutContent = ["script", "style", "svg", "template", "noscript", "link", "meta"];

const styles = `
* { box-sizing: border-box; max-width: 100% }
body { margin: 0; font: 1rem/1.5 Arial, sans-serif; color: #1d1a2b; background: #fff8e7 }
h1, h2, h3, summary, button { font-family: Titles, Arial, sans-serif; font-weight: 800; line-height: 1.2 }
h1 { font-size: clamp(2rem, 1.5rem + 3vw, 4rem) }
header, nav ul, footer { display: flex; flex-wrap: wrap; gap: 0.5rem 1rem; padding: 0.5rem; list-style: none }
main { display: grid; gap: 2rem; max-width: 70rem; margin: 0 auto; padding: 1rem }
main ul { display: grid; grid-template-columns: repeat(auto-fit, minmax(16rem, 1fr)); gap: 1rem; padding: 0 }
a { color: #00538a }
img { height: auto }
section, details, article, aside { border: 2px solid #1d1a2b; border-radius: 0.75rem; padding: 1rem; background: #fff }
table { border-collapse: collapse; width: 100% }
th, td { border: 1px solid #1d1a2b; padding: 0.5rem; text-align: start; overflow-wrap: anywhere }
label, input, select, textarea { display: block; width: 100%; font: inherit }
button, summary { min-height: 2.75rem; padding: 0.5rem; font-size: inherit }
footer { background: #1d1a2b; color: #fff }
footer a { color: inherit }
`;

/**
 * Serves plain pages with the same content and pictures as our pages, in the same order. They
 * contain only the elements and the few styles that a hand-written page would have.
 */
export async function servePlainPages(browser: Browser, site: string, paths: readonly string[]) {
  const tab = await browser.newPage();
  const pages = new Map<string, string>();
  for (const path of paths) {
    const html = await (await fetch(site + path)).text();
    const font = html.match(/[^"']+\.woff2/)?.[0];
    const face = `@font-face { font-family: Titles; src: url("${font}"); font-display: swap }`;
    const head = `<meta charset="utf-8"><meta name="viewport" content="width=device-width">
      <link rel="preload" as="font" href="${font}" crossorigin><style>${face}${styles}</style>`;
    const written = await tab.evaluate(simplify, { html, elements, attributes, withoutContent });
    pages.set(path, `<!doctype html>${written.replace("<head>", `<head>${head}`)}`);
  }
  await tab.close();
  const server = createServer(async (request, response) => {
    const page = pages.get(request.url ?? "");
    if (page)
      return response.writeHead(200, { "Content-Type": "text/html; charset=utf-8" }).end(page);
    const file = await fetch(site + request.url, { headers: { accept: "image/*" } });
    const type = file.headers.get("content-type") ?? "";
    response
      .writeHead(file.status, { "Content-Type": type })
      .end(Buffer.from(await file.arrayBuffer()));
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}`, stop: () => server.close() };
}

/** Returns the page with only these elements and attributes. Runs in a browser. */
function simplify(page: {
  html: string;
  elements: string[];
  attributes: string[];
  withoutContent: string[];
}): string {
  const { documentElement } = new DOMParser().parseFromString(page.html, "text/html");
  for (const element of [documentElement, ...documentElement.querySelectorAll("*")]) {
    for (const name of element.getAttributeNames()) {
      if (!page.attributes.includes(name)) element.removeAttribute(name);
    }
    if (page.withoutContent.includes(element.localName)) element.remove();
    else if (!page.elements.includes(element.localName)) element.replaceWith(...element.childNodes);
  }
  return documentElement.outerHTML;
}
