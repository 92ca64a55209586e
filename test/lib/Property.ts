import type { Parameters } from "fast-check"

const configured = process.env["FC_RUNS"] ?? (process.env["TEST_LONG"] === "1" ? "1000" : "50")

/** How many runs a property gets: 50, or 1,000 in the long suite. `FC_RUNS` overrides both. */
export const runs = (): number => Number(configured)

/** Parameters for `fc.assert`; `share` divides the runs of a costly property. */
export const property = <T>(share = 1): Parameters<T> => ({ numRuns: Math.max(1, Math.floor(runs() / share)) })
