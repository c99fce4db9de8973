/**
 * Trust in the clock before erasing, which can't be undone. After the clock was set, or the
 * machine slept, it has to run on for an hour. If it is far from the server's last run, it has
 * to run on for a day, or an operator confirms it.
 */

const hourMs = 60 * 60_000;
/**
 * A larger difference between the clock and the elapsed time means that the clock was set or
 * the machine slept.
 */
const jumpMs = hourMs;
/** Milliseconds that a clock must run on after a jump before anything is erased by it. */
const trustAfterMs = hourMs;
/** A server seldom stops for longer. It is shorter than the shortest retention. */
const plausibleAbsenceMs = 3 * 24 * hourMs;
const trustAfterAbsenceMs = 24 * hourMs;

/**
 * Checks that time does not go back: undefined, or the problem in a sentence. @param whose
 * clock `now` is of
 */
export function findClockProblem(
  now: Temporal.Instant,
  lastSeen: Temporal.Instant | undefined,
  whose = "this machine",
): string | undefined {
  if (!lastSeen || lastSeen.epochMilliseconds - now.epochMilliseconds <= jumpMs) return undefined;
  const tell = (instant: Temporal.Instant) => instant.toString({ smallestUnit: "minute" });
  return `The clock of ${whose} says ${tell(now)}, but the server already ran at ${tell(lastSeen)}. Set the clock and start again; if it is right now and was wrong then, say so with: npm run requests -- trust-clock --as NAME.`;
}

export function createClockTrust(services: {
  clock: () => Temporal.Instant;
  /** A monotonic clock in milliseconds. */
  elapsedMs: () => number;
  /** The last time at which the server or an operator trusted the clock. */
  lastSeen: () => Promise<Temporal.Instant | undefined>;
  log: { warn(facts: Record<string, unknown>, message: string): void };
}) {
  const { clock, elapsedMs, log } = services;
  let clockAhead = clock().epochMilliseconds - elapsedMs();
  let trustedFrom = 0;
  let asked = false;
  let held = false;

  /** Returns how far the clock is from when it was last trusted. */
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
      if (!asked) {
        const gap = await findGap();
        asked = true;
        if (gap > plausibleAbsenceMs) {
          trustedFrom = elapsed + trustAfterAbsenceMs;
          log.warn(
            { gapMs: gap },
            "the clock is far from when the server last ran; nothing is erased for a day",
          );
        }
      } else if (held && (await findGap()) < jumpMs) {
        // An operator has confirmed the clock.
        trustedFrom = elapsed;
      }
      held = elapsed < trustedFrom;
      return !held;
    },
    /** True if erasing was on hold at the last check. */
    isHeld: () => held,
  };
}
