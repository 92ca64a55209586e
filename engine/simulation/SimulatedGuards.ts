import type { PlatformEvent } from "../replay/PlatformEvent.ts"
import { Cause, Effect } from "effect"
import type { Recorded } from "../actor/Journal.ts"
import type { BotGuardSet } from "../bot/BotEvent.ts"
import { type BotGuard, endDueGuard, setGuard } from "../bot/BotGuards.ts"
import { pauseActive } from "../bot/BotPausing.ts"
import type { BotProjection } from "./BotProjection.ts"
import { InjectedFault } from "./FaultyJournal.ts"
import type { BotWriteFailure, SimulatedBotStore } from "./SimulatedBotStore.ts"
import type { VirtualClock } from "./VirtualClock.ts"
import type { Fork } from "./VirtualScheduler.ts"

export interface GuardsParts {
  readonly clock: VirtualClock
  readonly projection: BotProjection
  readonly store: SimulatedBotStore
  readonly fork: Fork
}

/** What could not be done is tried again after so many milliseconds. */
const AGAIN_MILLIS = 1_000

/** Whether something failed because of what the simulated world does. */
export const isOfTheWorld = (reason: Cause.Reason<unknown>): boolean =>
  Cause.isFailReason(reason) ||
  Cause.isInterruptReason(reason) ||
  (Cause.isDieReason(reason) && reason.defect instanceof InjectedFault)

/** Looks after the dead man's switches of companies when they are due by the simulation's clock. */
export class SimulatedGuards {
  readonly #parts: GuardsParts
  /** How to call off who looks next, by company. */
  #armed = new Map<string, () => void>()

  constructor(parts: GuardsParts) {
    this.#parts = parts
  }

  /** Looks after what is recorded; what was in memory before is gone. */
  start(): void {
    for (const callOff of this.#armed.values()) callOff()
    this.#armed = new Map()
    for (const companyId of this.#parts.projection.guards.keys()) this.#arm(companyId)
  }

  hear(recorded: ReadonlyArray<Recorded<PlatformEvent>>): void {
    for (const { event } of recorded) if (event._tag === "BotGuardSet") this.#arm(event.companyId)
  }

  /** Has a company's bots paused after so many seconds unless it asks again; 0: no more. */
  set(companyId: string, by: string, seconds: number): Effect.Effect<Recorded<BotGuardSet>, BotWriteFailure> {
    return setGuard(this.#parts.store, companyId, by, seconds)
  }

  /** Pauses a company's bots that are active; answers which they were. */
  pauseAll(companyId: string, by: string): Effect.Effect<ReadonlyArray<string>, BotWriteFailure> {
    return Effect.catchTag(pauseActive(this.#parts.store, companyId, { by }), "GuardReplaced", Effect.die)
  }

  #arm(companyId: string): void {
    const { fork, store } = this.#parts
    const armed = this.#armed
    fork(Effect.map(store.guard(companyId), (guard) => armed === this.#armed && this.#armFor(companyId, guard)))
  }

  #armFor(companyId: string, { deadlineAt }: BotGuard): void {
    const { clock } = this.#parts
    if (deadlineAt === null) this.#callOff(companyId)
    else this.#armAfter(companyId, Math.max(0, deadlineAt - clock.currentTimeMillisUnsafe()))
  }

  #callOff(companyId: string): void {
    this.#armed.get(companyId)?.()
    this.#armed.delete(companyId)
  }

  #armAfter(companyId: string, millis: number): void {
    const { clock, fork, store } = this.#parts
    this.#callOff(companyId)
    const armed = this.#armed
    const due = endDueGuard(store, companyId).pipe(
      Effect.catchTag("GuardReplaced", () => Effect.void),
      Effect.andThen(store.guard(companyId)),
      Effect.matchCauseEffect({
        // Another process looks after them itself.
        onSuccess: (guard) => Effect.sync(() => void (armed === this.#armed && this.#armFor(companyId, guard))),
        onFailure: (cause) => {
          if (!cause.reasons.every(isOfTheWorld)) return Effect.failCause(cause)
          return Effect.sync(() => void (armed === this.#armed && this.#armAfter(companyId, AGAIN_MILLIS)))
        }
      })
    )
    armed.set(
      companyId,
      clock.schedule(clock.elapsed + millis, () => fork(due))
    )
  }
}
