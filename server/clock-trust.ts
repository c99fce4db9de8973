/**
 * Whether the clock may be believed when something is to be erased: what is gone does not come back with the right
 * time. A clock that was set, or a machine that slept, has to run on for an hour first. A clock that is far from when
 * the server last ran has to run on for a day, or an operator says that it is right.
 */

const hourMs = 60 * 60_000;
/** A clock that left the passing time by more than this has been set, or the machine slept. */
const jumpMs = hourMs;
/** How long a clock that jumped must run on before anything is erased by it. */
const trustAfterMs = hourMs;
/** A server is seldom stopped for longer; less than the shortest time after which something goes. */
const plausibleAbsenceMs = 3 * 24 * hourMs;
const trustAfterAbsenceMs = 24 * hourMs;

/**
 * Time does not go back: undefined, or what is wrong in one sentence.
 * @param whose clock `now` is of
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
  /** Milliseconds that only ever pass. */
  elapsedMs: () => number;
  /** When the server, or an operator, last believed the clock. */
  lastSeen: () => Promise<Temporal.Instant | undefined>;
  log: { warn(facts: Record<string, unknown>, message: string): void };
}) {
  const { clock, elapsedMs, log } = services;
  let clockAhead = clock().epochMilliseconds - elapsedMs();
  let trustedFrom = 0;
  let asked = false;
  let held = false;

  /** How far the clock is from when it was last believed. */
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
        // An operator has looked.
        trustedFrom = elapsed;
      }
      held = elapsed < trustedFrom;
      return !held;
    },
    /** As of the last time that it was asked. */
    isHeld: () => held,
  };
}
