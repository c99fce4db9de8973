import fc from "fast-check";

// Fixes the random seed, so that a run fails because of a change and not by chance.
// `FAST_CHECK_SEED=random` picks a new seed for each run; a number repeats that run.
const seed = process.env.FAST_CHECK_SEED ?? "20261122";
if (seed !== "random") fc.configureGlobal({ ...fc.readConfigureGlobal(), seed: Number(seed) });

export default fc;
