import type { RouterContextProvider } from "react-router";
import { servicesContext } from "./services-context.ts";
import type { PageWords } from "./words.ts";

/**
 * Minimum number of completed requests for publishing the on-time rate. A smaller sample says
 * little and might reveal something about a single requester.
 */
const fewest = 10;

/**
 * Formats the share of completed and overdue requests that were completed on time. Returns
 * undefined if fewer than `fewest` requests are completed.
 */
export async function presentKeptPromises(
  words: PageWords,
  context: Readonly<RouterContextProvider>,
) {
  const { desk, operatorDesk } = context.get(servicesContext);
  const { completed, completedOnTime, medianDays } = await desk.happened();
  if (completed < fewest) return undefined;
  const count = completed + (await operatorDesk.standing()).late;
  const days = Math.max(1, Math.ceil(medianDays ?? 1));
  return words.say(words.deletion.kept, { onTime: completedOnTime, count, days });
}
