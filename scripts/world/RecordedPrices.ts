import { Effect } from "effect"
import type { Median } from "../../engine/arena/Median.ts"
import { folderSource } from "../../src/cli/market/FolderSource.ts"

/** The recorded prices of a folder that `emporion archive` wrote, ascending; each day is checked when it is read. */
export const recordedPrices = Effect.fn("sim.recordedPrices")(function* (folder: string) {
  const source = yield* folderSource(folder, { from: 0, to: Infinity })
  const medians: Array<Median> = []
  for (const day of source.days) for (const median of (yield* source.read(day)).medians) medians.push(median)
  return medians
})
