/**
 * Whether the clock may be believed when something is to be erased: what is gone does not come back with the right
 * time. A clock that was set, or a machine that slept, has to run on for an hour first.
 */
export type ClockTrust = { isTrusted(): boolean };

/** A clock that left the passing time by more than this has been set, or the machine slept. */
const jumpMs = 60 * 60_000;
/** How long a clock that jumped must run on before anything is erased by it. */
const trustAfterMs = 60 * 60_000;

export function createClockTrust(services: {
  clock: () => Temporal.Instant;
  /** Milliseconds that only ever pass, whatever happens to the clock. */
  elapsedMs: () => number;
  log: { warn(facts: Record<string, unknown>, message: string): void };
}): ClockTrust {
  const { clock, elapsedMs } = services;
  let clockAhead = clock().epochMilliseconds - elapsedMs();
  let trustedFrom = 0;
  return {
    isTrusted() {
      const elapsed = elapsedMs();
      const ahead = clock().epochMilliseconds - elapsed;
      if (Math.abs(ahead - clockAhead) > jumpMs) {
        trustedFrom = elapsed + trustAfterMs;
        services.log.warn(
          { byMs: Math.round(ahead - clockAhead) },
          "the clock jumped; nothing is erased for an hour",
        );
      }
      clockAhead = ahead;
      return elapsed >= trustedFrom;
    },
  };
}
