import { Context, Effect, Layer, Metric, Semaphore } from "effect"
import type { AssetType } from "../../engine/arena/AssetType.ts"
import { BreakerPanel } from "../../engine/arena/BreakerPanel.ts"
import {
  type Breaker,
  BREAKER_SCOPES,
  type BreakerScope,
  type BreakerStatus,
  isOpen,
  type Problem,
  type Step,
  type Transition
} from "../../engine/arena/CircuitBreaker.ts"
import type { Halt } from "../../engine/arena/Submission.ts"
import type { Unavailable } from "../database/DatabaseError.ts"
import { BreakerRepository } from "./BreakerRepository.ts"

const openBreakers = Metric.gauge("emporion_arena_open_breakers", { description: "Circuit breakers that are open" })

/** The circuit breakers of the arena: global, and one of each asset type. */
export class Breakers extends Context.Service<
  Breakers,
  {
    /**
     * A complete look at everything: trips what has a problem, and counts the rest as clean. Takes up an operator's
     * reset that another process recorded.
     */
    readonly check: (problems: ReadonlyArray<Problem>, now: number) => Effect.Effect<void, Unavailable>
    /** Trips at once, between checks. */
    readonly trip: (problems: ReadonlyArray<Problem>, now: number) => Effect.Effect<void, Unavailable>
    /** An operator lets a latched breaker go half-open. */
    readonly reset: (scope: BreakerScope, now: number) => Effect.Effect<void, Unavailable>
    /** Is told after a breaker opened or closed. Must not wait. */
    readonly onTurned: (listener: () => void) => Effect.Effect<void>
    readonly globalHalt: (now: number) => Halt | null
    /** Whether commitments on an asset type are refused. The global breaker comes first. */
    readonly halt: (assetType: AssetType, now: number) => Halt | null
    readonly wasHalted: (assetType: AssetType, at: number) => boolean
    /** The ledger failed its check: nothing settles and no money leaves. */
    readonly isLatched: () => boolean
    readonly statuses: () => Readonly<Record<BreakerScope, BreakerStatus>>
    readonly scopes: () => Readonly<Record<BreakerScope, Breaker>>
    /** What they did, oldest first, as far as it is in memory. */
    readonly transitions: () => ReadonlyArray<Transition>
  }
>()("emporion/arena/Breakers") {
  static readonly layer = Layer.effect(
    this,
    Effect.gen(function* () {
      const repository = yield* BreakerRepository
      const panel = new BreakerPanel(yield* repository.latest)

      const listeners = new Set<() => void>()

      const alone = yield* Semaphore.make(1)

      /** Decides and takes a step before another one is decided. */
      const take = (decide: () => Step): Effect.Effect<void, Unavailable> =>
        Effect.gen(function* () {
          const step = decide()
          if (step.transitions.length > 0) {
            yield* repository.insert(step.transitions)
            yield* Effect.forEach(step.transitions, (transition) => Effect.logWarning("Circuit breaker", transition))
          }
          panel.take(step)
          if (step.transitions.length > 0) for (const listener of listeners) listener()
          const open = BREAKER_SCOPES.filter((scope) => isOpen(step.breakers, scope)).length
          yield* Metric.update(openBreakers, open)
        })

      const takeUpReset = Effect.fnUntraced(function* (now: number) {
        if (!panel.isLatched) return
        const newest = yield* repository.newest("global")
        if (newest?.reason !== "operator_reset") return
        panel.take({ breakers: panel.reset("global", now).breakers, transitions: [newest] })
        for (const listener of listeners) listener()
        yield* Effect.logWarning("Circuit breaker", newest)
      })

      return Breakers.of({
        check: (problems, now) =>
          Effect.andThen(
            takeUpReset(now),
            take(() => panel.check(problems, now))
          ).pipe(alone.withPermits(1)),
        trip: (problems, now) => take(() => panel.trip(problems, now)).pipe(alone.withPermits(1)),
        reset: (scope, now) => take(() => panel.reset(scope, now)).pipe(alone.withPermits(1)),
        onTurned: (listener) => Effect.sync(() => void listeners.add(listener)),
        globalHalt: (now) => panel.globalHalt(now),
        halt: (assetType, now) => panel.halt(assetType, now),
        wasHalted: (assetType, at) => panel.wasHalted(assetType, at),
        isLatched: () => panel.isLatched,
        scopes: () => panel.breakers.scopes,
        transitions: () => panel.transitions,
        statuses: () => {
          const { global, commodity, fx, options, gpu } = panel.breakers.scopes
          return {
            global: global.state,
            commodity: commodity.state,
            fx: fx.state,
            options: options.state,
            gpu: gpu.state
          }
        }
      })
    })
  )
}
