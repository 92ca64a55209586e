import { Context, Effect, Layer, Metric } from "effect"
import type { AssetType } from "../../engine/arena/AssetType.ts"
import {
  BREAKER_SCOPES,
  type Breakers as BreakersState,
  type BreakerScope,
  type BreakerStatus,
  check,
  isOpen,
  type Problem,
  replay,
  reset,
  retryAfterSeconds,
  type Step,
  trip,
  type Transition,
  wasHalted
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
  }
>()("emporion/arena/Breakers") {
  static readonly layer = Layer.effect(
    this,
    Effect.gen(function* () {
      const repository = yield* BreakerRepository
      const transitions: Array<Transition> = [...(yield* repository.latest)]
      const state: { breakers: BreakersState } = { breakers: replay(transitions) }

      const listeners = new Set<() => void>()

      const take = (step: Step): Effect.Effect<void, Unavailable> =>
        Effect.gen(function* () {
          if (step.transitions.length > 0) {
            yield* repository.insert(step.transitions)
            transitions.push(...step.transitions)
            yield* Effect.forEach(step.transitions, (transition) => Effect.logWarning("Circuit breaker", transition))
          }
          state.breakers = step.breakers
          if (step.transitions.length > 0) for (const listener of listeners) listener()
          const open = BREAKER_SCOPES.filter((scope) => isOpen(step.breakers, scope)).length
          yield* Metric.update(openBreakers, open)
        })

      const takeUpReset = Effect.fnUntraced(function* (now: number) {
        if (!state.breakers.scopes.global.latched) return
        const newest = yield* repository.newest("global")
        if (newest?.reason !== "operator_reset") return
        transitions.push(newest)
        state.breakers = reset(state.breakers, "global", now).breakers
        for (const listener of listeners) listener()
        yield* Effect.logWarning("Circuit breaker", newest)
      })

      const haltOf = (scope: BreakerScope, now: number): Halt | null =>
        isOpen(state.breakers, scope)
          ? {
              scope: scope === "global" ? "global" : "asset_type",
              retryAfterSeconds: retryAfterSeconds(state.breakers, scope, now)
            }
          : null

      return Breakers.of({
        check: (problems, now) =>
          Effect.andThen(
            takeUpReset(now),
            Effect.suspend(() => take(check(state.breakers, problems, now)))
          ),
        trip: (problems, now) => take(trip(state.breakers, problems, now)),
        reset: (scope, now) => take(reset(state.breakers, scope, now)),
        onTurned: (listener) => Effect.sync(() => void listeners.add(listener)),
        globalHalt: (now) => haltOf("global", now),
        halt: (assetType, now) => haltOf("global", now) ?? haltOf(assetType, now),
        wasHalted: (assetType, at) => wasHalted(transitions, assetType, at),
        isLatched: () => state.breakers.scopes.global.latched,
        statuses: () => {
          const { global, commodity, fx, options, gpu } = state.breakers.scopes
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
