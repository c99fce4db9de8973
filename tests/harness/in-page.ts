// Checks that run inside a page, in any browser. Each function must be self-contained, because
// tests send its source to the browser.

export function pageHeight(): number {
  return document.documentElement.scrollHeight;
}

/** Returns the names of all running animations. */
export function moving(): string[] {
  return document
    .getAnimations()
    .filter(({ playState }) => playState === "running")
    .map((animation) => (animation as CSSAnimation).animationName);
}

/** Returns the names of animations that last longer than five seconds. */
export function endless(): string[] {
  return document.getAnimations().flatMap((animation) => {
    if (!(animation.timeline instanceof DocumentTimeline)) return [];
    const end = Number(animation.effect?.getComputedTiming().endTime ?? 0);
    return end > 5_000 ? [(animation as CSSAnimation).animationName] : [];
  });
}

/**
 * Lists hidden headings, paragraphs and images. Ignores collapsed sections and the fare board's
 * results for other trips.
 */
export function hiddenContent(): string[] {
  return [...document.querySelectorAll("main :is(h1, h2, h3, p, img)")]
    .filter((element) => !element.closest("details:not([open]), [aria-live]"))
    .filter((element) => {
      const { opacity, visibility } = getComputedStyle(element);
      return opacity === "0" || visibility === "hidden";
    })
    .map((element) => element.outerHTML.slice(0, 120));
}

/** Expands every collapsed section so that checks see its content. */
export function unfold(): void {
  for (const details of document.querySelectorAll("details")) {
    details.removeAttribute("name");
    details.open = true;
  }
}

/**
 * Counts elements whose layout the browser still defers. Returns infinity until all styles have
 * loaded.
 */
export function lateParts(): number {
  const sheets = document.querySelectorAll<HTMLLinkElement>("link[rel=stylesheet]");
  if ([...sheets].some(({ sheet }) => !sheet)) return Number.POSITIVE_INFINITY;
  return [...document.querySelectorAll("body *")].filter(
    (part) => getComputedStyle(part).contentVisibility === "auto",
  ).length;
}

/** If the page scrolls sideways, lists elements that extend past the viewport's right edge. */
export function sideways(): string[] {
  const { scrollWidth, clientWidth } = document.documentElement;
  if (scrollWidth <= clientWidth) return [];
  const isClipped = (element: Element): boolean => {
    const around = element.parentElement;
    if (!around || around === document.body) return false;
    return getComputedStyle(around).overflowX !== "visible" || isClipped(around);
  };
  return [...document.querySelectorAll("body *")]
    .filter((element) => element.getBoundingClientRect().right > clientWidth + 0.5)
    .filter((element) => !isClipped(element))
    .slice(0, 5)
    .map(
      (element) => `${element.tagName} ${element.className} ${element.textContent?.slice(0, 40)}`,
    )
    .concat(`${scrollWidth} > ${clientWidth}`);
}

/** Lists controls smaller than 44 px. WCAG 2.5.5 exempts links within running text. */
export function smallTargets(): string[] {
  const controls = document.querySelectorAll<HTMLElement>(
    "a[href], button, input:not([type=hidden]), select, textarea, summary, [tabindex='0']",
  );
  const textAround = (link: Element): boolean => {
    const block = link.closest("p, li, dd, td, th, figcaption, blockquote, div");
    const linkText = link.textContent?.trim() ?? "";
    return (block?.textContent?.trim() ?? "").length > linkText.length;
  };
  return [...controls].flatMap((control) => {
    if (!control.checkVisibility({ visibilityProperty: true, opacityProperty: true })) return [];
    if (control.matches("[href='#content']") || control.closest("[aria-hidden=true]")) return [];
    const { display } = getComputedStyle(control);
    const isInText = control.matches("a") && display === "inline" && textAround(control);
    // Phone numbers must be easy to tap even in a sentence, because people call them in an
    // emergency.
    if (isInText && !control.matches("[href^='tel:']")) return [];
    if (control.matches("[tabindex='0']") && control.matches("[role=region]")) return [];
    const boxes = [control, ...((control as HTMLInputElement).labels ?? [])]
      .filter((_, index) => index === 0 || control.matches("[type=checkbox], [type=radio]"))
      .map((element) => element.getBoundingClientRect());
    const width =
      Math.max(...boxes.map((box) => box.right)) - Math.min(...boxes.map((box) => box.left));
    const height =
      Math.max(...boxes.map((box) => box.bottom)) - Math.min(...boxes.map((box) => box.top));
    if (width >= 43.5 && height >= 43.5) return [];
    const name = (control.textContent || control.getAttribute("name") || "").trim().slice(0, 40);
    return [`${control.tagName} "${name}" ${Math.round(width)}x${Math.round(height)}`];
  });
}

