import type { Median } from "../arena/Median.ts"
import type { Amount } from "../money/Amount.ts"
import { pricesFrom } from "./AuctionSurvey.ts"
import { type ExportedWorld, MAX_WORLD_STEPS } from "./ExportedWorld.ts"
import { marketStep } from "./WorldScenario.ts"

/**
 * A world whose prices first come again as they were recorded. Safe prices count alone, each until the next one; an asset's
 * first holds before it too. Of more than {@link MAX_WORLD_STEPS} looks the last are taken. Without a safe price the world is
 * as it was.
 *
 * @param medians - ascending in time
 */
export const withPath = (world: ExportedWorld, medians: ReadonlyArray<Median>): ExportedWorld => {
  const safe = medians.filter((median) => median.safe)
  const [first, last] = [safe[0], safe.at(-1)]
  if (first === undefined || last === undefined) return world
  const step = marketStep(world)
  const looks = Math.min(MAX_WORLD_STEPS, Math.floor((last.at - first.at) / step) + 1)
  const begin = last.at - (looks - 1) * step
  const latest = new Map<string, Amount>()
  for (const { asset, price } of safe.toReversed()) latest.set(asset, price)
  const assets = [...latest.keys()].toSorted()
  let next = 0
  const prices = Array.from({ length: looks }, (_, look) => {
    for (let median = safe[next]; median !== undefined && median.at <= begin + look * step; median = safe[next]) {
      latest.set(median.asset, median.price)
      next += 1
    }
    return assets.flatMap((asset) => latest.get(asset) ?? [])
  })
  const points = assets.map((asset, place) => {
    const past = prices.flatMap((row, look) =>
      row[place] === undefined ? [] : [{ at: look * step, price: row[place] }]
    )
    return [asset, past] as const
  })
  return { ...world, prices: { ...world.prices, ...pricesFrom(new Map(points)) }, path: { assets, prices } }
}
