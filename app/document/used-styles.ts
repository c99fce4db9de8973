/** A style rule without nested rules. Its selectors or at-rule are in the first group. */
const rule = /([^{};]+)\{[^{}]*\}/g;

/** A conditional block or layer without rules. A block within it may have been its only content. */
const emptyBlock = /@[^{};]+\{\}/g;

/** The parts of a selector in parentheses or brackets, innermost first. */
const nested = /\([^()]*\)|\[[^[\]]*\]/g;

/** A class or an element's name in a selector. */
const needed = /\.[a-z][\w-]*|(?<![\w.:#-])[a-z]\w*/gi;

/**
 * Removes the rules whose selectors all need a class or an element that the page doesn't have. Keeps
 * a rule if in doubt: names within `:is()`, `:not()` and `:has()` don't count. A script must not add
 * other classes or elements later.
 * @param css minified styles
 */
export function removeUnusedRules(css: string, html: string): string {
  const classes = [...html.matchAll(/ class="([^"]*)"/g)].flatMap(([, names = ""]) =>
    names.split(" ").map((name) => `.${name}`),
  );
  const elements = [...html.matchAll(/<([a-z]\w*)/g)].map(([, name = ""]) => name);
  // Steps of an animation look like elements.
  const present = new Set([...classes, ...elements, "from", "to"]);
  const isUsed = (selector: string) =>
    (selector.match(needed) ?? []).every((name) => present.has(name));
  const used = css.replace(rule, (whole, selectors: string) => {
    if (selectors.startsWith("@")) return hasUsedRange(whole, html) ? whole : "";
    return removeAll(selectors, nested).split(",").some(isUsed) ? whole : "";
  });
  return removeAll(used, emptyBlock);
}

/** Returns whether the page has a character in the rule's `unicode-range`, if it has a range. */
function hasUsedRange(rule: string, html: string): boolean {
  const [, ranges] = rule.match(/unicode-range:([^;}]+)/) ?? [];
  if (!ranges) return true;
  const characters = ranges
    .replace(/[^,]*U\+([\da-f]+)-?([\da-f]*)/gi, (_, from, to) => `\\u{${from}}-\\u{${to || from}}`)
    .replaceAll(",", "");
  return new RegExp(`[${characters}]`, "u").test(html);
}

/**
 * Removes the declarations of custom properties that nothing uses.
 * @param others the page's HTML and its linked stylesheets
 */
export function removeUnusedProperties(css: string, others: readonly string[]): string {
  const used = new Set(
    [css, ...others].flatMap((text) =>
      [...text.matchAll(/var\((--[\w-]+)/g)].map(([, name]) => name),
    ),
  );
  return css.replace(/(--[\w-]+):[^;}]*;?/g, (whole, name: string) =>
    used.has(name) ? whole : "",
  );
}

/** Removes matches until there are none, because removing one can reveal another. */
function removeAll(text: string, pattern: RegExp): string {
  const left = text.replace(pattern, "");
  return left === text ? text : removeAll(left, pattern);
}
