import { Effect, Layer } from "effect"
import { directCommitments } from "./arena/DirectCommitment.ts"
import { OrderAnswers } from "./arena/OrderAnswers.ts"
import { directOrders } from "./commerce/DirectOrder.ts"
import { ReadyProducts } from "./commerce/ReadyProducts.ts"
import { DirectRoutes } from "./http/DirectRoutes.ts"
import { oneOf, ReadyAnswers } from "./http/ReadyAnswers.ts"
import { directTransfers } from "./transfers/DirectTransfer.ts"

const answers = Layer.effect(
  ReadyAnswers,
  Effect.map(Effect.all([OrderAnswers, ReadyProducts]), (sources) => oneOf(sources.map(({ ready }) => ready)))
)

const routes = Layer.effect(DirectRoutes, Effect.all([directCommitments, directOrders, directTransfers]))

/** What the contexts answer without asking the router. */
export const layer = Layer.merge(answers, routes)
