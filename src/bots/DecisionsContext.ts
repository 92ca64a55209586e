import { Layer } from "effect"
import { OpenOrders } from "../arena/OpenOrders.ts"
import { Participation } from "../arena/Participation.ts"
import { SafePrices } from "../arena/SafePrices.ts"
import { BotActors } from "./BotActors.ts"
import * as BotDecisionHandlers from "./BotDecisionHandlers.ts"
import { DecisionRepository } from "./DecisionRepository.ts"
import { BotDecisions } from "./BotDecisions.ts"
import { BotRepository } from "./BotRepository.ts"
import { BotRecallRepository } from "./BotRecallRepository.ts"
import { BotScheduler } from "./BotScheduler.ts"

/** The bots' actors, what wakes them, and what they decided. */
export const services = Layer.mergeAll(BotScheduler.layer, BotDecisions.layer).pipe(
  Layer.provideMerge(BotActors.layer),
  Layer.provide(
    Layer.mergeAll(BotRecallRepository.layer.pipe(Layer.provide(BotRepository.layer)), DecisionRepository.layer)
  ),
  Layer.provide(Layer.mergeAll(OpenOrders.layer, SafePrices.layer, Participation.layer))
)

/** The group of the contract that is about what bots decide. */
export const handlers = BotDecisionHandlers.layer
