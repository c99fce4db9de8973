import type { RouterContextProvider } from "react-router";
import { servicesContext } from "./services-context.ts";
import type { PageWords } from "./words.ts";

/**
 * Minimum number of requests for publishing the figure; fewer mean little and might reveal a
 * person.
 */
const fewest = 10;

/**
 * Formats how many completed and overdue requests were done on time. Returns undefined below
 * `fewest`.
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
