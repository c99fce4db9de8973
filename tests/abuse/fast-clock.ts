/**
 * Preload script for a server under test. The server's clock starts at the right time but runs
 * `CLOCK_SPEED` times as fast, so that jobs due in minutes run during the test.
 */
const speed = Number(process.env.CLOCK_SPEED);
const started = Temporal.Now.instant();

Temporal.Now.instant = () => started.add({ milliseconds: Math.round(performance.now() * speed) });
