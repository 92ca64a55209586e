import { Clock, Context, Effect, Layer } from "effect"
import type { CommitmentHalt, HaltAsk, HaltCause } from "../../engine/arena/CommitmentHalt.ts"
import {
  askHalt,
  type HaltActor,
  haltAllArmed,
  haltAllDue,
  type HaltedAgain,
  type HaltWorld,
  liftHalt,
  type ReadHalt
} from "../../engine/arena/CommitmentHalting.ts"
import type { Unavailable } from "../database/DatabaseError.ts"
import { dieOnRefusal, unavailableWhereStale, writeEntry } from "../database/EntryWriting.ts"
import { UnitOfWork } from "../database/UnitOfWork.ts"
import { CommitmentHaltRepository } from "./CommitmentHaltRepository.ts"

const MILLIS = 1_000

/**
 * The kill switch of a company: while it is pulled the ledger refuses each of its commitments, of people, bots and clients
 * alike. One that is recorded holds from its place in the journal on, across restarts, until it is lifted.
 */
export class CommitmentHalts extends Context.Service<
  CommitmentHalts,
  {
    /** How it stands, and the version of its stream. */
    readonly find: (companyId: string) => Effect.Effect<ReadHalt, Unavailable>
    readonly halt: (actor: HaltActor, cause: HaltCause) => Effect.Effect<CommitmentHalt, Unavailable>
    readonly resume: (actor: HaltActor) => Effect.Effect<CommitmentHalt, HaltedAgain | Unavailable>
    /** Halts after so many seconds unless asked again; 0: no more. */
    readonly haltAfter: (actor: HaltActor, seconds: number) => Effect.Effect<CommitmentHalt, Unavailable>
    /** One connection more halts the company when it ends. The first is recorded, so that a start knows of it. */
    readonly arm: (actor: HaltActor) => Effect.Effect<void, Unavailable>
    /** One less does. */
    readonly disarm: (actor: HaltActor) => Effect.Effect<void, Unavailable>
    /** Halts the companies whose deadline has come. */
    readonly deadlines: Effect.Effect<void, Unavailable>
    /** When the next deadline comes. */
    readonly nextDeadline: Effect.Effect<number | undefined, Unavailable>
  }
>()("emporion/arena/CommitmentHalts") {
  static readonly layer = Layer.effect(
    this,
    Effect.suspend(() => make)
  )
}

const make = Effect.gen(function* () {
  const { armed, due, find, nextDue } = yield* CommitmentHaltRepository
  const inside = Effect.provideContext(yield* Effect.context<UnitOfWork>())
  const world: HaltWorld<Unavailable> = {
    find,
    due,
    armed,
    write: (written) => inside(dieOnRefusal(writeEntry(written)))
  }
  const asked = (actor: HaltActor, ask: () => HaltAsk): Effect.Effect<CommitmentHalt, Unavailable> =>
    unavailableWhereStale(askHalt(world, actor, ask))
  const connections = new Map<string, number>()

  yield* unavailableWhereStale(haltAllArmed(world))

  const counted = Effect.fnUntraced(function* (actor: HaltActor, change: 1 | -1) {
    const { companyId } = actor
    const before = connections.get(companyId) ?? 0
    const after = before + change
    if (after === 0) connections.delete(companyId)
    else connections.set(companyId, after)
    if ((before === 0) === (after === 0)) return
    yield* asked(actor, () => ({ act: "arm", armed: connections.has(companyId) }))
  })

  return CommitmentHalts.of({
    find,
    halt: Effect.fn("CommitmentHalts.halt")((actor, cause) => asked(actor, () => ({ act: "halt", cause }))),
    resume: Effect.fn("CommitmentHalts.resume")((actor) => unavailableWhereStale(liftHalt(world, actor))),
    haltAfter: Effect.fn("CommitmentHalts.haltAfter")(function* (actor, seconds) {
      const deadlineAt = seconds === 0 ? null : (yield* Clock.currentTimeMillis) + seconds * MILLIS
      return yield* asked(actor, () => ({ act: "deadline", deadlineAt }))
    }),
    arm: Effect.fn("CommitmentHalts.arm")((actor) => counted(actor, 1)),
    disarm: Effect.fn("CommitmentHalts.disarm")((actor) => counted(actor, -1)),
    nextDeadline: nextDue,
    deadlines: Effect.withSpan(haltAllDue(world), "CommitmentHalts.deadlines")
  })
})
