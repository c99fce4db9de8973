import type { RouterContextProvider } from "react-router";
import { servicesContext } from "./services-context.ts";
import type { Words } from "./words.ts";

/** Least number of requests for a figure: fewer say nothing, and might reveal one person. */
const fewest = 10;

/**
 * Says how many of the completed and overdue requests were done in time; undefined below `fewest`.
 */
export async function tellKeptPromises(words: Words, context: Readonly<RouterContextProvider>) {
  const { desk, operatorDesk } = context.get(servicesContext);
  const { completed, completedOnTime, medianDays } = await desk.happened();
  if (completed < fewest) return undefined;
  const count = completed + (await operatorDesk.standing()).late;
  const days = Math.max(1, Math.ceil(medianDays ?? 1));
  return words.say(words.deletion.kept, { onTime: completedOnTime, count, days });
}
