/**
 * Preload script for a server under test. The server's clock starts at the right time but runs
 * `CLOCK_SPEED` times as fast. Jobs due in minutes then run during the test.
 */
const speed = Number(process.env.CLOCK_SPEED);
const started = Temporal.Now.instant();

Temporal.Now.instant = () => started.add({ milliseconds: Math.round(performance.now() * speed) });
