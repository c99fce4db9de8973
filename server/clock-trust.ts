/**
 * Decides whether to trust the clock for erasure, which can't be undone. After a jump (the clock
 * was set or the machine slept), the clock must run for an hour before we trust it. If the clock is
 * far from the server's last run, it must run for a day, or an operator must confirm it.
 */

const hourMs = 60 * 60_000;
/** Minimum difference between clock and elapsed time that counts as a jump, in milliseconds. */
const jumpMs = hourMs;
/** How long the clock must run after a jump before we trust it for erasure, in milliseconds. */
const trustAfterMs = hourMs;
/**
 * Longest plausible downtime of a server, in milliseconds. Shorter than every retention period that
 * is counted in days.
 */
const plausibleAbsenceMs = 3 * 24 * hourMs;
const trustAfterAbsenceMs = 24 * hourMs;

/**
 * Checks that the clock isn't more than an hour behind the last recorded time. Returns an
 * explanation of the problem, or undefined if there is none.
 * @param whose the machine that `now` comes from
 */
export function findClockProblem(
  now: Temporal.Instant,
  lastSeen: Temporal.Instant | undefined,
  whose = "this machine",
): string | undefined {
  if (!lastSeen || lastSeen.epochMilliseconds - now.epochMilliseconds <= jumpMs) return undefined;
  const toMinute = (instant: Temporal.Instant) => instant.toString({ smallestUnit: "minute" });
  return `The clock of ${whose} says ${toMinute(now)}, but the server already ran at ${toMinute(lastSeen)}. Set the clock and start again. If it is right now and was wrong then, run: npm run requests -- trust-clock --as NAME.`;
}

export function createClockTrust(services: {
  clock: () => Temporal.Instant;
  /** Reads a monotonic clock, in milliseconds. */
  elapsedMs: () => number;
  /** Returns when the server or an operator last trusted the clock. */
  lastSeen: () => Promise<Temporal.Instant | undefined>;
  log: { warn(facts: Record<string, unknown>, message: string): void };
}) {
  const { clock, elapsedMs, log } = services;
  let clockAhead = clock().epochMilliseconds - elapsedMs();
  let trustedFrom = 0;
  let isCompared = false;
  let held = false;

  /** Returns the distance between the clock and the last trusted time, in milliseconds. */
  async function findGap(): Promise<number> {
    const lastSeen = await services.lastSeen();
    return lastSeen ? Math.abs(clock().epochMilliseconds - lastSeen.epochMilliseconds) : 0;
  }

  return {
    async isTrusted(): Promise<boolean> {
      const elapsed = elapsedMs();
      const ahead = clock().epochMilliseconds - elapsed;
      const jumpedBy = ahead - clockAhead;
      clockAhead = ahead;
      if (Math.abs(jumpedBy) > jumpMs) {
        trustedFrom = elapsed + trustAfterMs;
        log.warn({ byMs: Math.round(jumpedBy) }, "the clock jumped; nothing is erased for an hour");
      }
      if (!isCompared) {
        const gap = await findGap();
        isCompared = true;
        if (gap > plausibleAbsenceMs) {
          trustedFrom = elapsed + trustAfterAbsenceMs;
          log.warn(
            { gapMs: gap },
            "the clock is far from the server's last run; nothing is erased for a day",
          );
        }
      } else if (held && (await findGap()) < jumpMs) {
        // An operator has confirmed the clock since the last check.
        trustedFrom = elapsed;
      }
      held = elapsed < trustedFrom;
      return !held;
    },
    /** Returns whether the last check put erasure on hold. */
    isHeld: () => held,
  };
}
