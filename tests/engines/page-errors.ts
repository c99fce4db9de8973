import { createHash } from "node:crypto";
import { serve } from "@hono/node-server";
import type { TestSite } from "../harness/test-site.ts";

/** Records console errors and warnings, which WebDriver can't read. */
const script = `
  pageErrors = [];
  for (const level of ["error", "warn"])
    console[level] = (...words) => pageErrors.push([level, ...words].join(" "));
  for (const type of ["error", "unhandledrejection", "securitypolicyviolation"])
    addEventListener(type, ({ message, reason, blockedURI, target }) =>
      pageErrors.push([type, message, reason, blockedURI, target.src ?? target.href].join(" ")), true);
`;
const hash = `'sha256-${createHash("sha256").update(script).digest("base64")}'`;

/**
 * Serves a site on a local port. Adds the script to the top of each page, and the script's hash to
 * the Content-Security-Policy.
 */
export function serveWithRecorder(site: TestSite, port: number) {
  async function fetch(request: Request): Promise<Response> {
    const { method, url, headers } = request;
    headers.delete("accept-encoding");
    const body = method === "POST" ? await request.text() : undefined;
    const response = await site.ask(url, { method, headers, body });
    const policy = response.headers.get("content-security-policy");
    if (!policy) return response;
    response.headers.delete("content-length");
    response.headers.set(
      "content-security-policy",
      policy.replace(/script-src( 'none')?/, `script-src ${hash}`),
    );
    const html = await response.text();
    return new Response(html.replace("<head>", `<head><script>${script}</script>`), response);
  }
  return serve({ fetch, port, hostname: "127.0.0.1" });
}
