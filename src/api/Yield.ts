import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { Authorization, authenticated, Policy } from "./Authorization.ts"
import { AmountFromNumber as Money, AmountFromString } from "./Money.ts"
import { wholeNumber } from "./Paging.ts"

const Yes = Schema.Literal(true)

/** The longest lock that is estimated: ten years. */
const MAX_DAYS = 3_650

const Fraction = Schema.Finite.annotate({ description: "A fraction: 0.05 is 5 %." })

const yieldEstimate = HttpApiEndpoint.get("yieldEstimate", "/yield/estimate", {
  query: { order_value: AmountFromString, duration_days: wholeNumber(1, MAX_DAYS) },
  success: Schema.Struct({
    success: Yes,
    estimate: Schema.Struct({
      order_value: Money,
      collateral: Money,
      duration_days: Schema.Int,
      estimated_apy: Fraction,
      estimated_yield: Money,
      strategy: Schema.String,
      breakdown: Schema.Struct({
        trader_share: Money,
        insurance_share: Money,
        platform_share: Money,
        token_holder_share: Money
      })
    })
  })
}).annotateMerge(OpenApi.annotations({ summary: "What an order's collateral would earn" }))

const yieldTotal = HttpApiEndpoint.get("yieldTotal", "/yield/total", {
  success: Schema.Struct({
    success: Yes,
    total_yield_generated: Money,
    total_collateral_deployed: Money,
    average_apy: Fraction,
    active_commitments: Schema.Int,
    strategies: Schema.Record(Schema.String, Schema.Struct({ tvl: Money, apy: Fraction }))
  })
}).annotateMerge(OpenApi.annotations({ summary: "What the vault earned so far" }))

const vaultStats = HttpApiEndpoint.get("vaultStats", "/yield/vault-stats", {
  success: Schema.Struct({
    success: Yes,
    vault: Schema.Struct({
      total_value_locked: Money,
      total_yield_generated: Money,
      active_strategies: Schema.Int,
      current_strategy: Schema.String,
      allocation: Schema.Record(Schema.String, Fraction)
    })
  })
}).annotateMerge(OpenApi.annotations({ summary: "The vault now" }))

/** The collateral yield vault. Specification 4.3. */
export class YieldApi extends HttpApiGroup.make("yield")
  .add(yieldEstimate, yieldTotal, vaultStats)
  .middleware(Authorization)
  .prefix("/api/arena")
  .annotate(Policy, authenticated)
  .annotateMerge(OpenApi.annotations({ title: "Yield", description: "What collateral earns while it is held." })) {}
