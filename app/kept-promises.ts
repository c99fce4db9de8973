import type { RouterContextProvider } from "react-router";
import { servicesContext } from "./services-context.ts";
import type { Words } from "./words.ts";

/** So few say nothing, and could say something of one person. */
const fewest = 10;

/** How many of the requests that are done or late were done in time, in a sentence; undefined while there are few. */
export async function tellKeptPromises(words: Words, context: Readonly<RouterContextProvider>) {
  const { desk, operatorDesk } = context.get(servicesContext);
  const { completed, completedOnTime, medianDays } = await desk.happened();
  if (completed < fewest) return undefined;
  const count = completed + (await operatorDesk.standing()).late;
  const days = Math.max(1, Math.ceil(medianDays ?? 1));
  return words.say(words.deletion.kept, { onTime: completedOnTime, count, days });
}
