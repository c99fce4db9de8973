import { createHash } from "node:crypto";
import { createServer, request as forward } from "node:http";
import { text } from "node:stream/consumers";

/**
 * Records console errors and warnings, which WebDriver can't read. The proxy adds this script to
 * the top of each page, and the script's hash to the Content-Security-Policy.
 */
const script = `
  pageErrors = [];
  for (const level of ["error", "warn"]) {
    const say = console[level];
    console[level] = (...words) => { pageErrors.push(level + ": " + words.join(" ")); say(...words); };
  }
  addEventListener("error", ({ message, target }) =>
    pageErrors.push(message ? "fault: " + message : "not loaded: " + (target.src ?? target.href)), true);
  addEventListener("unhandledrejection", ({ reason }) => pageErrors.push("fault: " + reason));
  addEventListener("securitypolicyviolation", ({ violatedDirective, blockedURI }) =>
    pageErrors.push("refused: " + violatedDirective + " " + blockedURI));
`;
const hash = `'sha256-${createHash("sha256").update(script).digest("base64")}'`;

/** Starts a proxy that adds the script to every page of a local site. */
export async function startErrorProxy(port: number, sitePort: number): Promise<AsyncDisposable> {
  const server = createServer((request, response) => {
    const headers = { ...request.headers, "accept-encoding": "identity" };
    const { method, url: path } = request;
    const passed = forward({ port: sitePort, method, path, headers }, async (answer) => {
      const page = answer.headers["content-type"]?.startsWith("text/html");
      if (!page) {
        response.writeHead(answer.statusCode ?? 502, answer.rawHeaders);
        answer.pipe(response);
        return;
      }
      const html = await text(answer);
      const policy = String(answer.headers["content-security-policy"]);
      const { "content-length": _, ...others } = answer.headers;
      response.writeHead(answer.statusCode ?? 502, {
        ...others,
        "content-security-policy": policy.replace(/script-src( 'none')?/, `script-src ${hash}`),
      });
      response.end(html.replace("<head>", () => `<head><script>${script}</script>`));
    });
    passed.on("error", () => response.destroy());
    request.pipe(passed);
  }).listen(port, "127.0.0.1");
  return {
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
    },
  };
}
