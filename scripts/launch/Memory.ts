import manifest from "../../package.json" with { type: "json" }

/** How the runtime keeps memory: docs/operating/running.md says why. */
export const MEMORY = {
  BUN_JSC_heapGrowthFunctionThresholdInMB: "1048576",
  BUN_JSC_minEdenToOldGenerationRatio: "0.2",
  BUN_JSC_smallHeapGrowthFactor: "1.5",
  MIMALLOC_PURGE_DELAY: "1000"
}

/** The same for Bun of the version that the project installs, and nothing for another: one that does not know a setting does not start. */
export const memoryFor = (version: string | undefined): Partial<typeof MEMORY> =>
  version === manifest.dependencies.bun ? MEMORY : {}
