import { Clock, Data, Effect, Ref } from "effect"
import { amountFromFine, fineFromAmount } from "../../engine/arena/FinePrice.ts"
import type { KeyedHash } from "../../engine/arena/KeyedHash.ts"
import type { PriceHistory } from "../../engine/arena/PriceHistory.ts"
import { advance, begin, priceWalk, STEP_MILLIS, stepAt } from "../../engine/arena/PriceWalk.ts"
import type { Amount } from "../../engine/money/Amount.ts"
import type { PriceSource } from "./PriceSource.ts"

export const SANDBOX_SIMULATION = "sandbox-simulation"

/** How old simulated quotes may be: they are made when asked for. */
export const SIMULATED_STALE_AFTER_MILLIS = 10 * STEP_MILLIS

/** Simulated prices were asked for outside the sandbox. */
export class SimulationRefused extends Data.TaggedError("SimulationRefused")<{}> {
  override get message(): string {
    return "Simulated prices are for the sandbox alone."
  }
}

export interface SimulationOptions {
  readonly mode: "sandbox" | "production"
  /** Under the secret key of the walk. */
  readonly hash: KeyedHash
  readonly history: PriceHistory
  /** Market seconds that pass in a second. */
  readonly speed: number
  /** The last recorded prices by asset, to go on from; an asset without one begins at its last real close. */
  readonly start: ReadonlyMap<string, Amount>
  /** What it quotes. */
  readonly assets: ReadonlySet<string>
}

/** The sandbox's own prices: real closes walked on at random. Refuses to be made in production. */
export const make = Effect.fnUntraced(function* (
  options: SimulationOptions
): Effect.fn.Return<PriceSource, SimulationRefused> {
  if (options.mode !== "sandbox") return yield* new SimulationRefused()
  const walk = priceWalk(options.history, options.hash, options.speed)
  const start = new Map([...options.start].map(([asset, price]) => [asset, fineFromAmount(price)]))
  const now = yield* Clock.currentTimeMillis
  const state = yield* Ref.make(begin(walk, stepAt(now), start))
  const quotes = Effect.gen(function* () {
    const step = stepAt(yield* Clock.currentTimeMillis)
    const { prices, step: reached } = yield* Ref.updateAndGet(state, (at) => advance(walk, at, step))
    return [...prices]
      .filter(([asset]) => options.assets.has(asset))
      .map(([asset, price]) => ({
        asset,
        price: amountFromFine(price),
        source: SANDBOX_SIMULATION,
        observedAt: reached * STEP_MILLIS,
        simulated: true
      }))
  })
  return { name: SANDBOX_SIMULATION, staleAfterMillis: SIMULATED_STALE_AFTER_MILLIS, quotes }
})
