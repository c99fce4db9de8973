import { setTimeout } from "node:timers/promises";
import type { Page } from "@playwright/test";

// When a page is ready for what somebody does next. Each waits as long as it takes; a test's own limit ends it.

/** Until nothing moves by itself, such as what has just been opened. */
export async function untilStill(page: Page): Promise<void> {
  const isMoving = () =>
    page.evaluate(() =>
      document
        .getAnimations()
        .some(
          ({ timeline, playState }) =>
            timeline instanceof DocumentTimeline && playState === "running",
        ),
    );
  while (await isMoving()) await setTimeout(20);
}

/** Until the next frame has been shown, where the browser puts right what the one before left. */
export async function untilShown(page: Page): Promise<void> {
  await page.evaluate(
    () => new Promise((shown) => requestAnimationFrame(() => requestAnimationFrame(shown))),
  );
}
