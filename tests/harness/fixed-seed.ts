import fc from "fast-check";

// A fixed seed keeps runs reproducible. Set `FAST_CHECK_SEED` to `random` for a new seed, or to a
// number to repeat a run.
const seed = process.env.FAST_CHECK_SEED ?? "20261122";
if (seed !== "random") fc.configureGlobal({ ...fc.readConfigureGlobal(), seed: Number(seed) });

export default fc;
