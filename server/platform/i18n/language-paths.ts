/** Query parameter that selected the language until version 1.13. Old links still contain it. */
const formerParameter = "lang";

/**
 * Matches the language prefix of a path such as /bn/faq. Doesn't match before a double slash,
 * because another site's host name could follow it.
 */
const prefix = /^\/([a-z]{2})(?=\/(?!\/)|[?#]|$)/;

export type LanguagePaths = ReturnType<typeof createLanguagePaths>;

/**
 * Builds and parses URL paths in every language of a campus: `/faq` in the default language,
 * `/bn/faq` in Bangla.
 * @param languages language codes, default language first
 */
export function createLanguagePaths(languages: readonly string[]) {
  const [first = ""] = languages;
  const isOurs = (language = "") => languages.includes(language);

  /** Returns the URL of a path in a language. Uses the default language for an unknown language. */
  function to(path: string, language: string): string {
    if (language === first || !isOurs(language)) return path;
    return `/${language}${/^\/(?:[?#]|$)/.test(path) ? path.slice(1) : path}`;
  }

  /** Splits a URL into language and path. The path includes the query string and the fragment. */
  function read(address: string): { language: string; path: string } {
    const [start = "", language = ""] = prefix.exec(address) ?? [];
    if (!isOurs(language)) return { language: first, path: address };
    const rest = address.slice(start.length);
    return { language, path: rest.startsWith("/") ? rest : `/${rest}` };
  }

  /**
   * Returns the current form of a URL: `/faq?lang=bn` becomes `/bn/faq`, and the prefix of the
   * default language is removed. Returns any other URL unchanged.
   */
  function current(address: string): string {
    const { language, path } = read(address);
    const [page = "", fragment] = path.split("#", 2);
    const [pathname = "", query = ""] = page.split("?", 2);
    const fields = query.split("&");
    const isFormer = (field: string) => field.startsWith(`${formerParameter}=`);
    const former = fields.find(isFormer)?.slice(formerParameter.length + 1);
    if (former === undefined) return to(path, language);
    const left = fields.filter((field) => !isFormer(field)).join("&");
    return to(
      pathname + (left && `?${left}`) + (fragment === undefined ? "" : `#${fragment}`),
      isOurs(former) ? former : language,
    );
  }

  return { to, read, current };
}

/** Returns the URL that a page had until version 1.13, for identifiers that must not change. */
export function formerAddress(path: string, language: string): string {
  return `${path}${path.includes("?") ? "&" : "?"}${formerParameter}=${language}`;
}

/**
 * Checks whether the first segment of a path looks like a language prefix. No page may use such a
 * path.
 */
export function isLanguagePrefix(part: string): boolean {
  return prefix.test(`/${part}`);
}
