/**
 * When to try again. The steps are those of the Standard Webhooks specification ("Deliverability and reliability"):
 * nine retries over three days, after which a person must look.
 */
const second = 1000;
const minute = 60 * second;
const hour = 60 * minute;

const retryDelaysMs = [
  0,
  5 * second,
  5 * minute,
  30 * minute,
  2 * hour,
  5 * hour,
  10 * hour,
  14 * hour,
  20 * hour,
  24 * hour,
] as const;

/** The least wait after an attempt that may have arrived: a second one would be a second copy. */
export const unansweredDelayMs = 15 * minute;

/**
 * The wait after the `failures`-th failed attempt, up to a fifth longer so that many do not come back at once.
 * Undefined when there have been enough.
 * @param random 0 to 1
 */
export function nextDelayMs(failures: number, random: number): number | undefined {
  const delay = retryDelaysMs[failures];
  return delay === undefined ? undefined : Math.round(delay * (1 + random / 5));
}
