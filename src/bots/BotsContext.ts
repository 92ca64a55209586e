import { Layer } from "effect"
import * as BotHandlers from "./BotHandlers.ts"
import { BotReconciler } from "./BotReconciler.ts"
import { BotRepository } from "./BotRepository.ts"
import { Bots } from "./Bots.ts"

/** The tables that recorded events write. */
export const projected = BotRepository.layer

/** The services of bots but for what they decide. */
export const services = Layer.mergeAll(Bots.layer, BotReconciler.layer).pipe(Layer.provide(BotRepository.layer))

/** The group of the contract that is about making and running bots. */
export const handlers = BotHandlers.layer

/** What runs by itself. */
export const running = BotReconciler.running
