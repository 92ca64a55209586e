import { Layer } from "effect"
import { OpenOrders } from "../arena/OpenOrders.ts"
import { Participation } from "../arena/Participation.ts"
import { SafePrices } from "../arena/SafePrices.ts"
import { BotActors } from "./BotActors.ts"
import * as BotDecisionHandlers from "./BotDecisionHandlers.ts"
import { BotDecisionRepository } from "./BotDecisionRepository.ts"
import { BotDecisions } from "./BotDecisions.ts"
import { BotRepository } from "./BotRepository.ts"
import { BotRecallRepository } from "./BotRecallRepository.ts"
import { BotWatch } from "./BotWatch.ts"

/** The bots' actors, what wakes them, and what they decided. */
export const services = Layer.mergeAll(BotWatch.layer, BotDecisions.layer).pipe(
  Layer.provideMerge(BotActors.layer),
  Layer.provide(
    Layer.mergeAll(BotRecallRepository.layer.pipe(Layer.provide(BotRepository.layer)), BotDecisionRepository.layer)
  ),
  Layer.provide(Layer.mergeAll(OpenOrders.layer, SafePrices.layer, Participation.layer))
)

/** The group of the contract that is about what bots decide. */
export const handlers = BotDecisionHandlers.layer
