import puppeteer, { type LaunchOptions } from "puppeteer-core";
import { type Listener, middleOf, readPicture, type Scheme, type Tab } from "./tab.ts";

type Launch = { scheme: Scheme; executablePath: string };

/** Chromium by its own protocol. */
export function openChromium({ scheme, executablePath }: Launch): Promise<Tab> {
  return openTab(chromium(scheme, executablePath));
}

const chromium = (scheme: Scheme, executablePath: string): LaunchOptions => ({
  browser: "chrome",
  executablePath,
  args: [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
    `--blink-settings=preferredColorScheme=${scheme === "dark" ? 0 : 1}`,
  ],
});

/** Firefox by WebDriver BiDi. */
export function openFirefox({ scheme, executablePath }: Launch): Promise<Tab> {
  return openTab({
    browser: "firefox",
    executablePath,
    extraPrefsFirefox: {
      "layout.css.prefers-color-scheme.content-override": scheme === "dark" ? 0 : 1,
    },
  });
}

/** Chromium's whole accessibility tree, by its own protocol. */
export async function openChromiumTree(executablePath: string): Promise<Listener> {
  const browser = await puppeteer.launch({ headless: true, ...chromium("light", executablePath) });
  const page = await browser.newPage();
  const session = await page.createCDPSession();
  return {
    async open(url) {
      await page.goto(url);
    },
    evaluate: (run, ...args) => page.evaluate(run as never, ...args) as never,
    async told() {
      const { nodes } = await session.send("Accessibility.getFullAXTree");
      return nodes
        .filter(({ ignored }) => !ignored)
        .map(({ role, name, properties = [] }) => ({
          role: String(role?.value),
          name: String(name?.value ?? ""),
          live: properties.find((property) => property.name === "live")?.value.value,
        }));
    },
    close: () => browser.close(),
  };
}

async function openTab(options: LaunchOptions): Promise<Tab> {
  const browser = await puppeteer.launch({ headless: true, ...options });
  // Firefox gives the focus to a new page only, and presses no button for the Enter key without it.
  const page = await browser.newPage();
  await page.bringToFront();
  let heard: string[] = [];
  page.on("console", (message) => heard.push(`${message.type()}: ${message.text()}`));
  page.on("pageerror", (error) => heard.push(`fault: ${(error as Error).message}`));
  page.on("requestfailed", (request) => {
    const reason = request.failure()?.errorText ?? "";
    // Whoever leaves a page gives up what it was still loading.
    if (!reason.includes("ABORTED")) heard.push(`not loaded: ${request.url()} ${reason}`);
  });
  return {
    async open(url) {
      await page.goto(url);
    },
    resize: (size) => page.setViewport(size),
    evaluate: (run, ...args) => page.evaluate(run as never, ...args) as never,
    press: (key) => page.keyboard.press(key),
    type: (text) => page.keyboard.type(text),
    async click(selector) {
      const { x, y } = await page.evaluate(middleOf, selector);
      await page.mouse.click(x, y);
    },
    async choose(selector, value) {
      await page.select(selector, value);
    },
    look: async () => readPicture(await page.screenshot()),
    async complaints() {
      const said = heard;
      heard = [];
      return said;
    },
    close: () => browser.close(),
  };
}
