/**
 * Retry delays from the Standard Webhooks specification ("Deliverability and reliability"): nine
 * retries over three days. After the last retry, an operator must act.
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

/**
 * Minimum delay in milliseconds after an attempt that may have succeeded, because a retry could
 * deliver a second copy.
 */
export const unansweredDelayMs = 15 * minute;

/**
 * Returns the delay in milliseconds after the `failures`-th failed attempt, with up to 20% jitter.
 * Returns undefined after the last retry.
 * @param random a number from 0 to 1
 */
export function nextDelayMs(failures: number, random: number): number | undefined {
  const delay = retryDelaysMs[failures];
  return delay === undefined ? undefined : Math.round(delay * (1 + random / 5));
}
