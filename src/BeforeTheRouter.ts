import { Effect, Layer } from "effect"
import { directCommitments } from "./arena/FastCommitment.ts"
import { OrderResponses } from "./arena/OrderResponses.ts"
import { directOrders } from "./commerce/FastOrder.ts"
import { ReadyProducts } from "./commerce/ReadyProducts.ts"
import { FastRoutes } from "./http/FastRoutes.ts"
import { oneOf, CachedResponses } from "./http/CachedResponses.ts"
import { directTransfers } from "./transfers/FastTransfer.ts"

const answers = Layer.effect(
  CachedResponses,
  Effect.map(Effect.all([OrderResponses, ReadyProducts]), (sources) => oneOf(sources.map(({ ready }) => ready)))
)

const routes = Layer.effect(FastRoutes, Effect.all([directCommitments, directOrders, directTransfers]))

/** What the contexts answer without asking the router. */
export const layer = Layer.merge(answers, routes)
