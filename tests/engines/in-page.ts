// Functions that run inside the page. Each is sent as source text, so it can't use anything
// declared outside it.

/** Returns the color and the bounding box of the main heading. */
export function titleBox() {
  const title = document.querySelector("h1");
  if (!title) throw new Error("The page has no title");
  const range = document.createRange();
  range.selectNodeContents(title);
  const { x, y, width, height } = range.getBoundingClientRect();
  return { colour: getComputedStyle(title).color, box: { x, y, width, height } };
}

/**
 * Marks the first visible, enabled element that matches the selector and the text. Returns false if
 * there is none yet.
 */
export async function point(selector: string, text: string): Promise<boolean> {
  if (document.readyState !== "complete" || document.fonts.status !== "loaded") return false;
  // During a view transition, the browser shows a snapshot, which ignores clicks.
  await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
  const canTurn = CSS.supports("selector(:active-view-transition)");
  if (canTurn && document.querySelector(":active-view-transition")) return false;
  document.querySelector("[data-pointed-at]")?.removeAttribute("data-pointed-at");
  const found = [...document.querySelectorAll<HTMLElement>(selector)].find(
    (element) =>
      element.innerText.trim() === text &&
      element.checkVisibility() &&
      !element.matches(":disabled"),
  );
  found?.setAttribute("data-pointed-at", "");
  return found !== undefined;
}

/** Returns "in the view" if the text is visible, or else the reason why it isn't. */
export function placeOf(text: string): string {
  const element = [...document.querySelectorAll("main *")].find(
    (candidate) =>
      candidate.children.length === 0 &&
      candidate.textContent?.trim() === text &&
      candidate.checkVisibility(),
  );
  if (!element) return "nowhere";
  const { left, top, width, height, bottom } = element.getBoundingClientRect();
  if (top < 0 || bottom > innerHeight) return `from ${top} to ${bottom} of ${innerHeight}`;
  const above = document.elementFromPoint(left + width / 2, top + height / 2);
  return above && (element.contains(above) || above.contains(element))
    ? "in the view"
    : `under ${above?.outerHTML.slice(0, 60)}`;
}

/** Returns the selected category and whether its chip is fully visible. */
export function chosenChip() {
  const chip = document.querySelector("main nav [aria-current]");
  const { left = -1, right = -1 } = chip?.getBoundingClientRect() ?? {};
  return { text: chip?.textContent, whole: left >= 0 && right <= innerWidth };
}

export function openQuestions(): number[] {
  return [...document.querySelectorAll("main details")].flatMap((details, index) =>
    (details as HTMLDetailsElement).open ? [index] : [],
  );
}

export const isMenuOpen = () => document.querySelector("header nav")?.checkVisibility();
export const focused = () => document.activeElement?.textContent?.trim();
export const focusedTag = () => document.activeElement?.tagName;
export const hasIsland = () => document.querySelector("#deletion-form[data-ready]") !== null;

/** Counts the drawings with separate files for the light and the dark scheme. */
export function countDrawings(): number {
  return document.querySelectorAll("main picture > source ~ img").length;
}

/** Scrolls a visible drawing into view and returns its position. */
export async function bringDrawing(index: number) {
  const image = document.querySelectorAll<HTMLImageElement>("main picture > source ~ img")[index];
  if (!image) throw new Error(`There is no drawing ${index}`);
  image.loading = "eager";
  image.scrollIntoView({ block: "center", behavior: "instant" });
  await image.decode().catch(() => {});
  await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
  const { x, y, width, height } = image.getBoundingClientRect();
  return { name: image.currentSrc, box: { x, y, width, height } };
}

/** Returns, for each visible bike, whether it is within the road's box. */
export async function findBikesOnRoad(): Promise<boolean[]> {
  const section = document.getElementById("steps");
  section?.scrollIntoView({ block: "center", behavior: "instant" });
  await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
  const road = section?.getBoundingClientRect();
  if (!road) return [];
  return [...(section?.querySelectorAll("svg image") ?? [])]
    .map((bike) => bike.getBoundingClientRect())
    .filter(({ width }) => width > 0)
    .map(
      ({ left, right, top, bottom }) =>
        left >= 0 && right <= innerWidth && top >= road.top && bottom <= road.bottom,
    );
}

/**
 * Scrolls the element into view, and returns its center once it is still and uncovered. Scrolls
 * again if something moves the element, such as the page's scrolling after an earlier click.
 */
export async function middleOf(selector: string): Promise<{ x: number; y: number }> {
  for (let last: number | undefined; ; ) {
    const element = document.querySelector(selector);
    if (!element) throw new Error(`There is no ${selector} on ${location.pathname}`);
    const { left, right, top, bottom } = element.getBoundingClientRect();
    const x = Math.round((left + right) / 2);
    const y = Math.round((top + bottom) / 2);
    const above = document.elementFromPoint(x, y);
    const free = above && (element.contains(above) || above.contains(element));
    // During a view transition, the root element covers everything.
    if (top === last && free && above !== document.documentElement) return { x, y };
    if (!free) element.scrollIntoView({ block: "center", behavior: "instant" });
    last = element.getBoundingClientRect().top;
    await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
  }
}

export function count(selector: string): number {
  return document.querySelectorAll(selector).length;
}
