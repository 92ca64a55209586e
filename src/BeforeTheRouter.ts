import { Effect, Layer } from "effect"
import { directCommitments } from "./arena/DirectCommitment.ts"
import { OrderAnswers } from "./arena/OrderAnswers.ts"
import { DirectRoutes } from "./http/DirectRoutes.ts"
import { oneOf, ReadyAnswers } from "./http/ReadyAnswers.ts"

const answers = Layer.effect(
  ReadyAnswers,
  Effect.map(OrderAnswers, ({ ready }) => oneOf([ready]))
)

const routes = Layer.effect(DirectRoutes, Effect.all([directCommitments]))

/** What the contexts answer without asking the router. */
export const layer = Layer.merge(answers, routes)
