import { decode } from "fast-png";
import { middleOf } from "./looks.ts";
import type { Driver } from "./web-driver.ts";

/** The codes that WebDriver gives to keys that write nothing. */
const keyCodes = { Tab: "\uE004", Escape: "\uE00C", Enter: "\uE007" };

/** The property under which WebDriver hands out elements. */
const elementKey = "element-6066-11e4-a52e-4f735466cecf";

export type Colour = readonly [red: number, green: number, blue: number];
export type Box = { x: number; y: number; width: number; height: number };
export type Tab = ReturnType<typeof createTab>;

/** What the tests ask of a browser. */
export function createTab({ ask, resize, close }: Driver) {
  /** Runs a function in the page. It must not use anything from around it. */
  async function evaluate<Result, Args extends unknown[]>(
    run: (...args: Args) => Result,
    ...args: Args
  ): Promise<Awaited<Result>> {
    const question = { script: `return (${run}).apply(null, arguments)`, args };
    for (;;) {
      try {
        return await ask("ExecuteScript", { ...question, sandbox: null });
      } catch (error) {
        // A page that went away meanwhile: the next one is asked.
        const { name, message } = error as Error;
        if (name !== "TimeoutError" && !/unloaded|navigat/i.test(message)) throw error;
      }
    }
  }
  const act = (type: "key" | "pointer", actions: object[]) =>
    ask("PerformActions", { actions: [{ type, id: type, actions }] });
  const elements = async (value: string) => {
    const found = await ask<Record<string, string>[]>("FindElements", {
      using: "css selector",
      value,
    });
    return found.map((element) => element[elementKey] ?? "");
  };
  /** Types into whatever has the focus. */
  const type = (keys: string) =>
    act(
      "key",
      [...keys].flatMap((value) => ["keyDown", "keyUp"].map((kind) => ({ type: kind, value }))),
    );

  return {
    /** Opens an address and waits until it has loaded. */
    open: (url: string) => ask("Navigate", { url }),
    resize,
    evaluate,
    type,
    press: (key: keyof typeof keyCodes) => type(keyCodes[key]),
    /** Presses the first element of a selector with the mouse. */
    async click(selector: string): Promise<void> {
      const { x, y } = await evaluate(middleOf, selector);
      await act("pointer", [
        { type: "pointerMove", x, y },
        { type: "pointerDown", button: 0 },
        { type: "pointerUp", button: 0 },
      ]);
    },
    async choose(selector: string, value: string): Promise<void> {
      const [id] = await elements(`${selector} option[value="${value}"]`);
      await ask("ElementClick", { id });
    },
    /** As what assistive technology is told of each element of a selector. */
    async rolesOf(selector: string): Promise<string[]> {
      const roles: string[] = [];
      for (const id of await elements(selector)) {
        roles.push((await ask<string>("GetComputedRole", { id })).toLowerCase());
      }
      return roles;
    },
    /** Every pixel of a part of the page, as far as it is in the view. */
    async coloursIn({ x: left, y: top, ...size }: Box): Promise<Colour[]> {
      const png = await ask<string>("TakeScreenshot", { full: false });
      const { width, height, channels, data } = decode(Buffer.from(png, "base64"));
      const colours: Colour[] = [];
      for (let y = Math.max(0, Math.ceil(top)); y < Math.min(height, top + size.height); y++) {
        for (let x = Math.max(0, Math.ceil(left)); x < Math.min(width, left + size.width); x++) {
          const at = (y * width + x) * channels;
          colours.push([data[at] ?? 0, data[at + 1] ?? 0, data[at + 2] ?? 0]);
        }
      }
      return colours;
    },
    /** Everything that the page has complained about since this was last asked (see `ears.ts`). */
    complaints: () =>
      evaluate(() => (window as unknown as { complaints?: string[] }).complaints?.splice(0) ?? []),
    close,
  };
}