/**
 * Focuses each control in turn and lists those without a visible focus ring. No control has focus
 * afterward.
 */
export function unseenFocus(): string[] {
  (document.activeElement as HTMLElement | null)?.blur();
  const focusable = document.querySelectorAll<HTMLElement>(
    "a[href], button, input:not([type=hidden]), select, textarea, summary, [tabindex='0']",
  );
  // The ring may be on the element, on its pseudo-elements, or on the card around it.
  const rings = (element: HTMLElement) =>
    [
      getComputedStyle(element),
      getComputedStyle(element, "::before"),
      getComputedStyle(element, "::after"),
      getComputedStyle(element.closest("article, li, label") ?? element),
    ]
      .filter((style) => style.outlineStyle !== "none" && parseFloat(style.outlineWidth) >= 2)
      .map((style) => `${style.outlineStyle} ${style.outlineWidth} ${style.outlineColor}`)
      .join();
  return [...focusable].flatMap((element) => {
    if (element.closest("[aria-hidden=true]")) return [];
    const before = rings(element);
    element.focus({ preventScroll: true });
    if (document.activeElement !== element) return [];
    const after = rings(element);
    element.blur();
    if (after !== "" && after !== before) return [];
    return [`${element.tagName} "${(element.textContent ?? "").trim().slice(0, 40)}" ${after}`];
  });
}

/**
 * Lists text that isn't fully visible: outside the viewport, clipped by an ancestor, or overlapped.
 * Also lists table captions narrower than their tables.
 */
export function brokenTexts(): string[] {
  const faults: string[] = [];
  const isUnseen = (element: Element | null): boolean => {
    if (!element) return false;
    const { width, height } = element.getBoundingClientRect();
    const point = width <= 1 && height <= 1 && getComputedStyle(element).overflow === "hidden";
    return point || element.matches("[aria-hidden=true]") || isUnseen(element.parentElement);
  };
  const lines: { parent: Element; name: string; box: DOMRect }[] = [];
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const range = document.createRange();
  for (let node = texts.nextNode(); node; node = texts.nextNode()) {
    const parent = node.parentElement;
    if (!parent || !node.textContent?.trim() || parent.closest("script, style, svg")) continue;
    if (!parent.checkVisibility({ visibilityProperty: true, opacityProperty: true })) continue;
    // Skips text that only screen readers read, and the skip link, which is visible only with
    // focus.
    if (isUnseen(parent) || parent.closest("[href='#content']")) continue;
    range.selectNodeContents(node);
    const { left, right, top, bottom } = range.getBoundingClientRect();
    const name = `"${node.textContent.trim().slice(0, 40)}"`;
    const { fontSize, webkitLineClamp } = getComputedStyle(parent);
    // Clamped excerpts and horizontal scrollers, such as wide tables, clip text intentionally.
    const isExcerpt = webkitLineClamp !== "none";
    if (!isExcerpt && !parent.closest("[role=region][tabindex='0'], [data-chips]")) {
      if (left < -1 || right > innerWidth + 1) faults.push(`${name} is at ${left} to ${right}`);
      for (let around: Element | null = parent; around; around = around.parentElement) {
        const { overflowX, overflowY } = getComputedStyle(around);
        const box = around.getBoundingClientRect();
        const isWide = overflowX !== "visible" && (left < box.left - 1 || right > box.right + 1);
        // Users can scroll to this text.
        const isReachable = overflowY === "auto" || overflowY === "scroll";
        const isHigh = top < box.top - 4 || bottom > box.bottom + 4;
        const high = overflowY !== "visible" && !isReachable && isHigh;
        if (around !== document.body && around !== document.documentElement && (isWide || high)) {
          faults.push(`${name} in ${around.tagName} ${around.className}`);
        }
      }
    }
    if (parent.closest("[data-site-header]")) continue;
    const end = isExcerpt ? parent.getBoundingClientRect().bottom : Number.POSITIVE_INFINITY;
    for (const line of range.getClientRects()) {
      // Line boxes extend above and below the glyphs. Overlap there is harmless.
      const air = Math.max(0, (line.height - Number.parseFloat(fontSize) * 0.8) / 2);
      const box = new DOMRect(line.x, line.y + air, line.width, line.height - 2 * air);
      if (box.width > 2 && line.bottom <= end) lines.push({ parent, name, box });
    }
  }
  lines.sort((a, b) => a.box.top - b.box.top);
  for (const [index, line] of lines.entries()) {
    for (const other of lines.slice(index + 1)) {
      if (other.box.top >= line.box.bottom) break;
      if (line.parent.contains(other.parent) || other.parent.contains(line.parent)) continue;
      const [a, b] = [line.box, other.box];
      const overlapWidth = Math.min(a.right, b.right) - Math.max(a.left, b.left);
      const high = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
      if (overlapWidth > 2 && high > Math.min(a.height, b.height) * 0.3) {
        faults.push(`${line.name} overlaps ${other.name}`);
      }
    }
  }
  for (const title of document.querySelectorAll("caption")) {
    const tableWidth = title.closest("table")?.clientWidth ?? 0;
    if (title.clientWidth < tableWidth - 2)
      faults.push(`"${title.textContent}" is narrower than its table`);
  }
  return faults;
}

