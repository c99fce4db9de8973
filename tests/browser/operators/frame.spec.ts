import { desktop, expect, expectAccessible, phone, test } from "../../harness/browser.ts";

test.describe("the frame of the operators' pages", () => {
  for (const size of [phone, desktop]) {
    test(`is taken over by React without a word in the console, at ${size.width}`, async ({
      page,
      signInAs,
    }) => {
      await page.setViewportSize(size);
      await signInAs("Nadia", "keeper");
      await page.goto("/operator");
      await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
      await expect
        .poll(() =>
          page.evaluate(() =>
            Object.keys(document.querySelector("main") ?? {}).some((key) =>
              key.startsWith("__react"),
            ),
          ),
        )
        .toBe(true);
      await page.locator("[popovertarget=operator-more]").click();
      await page.locator("#operator-more").getByRole("link").first().click();
      await expect(page).toHaveURL(/\/operator\/requests\/new$/);
      await expectAccessible(page);
    });
  }
});
