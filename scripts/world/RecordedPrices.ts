import { Effect } from "effect"
import type { Median } from "../../engine/arena/Median.ts"
import type { ExportedWorld } from "../../engine/simulation/ExportedWorld.ts"
import { pathBegins, PathPrices } from "../../engine/simulation/WorldPath.ts"
import { DAY } from "../../src/arena/history/HistoryDay.ts"
import type { AuctionSource } from "../../src/cli/market/AuctionSource.ts"
import { folderSource } from "../../src/cli/market/FolderSource.ts"

/** The time of the last safe price of a source; undefined where it has none. */
const lastSafe = Effect.fnUntraced(function* ({ days, read }: AuctionSource) {
  for (const day of days.toReversed()) {
    const last = (yield* read(day)).medians.findLast(({ safe }) => safe)
    if (last !== undefined) return last.at
  }
  return undefined
})

/**
 * The recorded prices of a folder that `emporion archive` wrote that a world's path looks at, ascending. No day before them is
 * read; each that is read is checked.
 */
export const recordedPrices = Effect.fn("sim.recordedPrices")(function* (folder: string, world: ExportedWorld) {
  const source = yield* folderSource(folder, { from: 0, to: Infinity })
  const last = yield* lastSafe(source)
  if (last === undefined) return [] as ReadonlyArray<Median>
  const [from, to] = [Math.floor(pathBegins(world, last) / DAY), Math.floor(last / DAY)]
  const prices = new PathPrices(world, last)
  for (const day of source.days.filter((one) => one >= from && one <= to)) {
    for (const median of (yield* source.read(day)).medians) prices.take(median)
  }
  return prices.medians
})
