import type { PlatformEvent } from "../replay/PlatformEvent.ts"
import { Cause, Duration, Effect, Exit, Result, Scope } from "effect"
import { type ActorHost, type ActorUnavailable, type Behavior, makeActorHost } from "../actor/ActorHost.ts"
import type { Journal, JournalUnavailable, StaleVersion, Recorded } from "../actor/Journal.ts"
import { OrderNotFound, WindowClosed } from "../arena/ArenaError.ts"
import type { AssetType } from "../arena/AssetType.ts"
import type { Median } from "../arena/Median.ts"
import type { Halt } from "../arena/Submission.ts"
import { standingOf } from "../arena/TraderStatus.ts"
import { botBehavior, type BotMessage, type BotReply } from "../bots/BotActor.ts"
import type { BotMemory } from "../bots/BotMemory.ts"
import { BotPrices } from "../bots/BotPrices.ts"
import { BotRegistry, type Waking } from "../bots/BotRegistry.ts"
import type { BotError, BotWorld, Carried } from "../bots/BotWorld.ts"
import { MAX_SHADE } from "../bots/Evaluation.ts"
import { walletOf } from "../ledger/Funding.ts"
import { lossAllowanceOf } from "../ledger/LossLimit.ts"
import { type Amount, fromUnits, ZERO } from "../money/Amount.ts"
import type { BotProjection } from "./BotProjection.ts"
import type { FaultBoard } from "./FaultBoard.ts"
import { faultyJournal, InjectedFault } from "./FaultyJournal.ts"
import type { SimulatedJournal } from "./SimulatedJournal.ts"
import { SeededRandom } from "./SeededRandom.ts"
import { isExpected, type SimulatedArena } from "./SimulatedArena.ts"
import { SimulatedCredits } from "./SimulatedCredits.ts"
import type { QuoteCache } from "./QuoteCache.ts"
import type { VirtualClock } from "./VirtualClock.ts"
import type { Fork } from "./VirtualScheduler.ts"

export type BotFailure = InjectedFault | StaleVersion | JournalUnavailable
export type BotHost = ActorHost<BotMessage, BotReply, BotError>
export type BotBehavior = Behavior<BotMemory, BotMessage, BotReply, BotError, BotFailure>

export interface BotsParts {
  readonly seed: number
  readonly clock: VirtualClock
  readonly journal: SimulatedJournal
  readonly board: FaultBoard
  readonly arena: SimulatedArena
  readonly quotes: QuoteCache
  readonly projection: BotProjection
  readonly halt: (assetType: AssetType, at: number) => Halt | null
  readonly monthly: (companyId: string) => Amount
  readonly fork: Fork
  /** Told of an actor that failed for no injected reason. */
  readonly onUnexpected: (detail: string) => void
  /** Stands between the bots and the journal. */
  readonly append?: Journal<PlatformEvent>["append"] | undefined
  /** Stands between the host and the bots. */
  readonly behavior?: ((behavior: BotBehavior) => BotBehavior) | undefined
  /** Stands between the bots and the arena. */
  readonly commit?: ((commit: BotWorld<BotFailure>["commit"]) => BotWorld<BotFailure>["commit"]) | undefined
}

/** The limits of the server, and pauses in proportion to the short orders of a simulation. */
const HOST_OPTIONS = {
  mailboxCapacity: 1_000,
  batchLimit: 100,
  passivateAfter: Duration.seconds(90),
  minBackoff: Duration.millis(100),
  maxBackoff: Duration.seconds(5)
}

/** A bot that could not be woken is woken again after so many milliseconds. */
const WAKE_AGAIN_MILLIS = 1_000

/** The bots' actors on their host, woken by what is recorded as the server wakes them, in a world that fails on demand. */
export class SimulatedBots {
  readonly credits: SimulatedCredits
  /** Where its owners' requests are written. */
  readonly journal: Journal<PlatformEvent>
  readonly #parts: BotsParts
  readonly #behavior: BotBehavior
  readonly #prices = new BotPrices()
  /** How often orders refused what bots decided to commit, and why. */
  readonly refusals = new Map<string, number>()
  #registry = new BotRegistry()
  #waiting = new Set<string>()
  #host: BotHost | undefined
  #scope: Scope.Closeable | undefined
  #starts = 0
  #restarts = 0

