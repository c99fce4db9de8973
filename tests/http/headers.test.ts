import { afterAll, expect, test } from "vitest";
import { missingPaths } from "../harness/campus.ts";
import { openTestSite } from "../harness/test-site.ts";

// Compares all headers of each kind of response so that no header changes unnoticed.

const publicUrl = "https://rides.example";
const site = await openTestSite({ publicUrl });
afterAll(() => site[Symbol.asyncDispose]());

/** Returns the headers with placeholders for content-dependent values. */
function headersOf(response: Response): Record<string, string> {
  return Object.fromEntries(
    [...response.headers].map(([name, value]) => [
      name,
      value
        .replaceAll(/'sha256-[\w+/=]+'( 'sha256-[\w+/=]+')*/g, "HASHES")
        .replace(/^W\/"[\w-]{22}"$/, "TAG")
        .replace(/^[A-Z][a-z]{2}, \d{2} .* GMT$/, "DATE")
        .replace(/^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/, "ID")
        .replace(name === "content-length" ? /^\d+$/ : /^$/, "LENGTH"),
    ]),
  );
}

/** Headers of every response. */
const secured = {
  "cross-origin-opener-policy": "same-origin",
  "cross-origin-resource-policy": "same-origin",
  "origin-agent-cluster": "?1",
  "permissions-policy": "camera=(), geolocation=(), microphone=(), payment=()",
  "referrer-policy": "same-origin",
  "strict-transport-security": "max-age=31536000",
  "x-content-type-options": "nosniff",
  "x-dns-prefetch-control": "off",
  "x-download-options": "noopen",
  "x-frame-options": "DENY",
  "x-request-id": "ID",
  "x-permitted-cross-domain-policies": "none",
  "x-xss-protection": "0",
};

/** Builds the Content-Security-Policy of a page with these script sources. */
const policy = (scripts: string) =>
  [
    "default-src 'none'",
    `script-src ${scripts}`,
    "style-src 'self' HASHES",
    "img-src 'self'",
    "font-src 'self'",
    "manifest-src 'self'",
    "connect-src 'self'",
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join("; ");

const page = { "content-type": "text/html; charset=utf-8", vary: "Accept-Encoding" };
const uncached = { "cache-control": "no-store, no-transform" };

test("a public page has the expected headers", async () => {
  expect(headersOf(await site.ask("/faq"))).toEqual({
    ...secured,
    ...page,
    "cache-control": "public, max-age=0, s-maxage=60, stale-while-revalidate=300, no-transform",
    "content-length": "LENGTH",
    "content-security-policy": policy("HASHES"),
    etag: "TAG",
    "last-modified": "DATE",
  });
});

test("the deletion page has the expected headers", async () => {
  expect(headersOf(await site.ask("/delete-my-account"))).toEqual({
    ...secured,
    ...page,
    "cache-control": "public, max-age=0, s-maxage=60, stale-while-revalidate=300, no-transform",
    "content-length": "LENGTH",
    "content-security-policy": policy("HASHES 'self'"),
    etag: "TAG",
    "last-modified": "DATE",
  });
});

test("a page behind an email link has the expected headers", async () => {
  expect(headersOf(await site.ask("/delete-my-account?visit=x"))).toEqual({
    ...secured,
    ...page,
    ...uncached,
    "content-security-policy": policy("HASHES 'self'"),
  });
});

test("an unknown URL has the expected headers", async () => {
  const response = await site.ask(missingPaths[0] ?? "/nowhere");
  expect(response.status).toBe(404);
  expect(headersOf(response)).toEqual({
    ...secured,
    ...page,
    "cache-control": "public, max-age=0, s-maxage=60, no-transform",
    "content-length": "LENGTH",
    "content-security-policy": policy("HASHES"),
    etag: "TAG",
    "last-modified": "DATE",
  });
});

test("prevents caching of a missing file", async () => {
  const response = await site.ask("/assets/missing-file.js");
  expect(response.status).toBe(404);
  expect(response.headers.get("cache-control")).toBe("no-store, no-transform");
});

test("a file with a hash in its name has the expected headers", async () => {
  const [file = ""] = /\/assets\/[\w-]+\.woff2/.exec(await site.read("/faq")) ?? [];
  expect(headersOf(await site.ask(file))).toEqual({
    ...secured,
    "cache-control": "public, max-age=31536000, immutable",
    "content-length": "LENGTH",
    "content-type": "font/woff2",
    "last-modified": "DATE",
    vary: "Accept-Encoding",
  });
});

test("a JSON response has the expected headers", async () => {
  expect(headersOf(await site.ask("/healthz"))).toEqual({
    ...secured,
    ...uncached,
    "content-type": "application/json",
  });
});

test("an operator page has the expected headers", async () => {
  const nadia = await site.signInAs("Nadia", "admin");
  expect(headersOf(await nadia.ask("/operator"))).toEqual({
    ...secured,
    ...page,
    ...uncached,
    "content-security-policy": policy("'self'"),
    "x-robots-tag": "noindex, nofollow",
  });
});

test("signing out ends the session and clears cached operator pages", async () => {
  const nadia = await site.signInAs("Nadia", "admin");
  expect(headersOf(await nadia.post("/operator/me", { act: "sign-out" }))).toEqual({
    ...secured,
    ...uncached,
    "clear-site-data": '"cache", "storage"',
    location: "/operator/sign-in",
    "set-cookie": "__Host-operator=; Max-Age=0; Path=/; Secure; HttpOnly; SameSite=Lax",
    "x-robots-tag": "noindex, nofollow",
  });
  expect((await nadia.ask("/operator")).status).toBe(303);
});
