import { describe, expect, test } from "vitest";
import { filePaths, hookPaths, paths } from "../http/paths.ts";
import { createLanguagePaths, isLanguagePrefix } from "./language-paths.ts";

const { to, read, current } = createLanguagePaths(["en", "bn", "de"]);

describe("language prefixes", () => {
  test.each([
    ["/faq", "en", "/faq"],
    ["/faq", "bn", "/bn/faq"],
    ["/", "bn", "/bn"],
    ["/?hood=a", "bn", "/bn?hood=a"],
    ["/#about", "de", "/de#about"],
    ["/blog?page=2#top", "bn", "/bn/blog?page=2#top"],
    ["/faq", "xx", "/faq"],
  ])("writes the path %s in the language %s as %s", (path, language, address) => {
    expect(to(path, language)).toBe(address);
    if (language !== "xx") expect(read(address)).toEqual({ language, path });
  });

  test.each(["/xx/faq", "/bnn/faq", "/BN/faq", "/b", "/bn%2Ffaq", "/blog/bn", "//bn/faq"])(
    "reads %s as a path in the default language",
    (path) => {
      expect(read(path)).toEqual({ language: "en", path });
    },
  );

  test("doesn't strip a language prefix before a double slash", () => {
    for (const path of ["/bn//evil.example", "/en//evil.example/faq"]) {
      expect(read(path).path).toBe(path);
      expect(current(path)).toBe(path);
    }
  });
});

describe("current", () => {
  test.each([
    ["/faq?lang=bn", "/bn/faq"],
    ["/?lang=bn", "/bn"],
    ["/?hood=a&lang=bn#b", "/bn?hood=a#b"],
    ["/blog?lang=bn&category=Ride%20Tips", "/bn/blog?category=Ride%20Tips"],
    ["/faq?lang=en", "/faq"],
    ["/faq?lang=xx", "/faq"],
    ["/faq?lang=bn&lang=de", "/bn/faq"],
    ["/de/faq?lang=bn", "/bn/faq"],
    ["/de/faq?lang=xx", "/de/faq"],
    ["/en/faq", "/faq"],
    ["/en", "/"],
    ["/en?a=1", "/?a=1"],
  ])("rewrites the URL %s as %s", (former, address) => {
    expect(current(former)).toBe(address);
    expect(current(address)).toBe(address);
  });

  test.each(["/", "/bn", "/bn/faq?a=1", "/faq?language=bn", "/faq?a=lang=", "/xx/faq", "/faq?"])(
    "keeps the URL %s unchanged",
    (address) => {
      expect(current(address)).toBe(address);
    },
  );
});

test("no path of the site looks like a language prefix", () => {
  const written = [...Object.values({ ...paths, ...filePaths, ...hookPaths })].map((path) =>
    typeof path === "function" ? path(1) : path,
  );
  for (const path of [...written, "/assets", "/art", "/healthz", "/favicon.ico"]) {
    expect(isLanguagePrefix(path.split(/[/#]/)[1] ?? ""), path).toBe(false);
  }
});
