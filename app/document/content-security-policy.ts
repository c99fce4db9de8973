import { createHash } from "node:crypto";

/**
 * The Content-Security-Policy of a page: nothing but what is named here. Its inline style and scripts are allowed by
 * the hash of their exact text, so a page cannot run what we did not write.
 */
export function contentSecurityPolicy(page: {
  style: string;
  scripts: string[];
  /** Whether scripts of ours that are files may run. */
  files: boolean;
}): string {
  const scripts = [...page.scripts.map(hashSource), ...(page.files ? ["'self'"] : [])];
  return [
    "default-src 'none'",
    `script-src ${scripts.join(" ") || "'none'"}`,
    // What few visits need is a file.
    `style-src 'self' ${hashSource(page.style)}`,
    "img-src 'self'",
    "font-src 'self'",
    "manifest-src 'self'",
    // Tools that audit a page read robots.txt from within it.
    "connect-src 'self'",
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join("; ");
}

function hashSource(text: string): string {
  return `'sha256-${createHash("sha256").update(text).digest("base64")}'`;
}
