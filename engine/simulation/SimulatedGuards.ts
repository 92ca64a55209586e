import { Cause, Clock, Effect } from "effect"
import type { ChainedEvent } from "../actor/CommitGroup.ts"
import { type Premise, type Recorded, StaleVersion } from "../actor/Journal.ts"
import { move } from "../bot/BotDecision.ts"
import { type BotGuardSet, botGuardStream } from "../bot/BotEvent.ts"
import { ZERO } from "../money/Amount.ts"
import { type BotWriter, type BotWriterParts, type WriteFailure } from "./BotWriter.ts"
import type { Guard } from "./BotProjection.ts"
import { InjectedFault } from "./FaultyJournal.ts"
import type { SimulatedEvent } from "./SimulatedArena.ts"
import type { VirtualClock } from "./VirtualClock.ts"
import type { Fork } from "./VirtualScheduler.ts"

export interface GuardsParts extends Omit<BotWriterParts, "journal"> {
  readonly clock: VirtualClock
  readonly writer: BotWriter
  readonly fork: Fork
  /** Stands between a guard as it was recorded and whoever looks whether it is due. */
  readonly guard?: ((guard: Guard, companyId: string) => Guard) | undefined
  /** Stands between those that are active and those that are paused, where all are to be. */
  readonly pausing?: ((botIds: ReadonlyArray<string>) => ReadonlyArray<string>) | undefined
}

/** What could not be done is tried again after so many milliseconds. */
const AGAIN_MILLIS = 1_000

const NO_ROOM = { collateral: ZERO, allowance: ZERO, held: ZERO }

/** Whether something failed because of what the simulated world does. */
export const isOfTheWorld = (reason: Cause.Reason<unknown>): boolean =>
  Cause.isFailReason(reason) ||
  Cause.isInterruptReason(reason) ||
  (Cause.isDieReason(reason) && reason.defect instanceof InjectedFault)

/** The kill switch and the dead man's switch of companies, and the one who looks after them, as the server has them. */
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

  hear(recorded: ReadonlyArray<ChainedEvent<SimulatedEvent>>): void {
    for (const { event } of recorded) if (event._tag === "BotGuardSet") this.#arm(event.companyId)
  }

  /** Has a company's bots paused after so many seconds unless it asks again; 0: no more. */
  readonly set = Effect.fnUntraced(function* (
    this: SimulatedGuards,
    companyId: string,
    by: string,
    seconds: number
  ): Effect.fn.Return<Recorded<BotGuardSet>, WriteFailure> {
    const at = yield* Clock.currentTimeMillis
    const deadlineAt = seconds === 0 ? null : at + seconds * 1_000
    return yield* this.#write({ _tag: "BotGuardSet", at, by, companyId, deadlineAt }, null)
  })

  /** Pauses a company's bots that are active, at most on what its guard was. */
  readonly pauseAll = Effect.fnUntraced(function* (
    this: SimulatedGuards,
    companyId: string,
    by: string | null,
    premises: ReadonlyArray<Premise> = []
  ): Effect.fn.Return<ReadonlyArray<string>, WriteFailure> {
    const { pausing = (some) => some, projection, writer } = this.#parts
    const active = [...projection.bots.values()].filter(
      (bot) => bot.companyId === companyId && bot.standing.status === "active"
    )
    return yield* Effect.forEach(
      pausing(active.map(({ botId }) => botId)),
      (botId) => writer.written(botId, (bot, at) => move(bot, "pause", NO_ROOM, false, { at, by }), { premises }),
      { concurrency: "unbounded" }
    )
  })

  readonly #write = Effect.fnUntraced(function* (
    this: SimulatedGuards,
    event: BotGuardSet,
    version: number | null
  ): Effect.fn.Return<Recorded<BotGuardSet>, WriteFailure> {
    const stream = botGuardStream(event.companyId)
    const [outcome] = yield* this.#parts.writes.append({ stream, version, entries: [{ commands: [], event }] })
    return outcome?._tag === "Accepted" ? outcome.recorded : yield* Effect.die(outcome?.error)
  })

  #guard(companyId: string): Guard {
    const { guard = (given) => given, projection } = this.#parts
    return guard(projection.guards.get(companyId) ?? { deadlineAt: null, version: 0 }, companyId)
  }

  #arm(companyId: string): void {
    const { clock } = this.#parts
    const { deadlineAt } = this.#guard(companyId)
    if (deadlineAt === null) this.#callOff(companyId)
    else this.#armAfter(companyId, Math.max(0, deadlineAt - clock.currentTimeMillisUnsafe()))
  }

  #callOff(companyId: string): void {
    this.#armed.get(companyId)?.()
    this.#armed.delete(companyId)
  }

  #armAfter(companyId: string, millis: number): void {
    const { clock, fork } = this.#parts
    this.#callOff(companyId)
    const armed = this.#armed
    const due = Effect.matchCauseEffect(this.#due(companyId), {
      onSuccess: () => Effect.void,
      onFailure: (cause) => {
        if (!cause.reasons.every(isOfTheWorld)) return Effect.failCause(cause)
        // Another process looks after them itself.
        return Effect.sync(() => void (armed === this.#armed && this.#armAfter(companyId, AGAIN_MILLIS)))
      }
    })
    armed.set(
      companyId,
      clock.schedule(clock.elapsed + millis, () => fork(due))
    )
  }

  /** Pauses a company's bots where that is due, and ends the guard; whoever asked again meanwhile is left alone. */
  readonly #due = Effect.fnUntraced(function* (
    this: SimulatedGuards,
    companyId: string
  ): Effect.fn.Return<void, WriteFailure> {
    const { deadlineAt, version } = this.#guard(companyId)
    const at = yield* Clock.currentTimeMillis
    if (deadlineAt === null) return
    if (deadlineAt > at) return this.#arm(companyId)
    const stream = botGuardStream(companyId)
    const ended: BotGuardSet = { _tag: "BotGuardSet", at, by: null, companyId, deadlineAt: null }
    yield* this.pauseAll(companyId, null, [{ stream, version }]).pipe(
      Effect.andThen(this.#write(ended, version)),
      Effect.catchIf(
        (error) => error instanceof StaleVersion && error.stream === stream,
        () => Effect.void
      )
    )
  })
}
