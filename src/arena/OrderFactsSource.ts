import { Context, Effect, Layer } from "effect"
import { gatherFacts } from "../../engine/arena/FactsGathering.ts"
import type { OrderState } from "../../engine/arena/Order.ts"
import type { OrderFacts } from "../../engine/arena/OrderLifecycle.ts"
import { orderMedian } from "../../engine/arena/OrderTemplate.ts"
import { Settings } from "../Config.ts"
import type { Unavailable } from "../database/DatabaseError.ts"
import { Breakers } from "./Breakers.ts"
import { MachineTraders } from "./MachineTraders.ts"
import { OrderKeys } from "./OrderKeys.ts"
import { PriceBook } from "./PriceBook.ts"
import { Vault } from "./Vault.ts"

/** Gathers what an order must know of the world to take its next step. */
export class OrderFactsSource extends Context.Service<
  OrderFactsSource,
  {
    readonly of: (state: OrderState, now: number) => Effect.Effect<OrderFacts, Unavailable>
  }
>()("emporion/arena/OrderFactsSource") {
  static readonly layer = Layer.effect(
    this,
    Effect.gen(function* () {
      const { arena } = yield* Settings
      const prices = yield* PriceBook
      const breakers = yield* Breakers
      const machines = yield* MachineTraders
      const vault = yield* Vault
      const keys = yield* OrderKeys

      const world = {
        rule: arena.fairnessRule,
        medians: prices.since,
        priced: orderMedian,
        breakers,
        machines,
        keys,
        accrual: vault.accrual
      }
      return OrderFactsSource.of({ of: (state, now) => gatherFacts(world, state, now) })
    })
  )
}
