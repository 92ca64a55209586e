import { Cause, Context, Effect, FiberMap, Layer, Queue, Result, Schedule } from "effect"
import { suspendBot } from "../../../engine/bots/BotManagement.ts"
import type { BidRequest } from "../../../engine/market/ReplayedAuction.ts"
import { walletOf } from "../../../engine/ledger/Funding.ts"
import { fromUnits, toNumber } from "../../../engine/money/Amount.ts"
import { OpenOrders } from "../../arena/OpenOrders.ts"
import { PriceBook } from "../../arena/PriceBook.ts"
import { ProgramBids } from "../../arena/ProgramBids.ts"
import { PublicOrders } from "../../arena/PublicOrders.ts"
import type { Unavailable } from "../../database/DatabaseError.ts"
import { UnitOfWork } from "../../database/UnitOfWork.ts"
import { Funds } from "../../funds/Funds.ts"
import { BotActors } from "../BotActors.ts"
import { BotRepository } from "../BotRepository.ts"
import { botStore, orUnavailable } from "../BotStore.ts"
import { WatchedThreads } from "./BusyThreads.ts"
import { momentsOf, openingOf } from "./MarketNews.ts"
import { ProgramRegistry } from "./ProgramRegistry.ts"
import type { ProgramBot, ProgramSession, SessionWorld } from "./ProgramSession.ts"
import { ProgramFailed, startProgram } from "./ProgramThread.ts"
import { type ModuleFile, StrategyModules } from "./StrategyModules.ts"

const RETRY = Schedule.spaced("1 second")

/** Does something that is done again and again: a defect is logged, and ends nothing. */
const kept = (name: string, act: Effect.Effect<void>): Effect.Effect<void> =>
  Effect.catchCause(act, (cause) =>
    Cause.hasInterrupts(cause)
      ? Effect.interrupt
      : Effect.andThen(Effect.logError(`${name}: failed, and goes on`, cause), Effect.sleep("1 second"))
  )

/** The programs that decide for bots: one for each active bot with a module, in this process. */
export class Programs extends Context.Service<
  Programs,
  {
    /** Begins and ends programs as bots begin and end, and tells each what happened. Does not wait for them. */
    readonly dispatch: Effect.Effect<void, Unavailable>
    /** The same, and lets each do what there is to do. */
    readonly round: Effect.Effect<void, Unavailable>
    /** Ends once there is something to dispatch. */
    readonly called: Effect.Effect<void>
    readonly sessions: () => ReadonlyArray<ProgramSession>
  }
>()("emporion/bots/programs/Programs") {
  static readonly layer = Layer.effect(
    this,
    Effect.suspend(() => make)
  ).pipe(Layer.provide(WatchedThreads.layer))

  /** Runs them, each in a fiber of its own, for ever. */
  static readonly running = Layer.effectDiscard(
    Effect.gen(function* () {
      const { called, dispatch, sessions } = yield* Programs
      const fibers = yield* FiberMap.make<ProgramSession>()
      const forever = ({ bot, called: due, round }: ProgramSession) =>
        Effect.forever(kept(`The program of ${bot.botId}`, Effect.andThen(round, due)))
      const go = Effect.gen(function* () {
        yield* Effect.orDie(Effect.retry(dispatch, RETRY))
        const present = new Set(sessions())
        for (const [session] of fibers) if (!present.has(session)) yield* FiberMap.remove(fibers, session)
        for (const session of present) yield* FiberMap.run(fibers, session, forever(session), { onlyIfMissing: true })
        yield* called
      })
      yield* Effect.forkScoped(Effect.forever(kept("The programs of bots", go)))
    })
  )
}

const makeWorldOf = Effect.gen(function* () {
  const actors = yield* BotActors
  const funds = yield* Funds
  const modules = yield* StrategyModules
  const threads = yield* WatchedThreads
  const open = yield* OpenOrders
  const orders = yield* PublicOrders
  const { read } = yield* ProgramBids
  const context = yield* Effect.context<BotRepository | Funds | UnitOfWork>()

  return ({ botId, module }: ProgramBot): SessionWorld => {
    let loaded: ModuleFile | undefined
    const wallet = walletOf(botId, "USD")
    return {
      start: Effect.gen(function* () {
        const found = modules.find(module)
        if (Result.isFailure(found)) return yield* new ProgramFailed({ message: found.failure })
        loaded = found.success
        return yield* Effect.provideService(startProgram(found.success), WatchedThreads, threads)
      }),
      opening: Effect.flatMap(
        Effect.clockWith((clock) => clock.currentTimeMillis),
        (at) => openingOf(orders, open.list(), at)
      ),
      free: Effect.map(funds.accounts([wallet]), (accounts) => {
        const account = accounts.get(wallet)
        return account === undefined ? 0 : toNumber(fromUnits(account.balance - account.held))
      }),
      read,
      bid: ({ exitPrice, orderId, proposedPrice, quantity, slippage }: BidRequest) => {
        const digest = loaded?.digest ?? ""
        const asked = { module, digest, proposedPrice, exitPrice, quantity, tolerance: slippage }
        let isAgain = false
        return Effect.suspend(() => actors.bid(botId, { orderId, asked, isAgain })).pipe(
          Effect.catch((error) => {
            if (error._tag !== "Unavailable") return Effect.succeed(error)
            isAgain = true
            return Effect.fail(error)
          }),
          Effect.map((refusal) => refusal && { order_id: orderId, code: refusal.code, message: refusal.message })
        )
      },
      suspend: (failure) =>
        Effect.provideContext(
          orUnavailable(Effect.asVoid(suspendBot(botStore, botId, "module_failed", { module, failure }))),
          context
        )
    }
  }
})

const make = Effect.gen(function* () {
  const { isOpen } = yield* StrategyModules
  const orders = yield* PublicOrders
  const { find, programs } = yield* BotRepository
  const calls = yield* Queue.sliding<void>(1)
  const registry = new ProgramRegistry({
    isOpen,
    find,
    momentsOf: (news) => momentsOf(orders, news),
    worldOf: yield* makeWorldOf,
    call: () => void Queue.offerUnsafe(calls, undefined)
  })
  yield* (yield* UnitOfWork).onCommit((recorded) => registry.hear(recorded))
  yield* (yield* PriceBook).onRecorded((medians) => registry.tell([{ medians }]))
  for (const botId of yield* programs) registry.mark(botId, false)

  const rounds = Effect.suspend(() =>
    Effect.forEach(registry.sessions, ({ round }) => round, { concurrency: "unbounded", discard: true })
  )
  return Programs.of({
    dispatch: registry.dispatch,
    round: Effect.andThen(registry.dispatch, rounds),
    called: Queue.take(calls),
    sessions: () => registry.sessions
  })
})