  constructor(parts: BotsParts) {
    const { board, journal, projection, monthly } = parts
    this.#parts = parts
    this.journal = faultyJournal(board, journal, parts.append)
    this.credits = new SimulatedCredits({ journal: this.journal, ledger: journal, projection, monthly })
    const given = botBehavior(this.#world())
    this.#behavior = parts.behavior?.(given) ?? given
  }

  /** Times that an actor failed and was started again. */
  get restarts(): number {
    return this.#restarts
  }

  /** Starts the host, ends the one before with everything in its memory, and wakes whoever is active. */
  readonly start: Effect.Effect<void> = Effect.gen({ self: this }, function* () {
    const number = ++this.#starts
    const scope = yield* Scope.make()
    const host = yield* Scope.provide(
      makeActorHost(this.#behavior, {
        ...HOST_OPTIONS,
        onFailure: (id, cause) => Effect.sync(() => this.#failed(id, cause))
      }),
      scope
    )
    // A process that ended while it started never serves.
    if (number !== this.#starts) return yield* Scope.close(scope, Exit.void)
    const before = this.#scope
    this.#scope = scope
    this.#host = host
    this.#registry = new BotRegistry()
    this.#waiting = new Set()
    if (before !== undefined) yield* Scope.close(before, Exit.void)
    yield* this.#parts.journal.served
    if (number !== this.#starts) return
    for (const bot of this.#parts.projection.bots.values()) this.#registry.enter(bot)
    this.turned()
  })

  /** Wakes whom the committed events call. */
  hear(recorded: ReadonlyArray<Recorded<PlatformEvent>>): void {
    for (const { event } of recorded) for (const waking of this.#registry.hear(event)) this.#wake(waking)
  }

  /** Takes in recorded prices: where one has a fair price again, everybody looks. */
  priced(medians: ReadonlyArray<Median>): void {
    let isSome = false
    for (const median of medians) isSome = this.#prices.add(median) || isSome
    if (isSome) this.turned()
  }

  /** A breaker turned: everybody looks. */
  turned(): void {
    for (const botId of this.#registry.active()) this.#wake({ botId, reload: false })
  }

  ask(botId: string, message: BotMessage): Effect.Effect<BotReply, BotError | ActorUnavailable> {
    const host = this.#host
    return host === undefined ? Effect.die("the host of bots has not started") : host.ask(botId, message)
  }

  #wake({ botId, reload }: Waking): void {
    const { clock, fork } = this.#parts
    const waiting = this.#waiting
    const key = `${botId}/${reload}`
    if (waiting.has(key)) return
    waiting.add(key)
    fork(
      Effect.match(
        Effect.suspend(() => {
          waiting.delete(key)
          return this.ask(botId, { _tag: "Wake", reload })
        }),
        {
          onSuccess: () => {},
          onFailure: ({ _tag }) => {
            // Another process wakes its bots itself.
            if (_tag !== "ActorUnavailable" || waiting !== this.#waiting) return
            clock.schedule(clock.elapsed + WAKE_AGAIN_MILLIS, () => {
              if (waiting === this.#waiting) this.#wake({ botId, reload })
            })
          }
        }
      )
    )
  }

  #world(): BotWorld<BotFailure> {
    const { board, commit, halt, projection, quotes, seed } = this.#parts
    const given = (carried: Carried) => this.#commit(carried)
    return {
      journal: this.journal,
      recall: (botId) =>
        Effect.suspend(() => {
          if (board.blinds()) return Effect.fail(new InjectedFault({ what: "the bots cannot be read" }))
          const bot = projection.bots.get(botId)
          return Effect.succeed(bot === undefined ? undefined : { bot, decisions: projection.decisions(botId) })
        }),
      open: () => [...projection.open.values()],
      find: (orderId) => Effect.sync(() => this.#find(orderId)),
      prices: (terms, at) =>
        Effect.sync(() => this.#prices.of(terms.asset, at).map((median) => quotes.of(terms, median).price)),
      balances: (botId) => Effect.sync(() => this.#balances(botId)),
      halt,
      shade: (decisionId) =>
        fromUnits(BigInt(new SeededRandom(seed, `shade/${decisionId}`).below(Number(MAX_SHADE) + 1))),
      charge: (bot, chargeId, at) => this.credits.prepare(bot, chargeId, at),
      commit: commit?.(given) ?? given
    }
  }

  #find(orderId: string) {
    const { clock, projection } = this.#parts
    const terms = projection.open.get(orderId)
    if (terms === undefined) return Result.fail(new OrderNotFound({ orderId }))
    return clock.currentTimeMillisUnsafe() >= terms.expiryAt
      ? Result.fail(new WindowClosed({ orderId, expiredAt: terms.expiryAt }))
      : Result.succeed(terms)
  }

  #balances(botId: string) {
    const { journal } = this.#parts
    const free = (id: ReturnType<typeof walletOf>) => {
      const { balance, held } = journal.account(id)
      return fromUnits(balance - held)
    }
    const allowance = lossAllowanceOf(botId)
    return {
      freeCollateral: free(walletOf(botId, "USD")),
      lossBudget: free(allowance),
      lossLocked: journal.account(allowance).held
    }
  }

  #commit({ bot, decision, decisionId, terms }: Carried): ReturnType<BotWorld<BotFailure>["commit"]> {
    const { arena, projection } = this.#parts
    const { botId, companyId: owner, userId, walletAddress } = bot
    const standing = standingOf(
      { userId, machineId: botId, isService: false },
      { userId, owner, walletAddress, isHouse: false, isSuspended: false },
      projection.machine(botId)
    )
    const asked = arena.ask(terms.orderId, {
      _tag: "Submit",
      submission: {
        proposedPrice: decision.bid,
        exitPrice: decision.exitPrice,
        quantity: decision.quantity,
        slippage: decision.tolerance ?? ZERO,
        swapExecutor: "",
        ...standing,
        decisionId
      }
    })
    return Effect.matchEffect(asked, {
      onSuccess: () => Effect.succeed(Result.void),
      onFailure: (error) =>
        error._tag === "ActorUnavailable"
          ? Effect.fail(new InjectedFault({ what: "the order's actor does not answer" }))
          : Effect.sync(() => {
              this.refusals.set(error._tag, (this.refusals.get(error._tag) ?? 0) + 1)
              return Result.fail(error)
            })
    })
  }

  #failed(id: string, cause: Cause.Cause<unknown>): void {
    this.#restarts += 1
    const unexpected = cause.reasons.find((reason) => !isExpected(reason))
    if (unexpected !== undefined) this.#parts.onUnexpected(`the actor of ${id} failed: ${String(Cause.squash(cause))}`)
  }
}
