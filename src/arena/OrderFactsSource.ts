import { Context, Effect, Layer } from "effect"
import type { Median } from "../../engine/arena/Median.ts"
import type { OrderState } from "../../engine/arena/Order.ts"
import type { OrderFacts } from "../../engine/arena/OrderLifecycle.ts"
import { orderPrice } from "../../engine/arena/OrderTemplate.ts"
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
    /** Whether a step can be due at all: false saves gathering the facts. */
    readonly mayBeDue: (state: OrderState, now: number) => boolean
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

      const gather = Effect.fnUntraced(function* (
        state: OrderState,
        now: number
      ): Effect.fn.Return<OrderFacts, Unavailable> {
        const { terms } = state
        const recorded = yield* prices.since(terms.asset, terms.expiryAt)
        const medians = recorded.map((median): Median => ({ ...median, price: orderPrice(terms, median) }))
        const committed = new Set(
          [...state.commitments.values()].flatMap(({ trader }) => (trader.botId === null ? [] : [trader.botId]))
        )
        const tieKey = keys.tieKey(terms.orderId)
        return {
          now,
          medians,
          haltedAtExpiry: breakers.wasHalted(terms.assetType, terms.expiryAt),
          settlementsHalted: breakers.isLatched(),
          machineOwners: yield* machines.activeOwners(terms.assetType, terms.openedAt, terms.expiryAt),
          rule: arena.fairnessRule,
          register: {
            assetType: terms.assetType,
            capable: yield* machines.capableCount(terms.assetType),
            committed: committed.size,
            turnout:
              arena.fairnessRule === "turnout" ? yield* machines.turnout(terms.assetType, terms.expiryAt) : new Map()
          },
          tieKey,
          tieHash: (owner) => keys.tieHash(tieKey, owner),
          accrued: vault.accrual()
        }
      })

      return OrderFactsSource.of({
        mayBeDue: ({ status, choice, terms }, now) =>
          status !== "settled" &&
          now >= terms.expiryAt &&
          (status !== "settling" || choice === null || choice.winner === null || now >= terms.settlementAt),
        of: gather
      })
    })
  )
}
