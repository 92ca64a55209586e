import { Effect, Layer } from "effect"
import { fastCommitments } from "./arena/FastCommitment.ts"
import { OrderResponses } from "./arena/OrderResponses.ts"
import { fastOrders } from "./commerce/FastOrder.ts"
import { CachedProducts } from "./commerce/CachedProducts.ts"
import { FastRoutes } from "./http/FastRoutes.ts"
import { oneOf, CachedResponses } from "./http/CachedResponses.ts"
import { fastTransfers } from "./transfers/FastTransfer.ts"

const answers = Layer.effect(
  CachedResponses,
  Effect.map(Effect.all([OrderResponses, CachedProducts]), (sources) => oneOf(sources.map(({ ready }) => ready)))
)

const routes = Layer.effect(FastRoutes, Effect.all([fastCommitments, fastOrders, fastTransfers]))

/** What the contexts answer without asking the router. */
export const layer = Layer.merge(answers, routes)
