import { Effect } from "effect"
import type { StaleVersion } from "../actor/Journal.ts"
import type { CommitmentHalt } from "./CommitmentHalt.ts"
import { askHalt, type HaltActor, type HaltWorld } from "./CommitmentHalting.ts"

/** The kill switches that hang on connections of one process, whose ends pull them. They end with the process, too. */
export class ArmedSwitches<Failure> {
  readonly #world: HaltWorld<Failure>
  /** By company, of those that have any. */
  readonly #counts = new Map<string, number>()
  /** Companies of which it is recorded that they have some. */
  readonly #recorded = new Set<string>()

  constructor(world: HaltWorld<Failure>) {
    this.#world = world
  }

  /** One connection more halts the company when it ends. The first is recorded, so that the next process knows of it. */
  arm(actor: HaltActor): Effect.Effect<void, StaleVersion | Failure> {
    return this.#counted(actor, 1)
  }

  /** One less does. */
  disarm(actor: HaltActor): Effect.Effect<void, StaleVersion | Failure> {
    return this.#counted(actor, -1)
  }

  /** A connection ended that was to halt the company. Whoever gets no answer asks again until it is done. */
  ended(actor: HaltActor): Effect.Effect<void, StaleVersion | Failure> {
    const halt: Effect.Effect<CommitmentHalt, StaleVersion | Failure> = askHalt(this.#world, actor, () => ({
      act: "halt",
      cause: "disconnected"
    }))
    return Effect.andThen(halt, this.disarm(actor))
  }

  /** What is not recorded is not counted: it is asked for again. */
  #counted(actor: HaltActor, change: 1 | -1): Effect.Effect<void, StaleVersion | Failure> {
    return Effect.suspend(() => {
      const { companyId } = actor
      const wasArmed = this.#counts.has(companyId)
      this.#add(companyId, change)
      const isArmed = this.#counts.has(companyId)
      if (wasArmed === isArmed && this.#recorded.has(companyId) === isArmed) return Effect.void
      return askHalt(this.#world, actor, () => ({ act: "arm", armed: this.#counts.has(companyId) })).pipe(
        Effect.onError(() => Effect.sync(() => this.#add(companyId, change === 1 ? -1 : 1))),
        Effect.map(({ armed }) => void (armed ? this.#recorded.add(companyId) : this.#recorded.delete(companyId)))
      )
    })
  }

  #add(companyId: string, change: 1 | -1): void {
    const count = (this.#counts.get(companyId) ?? 0) + change
    if (count === 0) this.#counts.delete(companyId)
    else this.#counts.set(companyId, count)
  }
}
