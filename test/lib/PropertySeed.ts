/** Loaded before every test file: properties draw from the run's seed, so that a run can be repeated as a whole. */
import fc from "fast-check"

/** The environment's name for the seed, an integer of 32 bits. */
export const PROPERTY_SEED = "TEST_SEED"

const seed = process.env[PROPERTY_SEED]
if (seed !== undefined) fc.configureGlobal({ ...fc.readConfigureGlobal(), seed: Number(seed) | 0 })