/** Lists text that an image covers. */
export function coveredTexts(): string[] {
  for (const picture of document.images) picture.style.pointerEvents = "auto";
  const covered: string[] = [];
  const inDocument = (part: Element | Range) => {
    const { x, y, width, height } = part.getBoundingClientRect();
    return new DOMRect(x + scrollX, y + scrollY, width, height);
  };
  const pictures = [...document.querySelectorAll("img, svg, svg *")].map(inDocument);
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const range = document.createRange();
  for (let node = texts.nextNode(); node; node = texts.nextNode()) {
    const parent = node.parentElement;
    if (!parent || !node.textContent?.trim() || parent.closest("script, style, svg")) continue;
    if (!parent.checkVisibility({ visibilityProperty: true, opacityProperty: true })) continue;
    range.selectNodeContents(node);
    const here = inDocument(range);
    const isNear = pictures.some(
      (picture) =>
        picture.left <= here.right &&
        picture.right >= here.left &&
        picture.top <= here.bottom &&
        picture.bottom >= here.top,
    );
    if (!isNear) continue;
    parent.scrollIntoView({ block: "center", behavior: "instant" });
    // Skips text that the excerpt's line clamp hides.
    const end = parent.getBoundingClientRect().bottom + parent.clientHeight / 10;
    const isCut = getComputedStyle(parent).webkitLineClamp !== "none";
    for (const { left, top, width, height, bottom } of range.getClientRects()) {
      if (width < 4 || height < 4 || (isCut && bottom > end)) continue;
      const above = document.elementFromPoint(left + width / 2, top + height / 2);
      if (above && !parent.contains(above) && above.closest("img, svg")) {
        covered.push(
          `"${node.textContent.trim().slice(0, 40)}" under ${above.outerHTML.slice(0, 80)}`,
        );
        break;
      }
    }
  }
  scrollTo({ top: 0, behavior: "instant" });
  return covered;
}

/**
 * Lists words that wrap without a hyphen, in headings, buttons and links, or in elements that match
 * `selector`.
 */
