import { Effect, Layer } from "effect"
import { Participation } from "../arena/Participation.ts"
import { SafePrices } from "../arena/SafePrices.ts"
import { type Module, nothing } from "../Module.ts"
import { BotActors } from "./BotActors.ts"
import * as BotDecisionHandlers from "./BotDecisionHandlers.ts"
import { BotDecisions } from "./BotDecisions.ts"
import * as BotHandlers from "./BotHandlers.ts"
import { botProjection } from "./BotProjection.ts"
import { BotRecallRepository } from "./BotRecallRepository.ts"
import { BotReconciler } from "./BotReconciler.ts"
import { BotRepository } from "./BotRepository.ts"
import { botRpcs } from "./BotRpcs.ts"
import { Bots } from "./Bots.ts"
import { BotScheduler } from "./BotScheduler.ts"
import { Programs } from "./programs/Programs.ts"
import { StrategyModules } from "./programs/StrategyModules.ts"
import { DecisionRepository } from "./DecisionRepository.ts"
import { haltRpcs } from "./HaltRpcs.ts"

/** The bots' actors, what wakes them, and what they decided. */
const deciding = Layer.mergeAll(BotScheduler.layer, BotDecisions.layer).pipe(
  Layer.provideMerge(BotActors.layer),
  Layer.provide(Layer.mergeAll(BotRecallRepository.layer, DecisionRepository.layer)),
  Layer.provide(Layer.merge(SafePrices.layer, Participation.layer))
)

/** Bots that trade by themselves. */
export const module = {
  ...nothing,
  rows: Effect.all([botProjection]),
  tables: BotRepository.layer,
  services: Layer.mergeAll(Bots.layer, BotReconciler.layer, Programs.layer.pipe(Layer.provideMerge(deciding))).pipe(
    Layer.provide(Layer.merge(BotRepository.layer, StrategyModules.layer))
  ),
  handlers: Layer.merge(BotHandlers.layer, BotDecisionHandlers.layer),
  rpcs: Effect.map(Effect.all([haltRpcs, botRpcs]), (groups) => groups.flat()),
  background: Layer.mergeAll(BotScheduler.running, BotReconciler.running, Programs.running)
} satisfies Module
