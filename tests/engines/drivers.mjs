// Drivers with the same commands for Firefox, through Puppeteer (WebDriver BiDi), and for
// WebKitGTK, through Selenium (WebDriver). `click` takes an XPath and waits for its element.
import puppeteer from "puppeteer-core";
import { Builder, By } from "selenium-webdriver";
import { ServiceBuilder } from "selenium-webdriver/safari.js";
import { expect, vi } from "vitest";

export { Key } from "selenium-webdriver";

/** Starts Firefox. `close` fails if a page logged a message or threw an error. */
export async function startFirefox() {
  const executablePath = process.env.FIREFOX_PATH;
  const browser = await puppeteer.launch({ browser: "firefox", executablePath });
  const page = await browser.newPage();
  const logged = [];
  page.on("console", (message) => logged.push(message.text()));
  page.on("pageerror", (error) => logged.push(error.message));
  return {
    open: (url) => page.goto(url),
    resize: (size) => page.setViewport(size),
    evaluate: (script, ...args) => page.evaluate(script, ...args),
    click: (xpath) => page.locator(`::-p-xpath(${xpath})`).click(),
    type: (keys) => page.keyboard.type(keys),
    // biome-ignore lint/nursery/noPlaywrightElementHandle: this is Puppeteer
    countRole: async (role) => (await page.$$(`aria/[role="${role}"]`)).length,
    async close() {
      await browser.close();
      expect(logged).toEqual([]);
    },
  };
}

/**
 * Starts WebKitGTK's MiniBrowser. Without a window manager, the window at the screen's center has
 * the focus.
 */
export async function startWebKit() {
  const service = new ServiceBuilder("/usr/bin/WebKitWebDriver").build();
  const driver = await new Builder()
    .usingServer(await service.start())
    .withCapabilities({ browserName: "MiniBrowser" })
    .build();
  // A popup has no toolbar, so it can be as narrow as a phone.
  await driver.get(`data:text/html,<button onclick="open('', '', 'popup')">Open</button>`);
  await driver.findElement(By.css("button")).click();
  await driver.wait(async () => (await driver.getAllWindowHandles()).length > 1);
  await driver.close();
  const [popup] = await driver.getAllWindowHandles();
  await driver.switchTo().window(popup);
  const scrollTo = (element) => element.scrollIntoView({ behavior: "instant", block: "center" });
  return {
    open: (url) => driver.get(url),
    async resize(size) {
      await driver.manage().window().setRect(size);
      await driver.wait(() => driver.executeScript((width) => innerWidth === width, size.width));
    },
    evaluate: (script, ...args) => driver.executeScript(script, ...args),
    click: (xpath) =>
      vi.waitFor(async () => {
        const element = await driver.findElement(By.xpath(xpath));
        // The driver scrolls to an element by itself, but clicks before a smooth scroll has ended.
        await driver.executeScript(scrollTo, element);
        await element.click();
      }, 45_000),
    type: (keys) => driver.actions().sendKeys(keys).perform(),
    async countRole(role, selector) {
      const elements = await driver.findElements(By.css(selector));
      const roles = await Promise.all(elements.map((element) => element.getAriaRole()));
      return roles.filter((name) => name.toLowerCase() === role).length;
    },
    async close() {
      await driver.quit();
      await service.kill();
    },
  };
}
