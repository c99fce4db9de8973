import fc from "fast-check";

// Fixes the random seed, so that only a change can make a run fail. `FAST_CHECK_SEED=random` picks
// a new seed for each run; a number repeats that run.
const seed = process.env.FAST_CHECK_SEED ?? "20261122";
if (seed !== "random") fc.configureGlobal({ ...fc.readConfigureGlobal(), seed: Number(seed) });

export default fc;
