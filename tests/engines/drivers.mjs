// Drivers for Firefox, through Puppeteer (WebDriver BiDi), and for WebKitGTK, through Selenium
// (WebDriver). Both implement `Driver` in tab.ts.
import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import puppeteer from "puppeteer-core";
import { Builder, By, Key } from "selenium-webdriver";
import { expect, vi } from "vitest";
import { findFreePort } from "../harness/free-port.ts";
import { killOnExit } from "../harness/kill-on-exit.ts";

/** Timeout for starting or resizing a browser, and interval between polls, in milliseconds. */
const untilReady = { timeout: 60_000, interval: 50 };
/**
 * Script timeout in milliseconds. WebKit's driver never responds to a script whose page is gone.
 */
const scriptMs = 15_000;

export async function startFirefox(scheme) {
  const browser = await puppeteer.launch({
    browser: "firefox",
    executablePath: process.env.FIREFOX_PATH || "/usr/bin/firefox-esr",
    extraPrefsFirefox: {
      "layout.css.prefers-color-scheme.content-override": scheme === "dark" ? 0 : 1,
    },
  });
  const page = await browser.newPage();
  return {
    open: (url) => page.goto(url),
    resize: (size) => page.setViewport(size),
    run: (script, args) => page.evaluate(script, ...args),
    clickAt: ({ x, y }) => page.mouse.click(x, y),
    type: (text) => page.keyboard.type(text),
    press: (key) => page.keyboard.press(key),
    choose: (selector, value) => page.select(selector, value),
    async countWithRole(selector, role) {
      // biome-ignore lint/nursery/noPlaywrightElementHandle: this is Puppeteer
      const found = await page.$$(`aria/[role="${role}"]`);
      const matches = await Promise.all(
        found.map((handle) =>
          handle.evaluate((element, wanted) => element.matches(wanted), selector),
        ),
      );
      return matches.filter(Boolean).length;
    },
    takeScreenshot: () => page.screenshot(),
    close: () => browser.close(),
  };
}

/**
 * Starts WebKitGTK's MiniBrowser on a virtual screen without a window manager. xdotool focuses the
 * window and makes it narrower than its toolbar allows.
 */
export async function startWebKit(scheme) {
  const screen = start(
    "Xvfb",
    "-displayfd 1 -screen 0 1600x1200x24 -nolisten tcp".split(" "),
    process.env,
  );
  const [display] = await once(createInterface(screen.stdout), "line");
  const env = {
    ...process.env,
    DISPLAY: `:${display}`,
    GTK_THEME: scheme === "dark" ? "Adwaita:dark" : "Adwaita",
    NO_AT_BRIDGE: "1",
  };
  const port = await findFreePort();
  const webdriver = start("WebKitWebDriver", [`--port=${port}`, "--host=127.0.0.1"], env);
  const server = `http://127.0.0.1:${port}`;
  await vi.waitFor(() => fetch(`${server}/status`), untilReady);
  const driver = await new Builder()
    .usingServer(server)
    .withCapabilities({ browserName: "MiniBrowser" })
    .build();
  const xdotool = (...args) => execFileSync("xdotool", args, { env, encoding: "utf8" });
  const windows = xdotool("search", "--onlyvisible", "--class", "MiniBrowser").trim().split("\n");
  const window = windows.at(-1) ?? "";
  xdotool("windowfocus", "--sync", window);
  const viewSize = () => driver.executeScript("return { width: innerWidth, height: innerHeight }");
  return {
    open: (url) => driver.get(url),
    async resize({ width, height }) {
      const geometry = xdotool("getwindowgeometry", window);
      const bar = Number(/Geometry: \d+x(\d+)/.exec(geometry)?.[1]) - (await viewSize()).height;
      // The driver resizes the window through GTK, which reserves space for the toolbar; xdotool
      // then removes that space.
      await driver
        .manage()
        .window()
        .setRect({ width, height: height + bar });
      xdotool("windowsize", window, String(width), String(height + bar));
      await vi.waitFor(async () => expect(await viewSize()).toEqual({ width, height }), untilReady);
    },
    run(script, args) {
      const late = AbortSignal.timeout(scriptMs);
      const gaveUp = once(late, "abort").then(() => Promise.reject(late.reason));
      return Promise.race([driver.executeScript(script, ...args), gaveUp]);
    },
    clickAt: ({ x, y }) => driver.actions().move({ x, y }).press().release().perform(),
    type: (text) => driver.actions().sendKeys(text).perform(),
    press: (key) => driver.actions().sendKeys(Key[key.toUpperCase()]).perform(),
    async choose(selector, value) {
      const option = await driver.findElement(By.css(`${selector} option[value="${value}"]`));
      // The driver scrolls to an option by itself, but clicks before a smooth scroll has ended.
      await driver.executeScript(
        (element) => element.parentElement.scrollIntoView({ behavior: "instant", block: "center" }),
        option,
      );
      await option.click();
    },
    async countWithRole(selector, role) {
      const found = await driver.findElements(By.css(selector));
      const roles = await Promise.all(found.map((element) => element.getAriaRole()));
      return roles.filter((roleName) => roleName.toLowerCase() === role).length;
    },
    takeScreenshot: async () => Buffer.from(await driver.takeScreenshot(), "base64"),
    async close() {
      await driver.quit();
      webdriver.kill();
      screen.kill();
    },
  };
}

function start(program, args, env) {
  return killOnExit(spawn(program, args, { env, stdio: ["ignore", "pipe", "ignore"] }));
}
