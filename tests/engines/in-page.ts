// Functions that run inside the page. Each is sent as source text, so it can't use anything
// declared outside it.

/** Returns whether the text is visible without scrolling and not covered by the header. */
export function isInView(text: string): boolean {
  return [...document.querySelectorAll("main *")].some((element) => {
    if (element.children.length > 0 || element.textContent?.trim() !== text) return false;
    if (!element.checkVisibility({ visibilityProperty: true })) return false;
    const { left, top, width, bottom } = element.getBoundingClientRect();
    return [top + 1, bottom - 1].every((y) => {
      const above = document.elementFromPoint(left + width / 2, y);
      return above && (element.contains(above) || above.contains(element));
    });
  });
}

/** Returns the selected category and whether its chip is fully visible. */
export function chosenChip() {
  const chip = document.querySelector("main nav [aria-current]");
  const { left = -1, right = -1 } = chip?.getBoundingClientRect() ?? {};
  return { text: chip?.textContent, whole: left >= 0 && right <= innerWidth };
}

/** Replaces the page with its first drawing, as drawn in one color scheme. */
export async function showDrawing(scheme: "light" | "dark"): Promise<void> {
  const picture = document.querySelector("picture:has(> source)") ?? document.body;
  const image = picture.querySelector("img") ?? new Image();
  if (scheme === "dark") image.src = picture.querySelector("source")?.srcset ?? "";
  document.body.replaceChildren(picture);
  image.loading = "eager";
  await image.decode();
}

/** Returns, for each visible bike, whether it is within the road's box. */
export function findBikesOnRoad(): boolean[] {
  const section = document.getElementById("steps");
  section?.scrollIntoView({ block: "center", behavior: "instant" });
  const road = section?.getBoundingClientRect() ?? new DOMRect();
  return [...(section?.querySelectorAll("svg image") ?? [])]
    .map((bike) => bike.getBoundingClientRect())
    .filter(({ width }) => width > 0)
    .map(
      ({ left, right, top, bottom }) =>
        left >= 0 && right <= innerWidth && top >= road.top && bottom <= road.bottom,
    );
}
