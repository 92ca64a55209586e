import type { AssetType } from "../arena/AssetType.ts"
import {
  type BreakerScope,
  check,
  initial,
  isOpen,
  type Problem,
  retryAfterSeconds,
  type Transition,
  wasHalted
} from "../arena/CircuitBreaker.ts"
import type { Halt } from "../arena/Submission.ts"

/** The circuit breakers, as the server keeps them. */
export class SimulatedBreakers {
  readonly #transitions: Array<Transition> = []
  #breakers = initial

  /** A complete look at everything. Answers what changed. */
  check(problems: ReadonlyArray<Problem>, now: number): ReadonlyArray<Transition> {
    const { breakers, transitions } = check(this.#breakers, problems, now)
    this.#breakers = breakers
    this.#transitions.push(...transitions)
    return transitions
  }

  halt(assetType: AssetType, now: number): Halt | null {
    return this.#haltOf("global", now) ?? this.#haltOf(assetType, now)
  }

  wasHalted(assetType: AssetType, at: number): boolean {
    return wasHalted(this.#transitions, assetType, at)
  }

  #haltOf(scope: BreakerScope, now: number): Halt | null {
    return isOpen(this.#breakers, scope)
      ? {
          scope: scope === "global" ? "global" : "asset_type",
          retryAfterSeconds: retryAfterSeconds(this.#breakers, scope, now)
        }
      : null
  }
}
