import type { Locator, Page } from "@playwright/test";

/** Goes from place to place with a finger: each was emptied, and everybody told. */
export async function walkThrough(
  page: Page,
  press: (what: Locator) => Promise<void> = (what) => what.click(),
): Promise<void> {
  const places = page.locator("fieldset[data-step]");
  await page.locator("[data-walking]").waitFor();
  const count = await places.count();
  for (let step = 0; step < count; step++) {
    await press(places.nth(step).locator("label", { has: page.locator("input[value=done]") }));
  }
}
