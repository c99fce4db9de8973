import { expect, test } from "vitest";
import { contentSecurityPolicy } from "./content-security-policy.ts";

test("a page without scripts may run none", () => {
  const policy = contentSecurityPolicy({ styles: ["a{}"], scripts: [], files: false });
  expect(policy).toContain("script-src 'none'");
  expect(policy).toContain("connect-src 'self'");
  expect(policy).toContain("default-src 'none'");
});

test("an inline script is allowed by its exact text", () => {
  const policy = contentSecurityPolicy({ styles: [], scripts: ["alert(1)"], files: false });
  expect(policy).toContain("script-src 'sha256-bhHHL3z2vDgxUt0W3dWQOrprscmda2Y5pLsLg4GF+pI='");
  expect(policy).not.toContain("'self' ;");
});

test("only a page with files of script may load our own script files", () => {
  const policy = contentSecurityPolicy({ styles: [], scripts: ["x"], files: true });
  expect(policy).toMatch(/script-src 'sha256-[^']+' 'self';/);
  expect(policy).not.toContain("unsafe");
});
