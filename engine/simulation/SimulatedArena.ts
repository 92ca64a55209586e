import { Cause, Duration, Effect, Exit, Scope } from "effect"
import { type ActorHost, type ActorUnavailable, type Answer, type Behavior, makeActorHost } from "../actor/ActorHost.ts"
import type { Journal, JournalUnavailable, StaleVersion } from "../actor/Journal.ts"
import type { ArenaError } from "../arena/ArenaError.ts"
import { decodeArenaEvent } from "../arena/ArenaEvent.ts"
import type { ArenaEvent } from "../arena/ArenaEvent.ts"
import type { AssetType } from "../arena/AssetType.ts"
import { type OrderMessage, type OrderReply, type OrderWorld, orderBehavior } from "../arena/OrderActor.ts"
import type { OrderFacts } from "../arena/OrderLifecycle.ts"
import { type OrderState, orderStream } from "../arena/Order.ts"
import type { CommitmentLimits, Halt } from "../arena/Submission.ts"
import type { PlatformEvent } from "../replay/PlatformEvent.ts"
import type { FaultBoard } from "./FaultBoard.ts"
import { faultyJournal, InjectedFault } from "./FaultyJournal.ts"
import type { SimulatedJournal } from "./SimulatedJournal.ts"
import type { VirtualClock } from "./VirtualClock.ts"

export type OrderFailure = InjectedFault | StaleVersion | JournalUnavailable
export type OrderHost = ActorHost<OrderMessage, OrderReply, ArenaError>
export type OrderBehavior = Behavior<OrderState, OrderMessage, OrderReply, ArenaError, OrderFailure>

export interface ArenaParts {
  readonly clock: VirtualClock
  readonly journal: SimulatedJournal
  readonly board: FaultBoard
  readonly halt: (assetType: AssetType, at: number) => Halt | null
  readonly limits: CommitmentLimits
  readonly facts: (state: OrderState, now: number) => Effect.Effect<OrderFacts>
  /** Told of an actor that failed for no injected reason. */
  readonly onUnexpected: (detail: string) => void
  /** Stands between the actors and the journal. */
  readonly append?: Journal<PlatformEvent>["append"] | undefined
  /** Stands between the host and the actors. */
  readonly behavior?: ((behavior: OrderBehavior) => OrderBehavior) | undefined
}

/** The limits of the server, and pauses in proportion to the short orders of a simulation. */
const HOST_OPTIONS = {
  mailboxCapacity: 10_000,
  batchLimit: 500,
  passivateAfter: Duration.seconds(90),
  minBackoff: Duration.millis(100),
  maxBackoff: Duration.seconds(5)
}

/** The order actors on their host, as the server runs them, in a world that fails on demand. */
export class SimulatedArena {
  /** What each actor in memory knows, by order. */
  readonly states = new Map<string, OrderState>()
  readonly #parts: ArenaParts
  readonly #behavior: OrderBehavior
  #host: OrderHost | undefined
  #scope: Scope.Closeable | undefined
  #starts = 0
  #restarts = 0
  #messages = 0

  constructor(parts: ArenaParts) {
    this.#parts = parts
    const watched = this.#watch(orderBehavior(this.#world()))
    this.#behavior = parts.behavior?.(watched) ?? watched
  }

  /** Times that an actor failed and was started again. */
  get restarts(): number {
    return this.#restarts
  }

  /** Messages that were sent to actors. */
  get messages(): number {
    return this.#messages
  }

  ask(orderId: string, message: OrderMessage): Effect.Effect<OrderReply, ArenaError | ActorUnavailable> {
    const host = this.#host
    this.#messages += 1
    return host === undefined ? Effect.die("the host has not started") : host.ask(orderId, message)
  }

  /** Sends a message, and has its answer given to a function, as {@link ActorHost.tell} does. */
  tell(orderId: string, message: OrderMessage, give: (answer: Answer<OrderReply, ArenaError>) => void): void {
    const host = this.#host
    this.#messages += 1
    if (host === undefined) give(Exit.die("the host has not started"))
    else host.tell(orderId, message, give)
  }

  /** Starts the host; ends the one before with everything in its memory. */
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
    if (before === undefined) return
    this.states.clear()
    yield* Scope.close(before, Exit.void)
  })

  #world(): OrderWorld<InjectedFault | JournalUnavailable> {
    const { board, journal, halt, facts, append, limits } = this.#parts
    return {
      journal: faultyJournal(board, journal, append),
      history: (orderId) =>
        Effect.suspend((): Effect.Effect<ReadonlyArray<ArenaEvent>, InjectedFault | JournalUnavailable> =>
          board.blinds()
            ? Effect.fail(new InjectedFault({ what: "the history cannot be read" }))
            : Effect.map(journal.reached, () =>
                journal.stream(orderStream(orderId)).map(({ data }) => decodeArenaEvent(data))
              )
        ),
      halt,
      limits,
      facts
    }
  }

  /** Remembers what the actors know. */
  #watch(behavior: OrderBehavior): OrderBehavior {
    return {
      ...behavior,
      start: (id) =>
        Effect.map(behavior.start(id), (started) => {
          if (started._tag === "Ready") this.states.set(id, started.state)
          return started
        })
    }
  }

  #failed(id: string, cause: Cause.Cause<unknown>): void {
    this.#restarts += 1
    this.states.delete(id)
    const unexpected = cause.reasons.find((reason) => !isExpected(reason))
    if (unexpected !== undefined) this.#parts.onUnexpected(`the actor of ${id} failed: ${String(Cause.squash(cause))}`)
  }
}

const EXPECTED = new Set(["InjectedFault", "StaleVersion", "JournalUnavailable"])

/** Whether an actor failed for a reason that a simulated world gives it. */
export const isExpected = (reason: Cause.Reason<unknown>): boolean => {
  if (Cause.isInterruptReason(reason)) return true
  const error = Cause.isFailReason(reason) ? reason.error : Cause.isDieReason(reason) ? reason.defect : undefined
  return typeof error === "object" && error !== null && "_tag" in error && EXPECTED.has(String(error._tag))
}