export function brokenWords(selector = "h1, h2, h3, button, main a"): string[] {
  const range = document.createRange();
  return [...document.querySelectorAll(selector)].flatMap((element) => {
    if (!element.checkVisibility() || element.textContent?.includes("@")) return [];
    const texts = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
    const broken: string[] = [];
    for (let node = texts.nextNode(); node; node = texts.nextNode()) {
      for (const { 0: word, index } of (node.textContent ?? "").matchAll(/[\p{L}\d]+/gu)) {
        range.setStart(node, index);
        range.setEnd(node, index + word.length);
        const lines = new Set([...range.getClientRects()].map(({ top }) => Math.round(top)));
        if (lines.size > 1) broken.push(`"${word}" of "${element.textContent?.slice(0, 40)}"`);
      }
    }
    return broken;
  });
}

/** Lists custom-styled controls without a border or an underline. */
export function edgeless(): string[] {
  const controls = document.querySelectorAll("button, input:not([type=hidden]), select, textarea");
  return [...controls].flatMap((control) => {
    if (!control.checkVisibility({ visibilityProperty: true })) return [];
    if (control.closest("[aria-hidden=true]")) return [];
    const { appearance, borderTopStyle, borderTopWidth, textDecorationLine } =
      getComputedStyle(control);
    const hasEdge = borderTopStyle !== "none" && Number.parseFloat(borderTopWidth) >= 1;
    if (hasEdge || appearance !== "none" || textDecorationLine !== "none") return [];
    return [control.outerHTML.slice(0, 80)];
  });
}

/** Lists links to the current page that look like another link in the same `nav`. */
export function unmarked(): string[] {
  const styleOf = (link: Element) =>
    [null, "::before", "::after"]
      .map((part) => getComputedStyle(link, part))
      .map((style) =>
        [
          style.content,
          style.color,
          style.backgroundColor,
          style.borderStyle,
          style.borderWidth,
          style.borderColor,
          style.outlineStyle,
          style.textDecorationLine,
          style.textDecorationStyle,
        ].join(),
      )
      .join();
  return [...document.querySelectorAll("a[aria-current]")].flatMap((link) => {
    if (!link.checkVisibility({ visibilityProperty: true })) return [];
    const otherLinks = [...(link.closest("nav")?.querySelectorAll("a:not([aria-current])") ?? [])];
    return otherLinks.some((other) => styleOf(other) === styleOf(link))
      ? [link.outerHTML.slice(0, 80)]
      : [];
  });
}

/**
 * On each key press, records the focused element if less than half is visible below the header
 * (WCAG 2.4.11). After focus has left the page, keeps it from returning.
 */
export function followFocus() {
  const followed = { hidden: [] as string[], hasLeft: false };
  let wasInside = false;
  document.onkeydown = (event) => {
    const focused = document.activeElement ?? document.body;
    const isInside = focused !== document.body;
    followed.hasLeft ||= wasInside && !isInside;
    wasInside ||= isInside;
    if (followed.hasLeft) event.preventDefault();
    const header = document.querySelector("[data-site-header]");
    if (!isInside || !header || header.contains(focused)) return;
    if (focused.matches("[href='#content']")) return;
    const { top, bottom, height } = focused.getBoundingClientRect();
    const seen =
      Math.min(bottom, innerHeight) - Math.max(top, header.getBoundingClientRect().bottom);
    if (seen >= Math.min(height, innerHeight / 2) / 2) return;
    const name = focused.textContent?.trim().slice(0, 40);
    followed.hidden.push(`${focused.tagName} "${name}" ${Math.round(seen)} px`);
  };
  return followed;
}

/**
 * Returns the cumulative layout shift since navigation. With `onceMarked`, counts only shifts after
 * the HTML has been parsed.
 */
export function shifted({ onceMarked = false } = {}): Promise<number> {
  const [navigation] = performance.getEntriesByType("navigation") as PerformanceNavigationTiming[];
  const since = onceMarked ? (navigation?.domInteractive ?? 0) : 0;
  return new Promise((resolve) => {
    let sum = 0;
    const observer = new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) {
        if (entry.startTime < since) continue;
        sum += (entry as PerformanceEntry & { value: number }).value;
      }
    });
    observer.observe({ type: "layout-shift", buffered: true });
    requestAnimationFrame(() => requestAnimationFrame(() => resolve(sum)));
  });
}
