/**
 * Preloaded into a server under test. Its clock starts at the correct time and runs `CLOCK_SPEED`
 * times as fast, so that jobs due after minutes run within the test.
 */
const speed = Number(process.env.CLOCK_SPEED);
const started = Temporal.Now.instant();

Temporal.Now.instant = () => started.add({ milliseconds: Math.round(performance.now() * speed) });
