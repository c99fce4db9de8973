import { setTimeout } from "node:timers/promises";
import type { Page } from "@playwright/test";

// When a page is ready for what somebody does next. Each waits as long as it takes; a test's own limit ends it.

/**
 * Until React has taken an operators' page over. Before that a press is an ordinary form's, and what only a script can do,
 * such as asking for a passkey, is not done.
 */
export async function untilTakenOver(page: Page): Promise<void> {
  const isTakenOver = () =>
    page.evaluate(() => {
      // React's own record of the document: the server's markup until the first commit over it.
      const key = Object.keys(document).find((name) => name.startsWith("__reactContainer$"));
      type Root = { stateNode: { current: { memoizedState: { isDehydrated?: boolean } } } };
      const root = key && (document as unknown as Record<string, Root>)[key];
      return root ? root.stateNode.current.memoizedState.isDehydrated === false : false;
    });
  while (!(await isTakenOver())) await setTimeout(20);
}

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
