import type { RouterContextProvider } from "react-router";
import { servicesContext } from "./services-context.ts";
import type { PageWords } from "./words.ts";

/**
 * Minimum number of completed requests for publishing the on-time rate. With fewer requests, the
 * rate would mean little and might reveal something about one requester.
 */
const fewest = 10;

/**
 * Formats how many of the completed and overdue requests were completed on time. Returns undefined
 * if fewer than `fewest` requests are completed.
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
