import { createHash } from "node:crypto";

/**
 * Returns a page's Content-Security-Policy. Everything not listed is forbidden. Inline styles and
 * scripts are allowed only by the hash of their content, so injected code can't run.
 */
export function contentSecurityPolicy(page: {
  style: string;
  scripts: string[];
  /** Whether to allow script files from this site. */
  files: boolean;
}): string {
  const scripts = [...page.scripts.map(hashSource), ...(page.files ? ["'self'"] : [])];
  return [
    "default-src 'none'",
    `script-src ${scripts.join(" ") || "'none'"}`,
    // 'self' allows the deferred stylesheets, which are files on this site.
    `style-src 'self' ${hashSource(page.style)}`,
    "img-src 'self'",
    "font-src 'self'",
    "manifest-src 'self'",
    // Audit tools fetch robots.txt from within the page.
    "connect-src 'self'",
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join("; ");
}

function hashSource(text: string): string {
  return `'sha256-${createHash("sha256").update(text).digest("base64")}'`;
}
