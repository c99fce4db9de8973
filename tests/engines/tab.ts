import { decode } from "fast-png";
import type { Told } from "./told.ts";

/** What the tests ask of a browser, kept to what every engine can be asked alike. */

export type Scheme = "light" | "dark";
export type Size = { width: number; height: number };
export type Key = "Tab" | "Escape" | "Enter";
export type EngineName = "Chromium" | "Firefox" | "WebKit";

/** A tab of a real browser that shows one colour scheme. */
export type Tab = {
  /** Opens an address and waits until it has loaded. */
  open(url: string): Promise<void>;
  resize(size: Size): Promise<void>;
  /** Runs a function in the page. It must not use anything from around it. */
  evaluate<Result, Args extends unknown[]>(
    run: (...args: Args) => Result,
    ...args: Args
  ): Promise<Awaited<Result>>;
  press(key: Key): Promise<void>;
  /** Types into whatever has the focus. */
  type(text: string): Promise<void>;
  /** Presses the first element of a selector with the mouse. */
  click(selector: string): Promise<void>;
  /** Chooses an option of a select by its value. */
  choose(selector: string, value: string): Promise<void>;
  /** What is in the view now. */
  look(): Promise<Picture>;
  /** Everything the engine has complained about since this was last asked. */
  complaints(): Promise<string[]>;
  close(): Promise<void>;
};

/** A page and everything that its engine tells assistive technology about it, in the order of reading. */
export type Listener = Pick<Tab, "open" | "evaluate" | "close"> & { told(): Promise<Told[]> };

export type Colour = readonly [red: number, green: number, blue: number];
export type Box = { x: number; y: number; width: number; height: number };

/** A picture of the view, one pixel for each CSS pixel. */
export type Picture = Size & {
  colourAt(x: number, y: number): Colour;
  /** Every pixel of a part of the picture, as far as it is in the view. */
  coloursIn(box: Box): Colour[];
};

export function readPicture(png: Uint8Array): Picture {
  const { width, height, channels, data } = decode(png);
  const colourAt = (x: number, y: number): Colour => {
    const start = (y * width + x) * channels;
    return [data[start] ?? 0, data[start + 1] ?? 0, data[start + 2] ?? 0];
  };
  return {
    width,
    height,
    colourAt,
    coloursIn(box) {
      const colours: Colour[] = [];
      const right = Math.min(width, Math.floor(box.x + box.width));
      const bottom = Math.min(height, Math.floor(box.y + box.height));
      for (let y = Math.max(0, Math.ceil(box.y)); y < bottom; y++) {
        for (let x = Math.max(0, Math.ceil(box.x)); x < right; x++) colours.push(colourAt(x, y));
      }
      return colours;
    },
  };
}

/**
 * Brings the element into the view and gives its middle, for a pointer, once it rests there with nothing above it. It is
 * brought again as often as something takes it away, such as the page's own scrolling after an earlier press.
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
    // While one page turns into the next, the root lies above everything.
    if (top === last && free && above !== document.documentElement) return { x, y };
    if (!free) element.scrollIntoView({ block: "center", behavior: "instant" });
    last = element.getBoundingClientRect().top;
    await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
  }
}
