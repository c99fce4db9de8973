import { decode } from "fast-png";
import { middleOf } from "./in-page.ts";

export type Scheme = "light" | "dark";
export type Size = { width: number; height: number };
export type Box = { x: number; y: number; width: number; height: number };
export type Colour = readonly [red: number, green: number, blue: number];

/** Commands that every browser's driver implements. */
export type Driver = {
  open(url: string): Promise<unknown>;
  resize(size: Size): Promise<void>;
  /** Runs a function in the page. The function can't use anything declared outside it. */
  run(script: (...args: never[]) => unknown, args: unknown[]): Promise<unknown>;
  clickAt(point: { x: number; y: number }): Promise<void>;
  /** Types into the focused element. */
  type(text: string): Promise<void>;
  press(key: "Tab" | "Escape" | "Enter"): Promise<void>;
  choose(selector: string, value: string): Promise<unknown>;
  /** Counts matching elements that have this ARIA role. */
  countWithRole(selector: string, role: string): Promise<number>;
  /** Returns the viewport as a PNG. */
  takeScreenshot(): Promise<Uint8Array>;
  close(): Promise<void>;
};

export type Tab = ReturnType<typeof createTab>;

/** Errors that drivers raise if the page is replaced while a script runs. */
const wentAway = /unloaded|navigat|destroyed|detached|no such (?:frame|window)|aborted|timeout/i;

export function createTab(driver: Driver) {
  /**
   * Runs a function in the page. If the page is replaced in the meantime, runs the function again
   * in the new page.
   */
  async function evaluate<Result, Args extends unknown[]>(
    script: (...args: Args) => Result,
    ...args: Args
  ): Promise<Awaited<Result>> {
    for (;;) {
      try {
        return (await driver.run(script as () => unknown, args)) as Awaited<Result>;
      } catch (error) {
        if (!wentAway.test(String(error))) throw error;
      }
    }
  }

  return {
    ...driver,
    evaluate,
    async click(selector: string): Promise<void> {
      await driver.clickAt(await evaluate(middleOf, selector));
    },
    /** Returns all pixels of a region of the page, clipped to the viewport. */
    async coloursIn({ x: left, y: top, ...size }: Box): Promise<Colour[]> {
      const { width, height, channels, data } = decode(await driver.takeScreenshot());
      const colours: Colour[] = [];
      for (let y = Math.max(0, Math.ceil(top)); y < Math.min(height, top + size.height); y++) {
        for (let x = Math.max(0, Math.ceil(left)); x < Math.min(width, left + size.width); x++) {
          const at = (y * width + x) * channels;
          colours.push([data[at] ?? 0, data[at + 1] ?? 0, data[at + 2] ?? 0]);
        }
      }
      return colours;
    },
    /** Returns and clears the page's recorded errors and warnings (`page-errors.ts`). */
    pageErrors: () =>
      evaluate(() => (window as unknown as { pageErrors?: string[] }).pageErrors?.splice(0) ?? []),
  };
}
