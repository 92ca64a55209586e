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
  const measured = Object.entries(pricesFrom(new Map(points))).map(([asset, { last: price, volatility }]) => {
    // A few looks tell no volatility; the auctions may.
    const known = volatility ?? world.prices[asset]?.volatility ?? null
    return [asset, { last: price, volatility: known }] as const
  })
  return { ...world, prices: { ...world.prices, ...Object.fromEntries(measured) }, path: { assets, prices } }
}

/** The earliest time that a path can have a look at, where its last one is at `last`. */
export const pathBegins = (world: ExportedWorld, last: number): number =>
  last - (MAX_WORLD_STEPS - 1) * marketStep(world)

/**
 * Of recorded prices those alone that {@link withPath} looks at, so that a history of any length needs no more memory than a
 * path: of each asset the first one, and the last one until each look.
 */
export class PathPrices {
  readonly #step: number
  readonly #last: number
  readonly #first = new Map<string, Median>()
  readonly #seen = new Map<number, Map<string, Median>>()

  /** @param last - the time of the last safe price, at which the path ends */
  constructor(world: ExportedWorld, last: number) {
    this.#step = marketStep(world)
    this.#last = last
  }

  /** Takes the next price: they come ascending in time. */
  take(median: Median): void {
    if (!median.safe) return
    if (!this.#first.has(median.asset)) this.#first.set(median.asset, median)
    const look = Math.ceil((median.at - this.#last) / this.#step)
    const seen = this.#seen.get(look) ?? new Map<string, Median>()
    this.#seen.set(look, seen)
    seen.set(median.asset, median)
  }

  /** What is left, ascending in time. */
  get medians(): ReadonlyArray<Median> {
    const looked = [...this.#seen.values()].flatMap((seen) => [...seen.values()])
    return [...new Set([...this.#first.values(), ...looked])].toSorted((one, other) => one.at - other.at)
  }
}
