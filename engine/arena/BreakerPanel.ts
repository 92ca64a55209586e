import type { AssetType } from "./AssetType.ts"
import {
  type Breakers,
  type BreakerScope,
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
} from "./CircuitBreaker.ts"
import type { Halt } from "./Submission.ts"

/** The breakers as they are, and everything that they did: a step is decided here, and holds once it is taken. */
export class BreakerPanel {
  readonly #transitions: Array<Transition>
  #breakers: Breakers

  /** @param transitions - what was recorded of them, in order */
  constructor(transitions: Iterable<Transition> = []) {
    this.#transitions = [...transitions]
    this.#breakers = replay(this.#transitions)
  }

  get breakers(): Breakers {
    return this.#breakers
  }

  /** What they did, oldest first. */
  get transitions(): ReadonlyArray<Transition> {
    return this.#transitions
  }

  check(problems: ReadonlyArray<Problem>, now: number): Step {
    return check(this.#breakers, problems, now)
  }

  trip(problems: ReadonlyArray<Problem>, now: number): Step {
    return trip(this.#breakers, problems, now)
  }

  reset(scope: BreakerScope, now: number): Step {
    return reset(this.#breakers, scope, now)
  }

  take({ breakers, transitions }: Step): void {
    this.#transitions.push(...transitions)
    this.#breakers = breakers
  }

  globalHalt(now: number): Halt | null {
    return this.#haltOf("global", now)
  }

  /** Whether commitments on an asset type are refused. The global breaker comes first. */
  halt(assetType: AssetType, now: number): Halt | null {
    return this.globalHalt(now) ?? this.#haltOf(assetType, now)
  }

  wasHalted(assetType: AssetType, at: number): boolean {
    return wasHalted(this.#transitions, assetType, at)
  }

  /** The ledger failed its check: nothing settles and no money leaves. */
  get isLatched(): boolean {
    return this.#breakers.scopes.global.latched
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
