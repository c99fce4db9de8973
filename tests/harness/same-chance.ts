import fc from "fast-check";

// Whatever is tried by chance is the same in every run, so that a run fails for what was changed and not for its luck.
// FAST_CHECK_SEED=random tries something else each time, a number what that number tried.
const seed = process.env.FAST_CHECK_SEED ?? "20261122";
if (seed !== "random") fc.configureGlobal({ ...fc.readConfigureGlobal(), seed: Number(seed) });

export default fc;
