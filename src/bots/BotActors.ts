import { Context, Duration, Effect, Layer, Metric, Result } from "effect"
import { makeActorHost } from "../../engine/actor/ActorHost.ts"
import type { Recorded } from "../../engine/actor/Journal.ts"
import type { ArenaError } from "../../engine/arena/ArenaError.ts"
import { drawBelow } from "../../engine/arena/KeyedHash.ts"
import { orderPrice } from "../../engine/arena/OrderTemplate.ts"
import { botBehavior, type BidMessage, type BidRefusal } from "../../engine/bots/BotActor.ts"
import type { BotDecided } from "../../engine/bots/BotEvent.ts"
import type { BotBalances, BotError, BotWorld } from "../../engine/bots/BotWorld.ts"
import { MAX_SHADE } from "../../engine/bots/Evaluation.ts"
import { walletOf } from "../../engine/ledger/Funding.ts"
import { lossAllowanceOf } from "../../engine/ledger/LossLimit.ts"
import { fromUnits, ZERO } from "../../engine/money/Amount.ts"
import * as ActorRestarts from "../ActorRestarts.ts"
import { Arena } from "../arena/Arena.ts"
import { Breakers } from "../arena/Breakers.ts"
import { OpenOrders } from "../arena/OpenOrders.ts"
import { SafePrices } from "../arena/SafePrices.ts"
import { Settings } from "../Config.ts"
import { Unavailable } from "../database/DatabaseError.ts"
import { UnitOfWork } from "../database/UnitOfWork.ts"
import { Funds } from "../funds/Funds.ts"
import { measureCommit } from "../RequestState.ts"
import { secretHash } from "../SecretHash.ts"
import { BotRecallRepository } from "./BotRecallRepository.ts"
import { CompanyCredits } from "./credits/CompanyCredits.ts"

/** Messages that may wait for one bot. */
const MAILBOX_CAPACITY = 1_000

/** Messages a bot takes at once. */
const BATCH_LIMIT = 100

const PASSIVATE_AFTER = Duration.minutes(1)
const MIN_BACKOFF = Duration.millis(100)
const MAX_BACKOFF = Duration.seconds(5)

const failures = Metric.counter("emporion_bot_actor_failures", {
  description: "Bot actors that failed and were restarted",
  incremental: true
})

/** The actors of all bots in this process. One that is idle is out of memory within two minutes. */
export class BotActors extends Context.Service<
  BotActors,
  {
    /** Lets a bot look at the orders that take commitments; `reload` where it changed itself. */
    readonly wake: (botId: string, reload: boolean) => Effect.Effect<void, BotError | Unavailable>
    /** Decides about an order for a user, without acting on it. Takes a credit where it does not fail. */
    readonly evaluate: (
      botId: string,
      orderId: string,
      userId: string
    ) => Effect.Effect<Recorded<BotDecided>, BotError | Unavailable>
    /** Has a bot bid on an order as its module asks; answers why not, where it does not. */
    readonly bid: (botId: string, bid: BidMessage) => Effect.Effect<BidRefusal | undefined, BotError | Unavailable>
    /** How many are in memory. */
    readonly size: () => number
  }
>()("emporion/bots/BotActors") {
  static readonly layer = Layer.effect(
    this,
    Effect.gen(function* () {
      const host = yield* makeActorHost(botBehavior(yield* makeWorld), {
        mailboxCapacity: MAILBOX_CAPACITY,
        batchLimit: BATCH_LIMIT,
        passivateAfter: PASSIVATE_AFTER,
        minBackoff: MIN_BACKOFF,
        maxBackoff: MAX_BACKOFF,
        onFailure: ActorRestarts.counted("Bot", failures)
      })
      const ask = (botId: string, message: Parameters<typeof host.ask>[1]) =>
        Effect.catchTag(host.ask(botId, message), "ActorUnavailable", ({ reason }) =>
          Effect.fail(new Unavailable({ reason: `the bot's actor is ${reason.replace("_", " ")}` }))
        )

      return BotActors.of({
        wake: (botId, reload) => Effect.asVoid(ask(botId, { _tag: "Wake", reload })),
        evaluate: Effect.fn("BotActors.evaluate")(function* (botId, orderId, by) {
          const measured = yield* measureCommit
          const reply = yield* ask(botId, { _tag: "Evaluate", orderId, by })
          if (reply._tag !== "Evaluated") return yield* Effect.die("a bot answered another message")
          measured?.(reply.recorded.seq)
          return reply.recorded
        }),
        bid: Effect.fn("BotActors.bid")(function* (botId, bid) {
          const reply = yield* ask(botId, { _tag: "Bid", ...bid })
          return reply._tag === "BidAnswered" ? reply.refusal : yield* Effect.die("a bot answered another message")
        }),
        size: host.size
      })
    })
  )
}

type Committed = Result.Result<void, ArenaError>

const makeWorld = Effect.gen(function* () {
  const { secretKey } = yield* Settings
  const arena = yield* Arena
  const breakers = yield* Breakers
  const credits = yield* CompanyCredits
  const funds = yield* Funds
  const open = yield* OpenOrders
  const prices = yield* SafePrices
  const { recall } = yield* BotRecallRepository
  const shades = secretHash(secretKey, "emporion/shades")

  const world: BotWorld<Unavailable> = {
    journal: yield* UnitOfWork,
    recall: (botId) => recall(botId, new Map(open.list().map(({ expiryAt, orderId }) => [orderId, expiryAt]))),
    open: open.list,
    find: open.find,
    prices: (terms, at) => Effect.sync(() => prices.of(terms.asset, at).map((median) => orderPrice(terms, median))),
    balances: (botId) => balancesOf(funds, botId),
    halt: breakers.halt,
    shade: (decisionId) => fromUnits(BigInt(drawBelow(shades, decisionId, Number(MAX_SHADE) + 1))),
    charge: ({ botId, companyId, profile, userId, version }, chargeId, at) => {
      const { autoTopUp, creditBudget } = profile
      return credits.prepare({ botId, companyId, userId, creditBudget, autoTopUp, version }, chargeId, at)
    },
    commit: ({ bot: { botId, userId }, decision, decisionId, terms: { orderId } }) =>
      arena
        .commit({
          orderId,
          botId,
          userId,
          decisionId,
          proposedPrice: decision.bid,
          exitPrice: decision.exitPrice,
          quantity: decision.quantity,
          slippage: decision.tolerance ?? ZERO,
          swapExecutor: "",
          isService: false,
          idempotency: undefined
        })
        .pipe(
          Effect.as<Committed>(Result.void),
          Effect.catch((error): Effect.Effect<Committed, Unavailable> => {
            if (error._tag === "Unavailable") return Effect.fail(error)
            if (error._tag === "UserNotFound") return Effect.die(error)
            return Effect.as(Effect.logDebug(`${decisionId} was not committed`, error), Result.fail(error))
          })
        )
  }
  return world
})

const balancesOf = Effect.fnUntraced(function* (funds: Funds["Service"], botId: string) {
  const wallet = walletOf(botId, "USD")
  const allowance = lossAllowanceOf(botId)
  const accounts = yield* funds.accounts([wallet, allowance])
  const free = (id: typeof wallet) => {
    const account = accounts.get(id)
    return account === undefined ? ZERO : fromUnits(account.balance - account.held)
  }
  return {
    freeCollateral: free(wallet),
    lossBudget: free(allowance),
    lossLocked: accounts.get(allowance)?.held ?? ZERO
  } satisfies BotBalances
})
