// Functions that run inside the page. Each is sent as source text, so it can't use anything
// declared outside it.

/** Returns whether the text is visible without scrolling and not covered by the header. */
export function isInView(text: string, selector = "*"): boolean {
  return [...document.querySelectorAll(`main ${selector}`)].some((element) => {
    if (element.children.length > 0 || element.textContent?.trim() !== text) return false;
    const { left, right, top, width, bottom } = element.getBoundingClientRect();
    const found = [top + 1, bottom - 1].map((y) => document.elementFromPoint(left + width / 2, y));
    return left >= 0 && right <= innerWidth && found.every((hit) => element.contains(hit));
  });
}

/** Returns the pixels of the page's first drawing in the light and the dark scheme. */
export function drawInBothSchemes(): Promise<string[]> {
  const picture = document.querySelector("picture:has(> source)");
  const images = [picture?.querySelector("img")?.src, picture?.querySelector("source")?.srcset];
  return Array.fromAsync(images, async (src = "") => {
    const image = Object.assign(new Image(), { src });
    document.body.append(image);
    await image.decode();
    const canvas = document.createElement("canvas");
    canvas.getContext("2d")?.drawImage(image, 0, 0, image.width, image.height);
    return canvas.toDataURL();
  });
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
