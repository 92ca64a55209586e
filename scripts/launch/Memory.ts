/** How the runtime keeps memory: docs/operating/running.md says why. */
export const MEMORY = { BUN_JSC_heapGrowthFunctionThresholdInMB: "1048576", MIMALLOC_PURGE_DELAY: "10000" }
