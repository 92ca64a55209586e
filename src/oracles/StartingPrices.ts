import { Context, Effect, Layer } from "effect"
import type { Amount } from "../../engine/money/Amount.ts"

/** The last recorded price of each asset, from which simulated prices go on after a restart. */
export class StartingPrices extends Context.Service<
  StartingPrices,
  {
    /** USD by asset; an asset may be missing. */
    readonly read: Effect.Effect<ReadonlyMap<string, Amount>>
  }
>()("emporion/oracles/StartingPrices") {
  /** Nothing was recorded yet. */
  static readonly none = Layer.succeed(this, { read: Effect.succeed(new Map()) })
}
