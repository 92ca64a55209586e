import { Clock, Context, Effect, Layer } from "effect"
import type { BotDecided } from "../../engine/bots/BotEvent.ts"
import type { BotError } from "../../engine/bots/BotWorld.ts"
import { OpenOrders } from "../arena/OpenOrders.ts"
import { Participation } from "../arena/Participation.ts"
import type { Page } from "../api/Paging.ts"
import type { Unavailable } from "../database/DatabaseError.ts"
import type { UnknownCursor } from "../database/Keyset.ts"
import { BotActors } from "./BotActors.ts"
import { DecisionRepository, type DecisionPage } from "./DecisionRepository.ts"
import { refusal } from "../../engine/wire/Refusal.ts"

/** Who asks: a user stands for its company. */
export interface DecisionsAsker {
  readonly companyId: string
  readonly userId: string
}

/** No bot of this id belongs to whoever asks, whether there is one or not. */
export class NotOwnBot extends refusal(
  "NotOwnBot",
  "access_denied",
  ({ botId }: { readonly botId: string }) => `You own no bot ${botId}.`
) {}

/** What a bot would do about an order. */
export interface Evaluated {
  readonly event: BotDecided
  /** What would keep it from winning, in sentences. */
  readonly warnings: ReadonlyArray<string>
}

/** What bots decide, for the companies that own them. Specification 4.4. */
export class BotDecisions extends Context.Service<
  BotDecisions,
  {
    /** Decides about an open order without acting on it; takes a credit where it does not fail. */
    readonly evaluate: (
      asker: DecisionsAsker,
      botId: string,
      orderId: string
    ) => Effect.Effect<Evaluated, NotOwnBot | BotError | Unavailable>
    /** Newest first. */
    readonly list: (
      asker: DecisionsAsker,
      botId: string,
      page: Page
    ) => Effect.Effect<DecisionPage, NotOwnBot | Unavailable | UnknownCursor>
  }
>()("emporion/bots/BotDecisions") {
  static readonly layer = Layer.effect(
    this,
    Effect.gen(function* () {
      const actors = yield* BotActors
      const repository = yield* DecisionRepository
      const orders = yield* OpenOrders
      const participation = yield* Participation

      const owned = Effect.fnUntraced(function* ({ companyId }: DecisionsAsker, botId: string) {
        if ((yield* repository.ownerOf(botId)) !== companyId) return yield* new NotOwnBot({ botId })
      })

      const warningsOf = Effect.fnUntraced(function* (owner: string, { botId, decision, orderId }: BotDecided) {
        const terms = orders.list().find((order) => order.orderId === orderId)
        if (terms === undefined || decision.code !== "commit") return []
        const joining = { owner, botId, collateral: decision.collateral }
        const { excluded, machines, total } = yield* participation.with(terms, joining, yield* Clock.currentTimeMillis)
        return excluded.has(owner) ? [tooFew(machines, total)] : []
      })

      return BotDecisions.of({
        evaluate: Effect.fn("BotDecisions.evaluate")(function* (asker, botId, orderId) {
          yield* owned(asker, botId)
          const { event } = yield* actors.evaluate(botId, orderId, asker.userId)
          return { event, warnings: yield* warningsOf(asker.companyId, event) }
        }),
        list: Effect.fn("BotDecisions.list")(function* (asker, botId, page) {
          yield* owned(asker, botId)
          return yield* repository.list(botId, page)
        })
      })
    })
  )
}

const tooFew = (machines: bigint, total: bigint): string =>
  `ARENA_007: with this bid machine traders would be ${machines} of ${total} by the order's 3/4 rule, too few for one of them to win.`
