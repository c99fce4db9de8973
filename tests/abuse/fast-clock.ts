/**
 * Loaded before a server under test: its clock starts right and runs `CLOCK_SPEED` times as fast, so that what happens
 * after minutes happens while somebody watches.
 */
const speed = Number(process.env.CLOCK_SPEED);
const started = Temporal.Now.instant();

Temporal.Now.instant = () => started.add({ milliseconds: Math.round(performance.now() * speed) });
