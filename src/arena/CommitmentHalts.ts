import { Context, Effect, Layer } from "effect"
import type { CommitmentHalt, HaltAsk, HaltCause } from "../../engine/arena/CommitmentHalt.ts"
import {
  askHalt,
  type HaltActor,
  haltAfter,
  haltAllArmed,
  haltAllDue,
  type HaltedAgain,
  type HaltWorld,
  liftHalt,
  type ReadHalt
} from "../../engine/arena/CommitmentHalting.ts"
import { ArmedSwitches } from "../../engine/arena/ArmedSwitches.ts"
import type { Unavailable } from "../database/DatabaseError.ts"
import { dieOnRefusal, unavailableWhereStale, writeEntry } from "../database/EntryWriting.ts"
import { UnitOfWork } from "../database/UnitOfWork.ts"
import { CommitmentHaltRepository } from "./CommitmentHaltRepository.ts"

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
    /** A connection ended that was to halt the company. */
    readonly disconnected: (actor: HaltActor) => Effect.Effect<void, Unavailable>
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
  const connections = new ArmedSwitches(world)

  yield* unavailableWhereStale(haltAllArmed(world))

  return CommitmentHalts.of({
    find,
    halt: Effect.fn("CommitmentHalts.halt")((actor, cause) => asked(actor, () => ({ act: "halt", cause }))),
    resume: Effect.fn("CommitmentHalts.resume")((actor) => unavailableWhereStale(liftHalt(world, actor))),
    haltAfter: Effect.fn("CommitmentHalts.haltAfter")((actor, seconds) =>
      unavailableWhereStale(haltAfter(world, actor, seconds))
    ),
    arm: Effect.fn("CommitmentHalts.arm")((actor) => unavailableWhereStale(connections.arm(actor))),
    disarm: Effect.fn("CommitmentHalts.disarm")((actor) => unavailableWhereStale(connections.disarm(actor))),
    disconnected: Effect.fn("CommitmentHalts.disconnected")((actor) => unavailableWhereStale(connections.ended(actor))),
    nextDeadline: nextDue,
    deadlines: Effect.withSpan(haltAllDue(world), "CommitmentHalts.deadlines")
  })
})
