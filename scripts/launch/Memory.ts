import { totalmem } from "node:os"
import manifest from "../../package.json" with { type: "json" }

/** How the runtime keeps memory: docs/operating/running.md says why. */
export const MEMORY = {
  BUN_JSC_concurrentGCMaxHeadroom: "3",
  BUN_JSC_forceRAMSize: "268435456",
  BUN_JSC_heapGrowthFunctionThresholdInMB: "1048576",
  BUN_JSC_largeHeapGrowthFactor: "2",
  BUN_JSC_mediumHeapGrowthFactor: "4",
  BUN_JSC_minEdenToOldGenerationRatio: "0.2",
  BUN_JSC_smallHeapGrowthFactor: "1.5",
  MIMALLOC_PURGE_DELAY: "1000",
  MIMALLOC_PURGE_HOLES_MIN_INTERVAL: "1000"
}

/**
 * How the runtime keeps memory of `npm run sim`: young objects are collected every 128 MiB, for nearly all of them are garbage by
 * then. It is told of a smaller machine, so that a heap with much in use grows by less.
 */
export const SIMULATION_MEMORY = {
  BUN_JSC_heapGrowthFunctionThresholdInMB: "1048576",
  BUN_JSC_forceRAMSize: "805306368",
  BUN_JSC_largeHeapSize: "134217728"
}

/** On a machine with less memory, in bytes, a large heap is collected more often in place of growing faster. */
export const SMALL_MACHINE = 4 * 1024 ** 3

/** The memory that this process may have, in bytes: the machine's or its container's. */
const machineMemory = (): number => Math.min(totalmem(), process.constrainedMemory() || Number.POSITIVE_INFINITY)

/** {@link MEMORY} for Bun of the version that the project installs, and nothing for another: one that does not know a setting does not start. */
export const memoryFor = (version: string | undefined, memory: number = machineMemory()): Partial<typeof MEMORY> => {
  if (version !== manifest.dependencies.bun) return {}
  if (memory >= SMALL_MACHINE) return MEMORY
  const {
    BUN_JSC_concurrentGCMaxHeadroom: _headroom,
    BUN_JSC_forceRAMSize: _size,
    BUN_JSC_largeHeapGrowthFactor: _large,
    BUN_JSC_mediumHeapGrowthFactor: _medium,
    ...others
  } = MEMORY
  return others
}
