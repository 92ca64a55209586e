import { Clock, Context, Effect, Layer } from "effect"
import type { StaleVersion } from "../../engine/actor/Journal.ts"
import {
  type CommitmentHalt,
  commitmentHaltStream,
  decideHalt,
  type HaltAsk,
  type HaltCause
} from "../../engine/arena/CommitmentHalt.ts"
import type { Unavailable } from "../database/DatabaseError.ts"
import { dieOnRefusal, retryStale, writeEntry } from "../database/EntryWriting.ts"
import { UnitOfWork } from "../database/UnitOfWork.ts"
import { CommitmentHaltRepository, type ReadHalt } from "./CommitmentHaltRepository.ts"
import { refusal } from "../../engine/wire/Refusal.ts"

const MILLIS = 1_000

/** Deadlines that are done in one round. */
const DEADLINE_BATCH = 100

/** Who asks: a user stands for its company; null is the platform. */
export interface HaltActor {
  readonly companyId: string
  readonly userId: string | null
}

/** The switch was pulled again while it was being lifted: whoever lifts it has to know that. */
export class HaltedAgain extends refusal(
  "HaltedAgain",
  "conflict",
  () => "The kill switch was pulled again meanwhile: look why before you lift it."
) {}

type Services = CommitmentHaltRepository | UnitOfWork

/** Records what is asked for, on the state that it was read on. */
const recorded = Effect.fnUntraced(function* (
  { companyId, userId }: HaltActor,
  { version, ...state }: ReadHalt,
  ask: HaltAsk
) {
  const at = yield* Clock.currentTimeMillis
  const entry = decideHalt(state, ask, { companyId, at, by: userId })
  yield* writeEntry({ stream: commitmentHaltStream(companyId), version, entry })
  const { armed, deadlineAt, halted } = entry.event
  return { armed, deadlineAt, halted } satisfies CommitmentHalt
}, dieOnRefusal)

/** Records what is asked for, whatever was recorded before. `ask` is called once that is read. */
const asked = (actor: HaltActor, ask: () => HaltAsk): Effect.Effect<CommitmentHalt, Unavailable, Services> =>
  retryStale(
    Effect.gen(function* () {
      const state = yield* (yield* CommitmentHaltRepository).find(actor.companyId)
      return yield* recorded(actor, state, ask())
    })
  )

const isSame = (one: CommitmentHalt["halted"], other: CommitmentHalt["halted"]): boolean =>
  one?.at === other?.at && one?.by === other?.by && one?.cause === other?.cause

/** Opens what was halted when it was asked for, and no later halt. */
const resumed = Effect.fnUntraced(function* (actor: HaltActor) {
  const { find } = yield* CommitmentHaltRepository
  const first = yield* find(actor.companyId)
  return yield* retryStale(
    Effect.gen(function* (): Effect.fn.Return<CommitmentHalt, HaltedAgain | StaleVersion | Unavailable, Services> {
      const state = yield* find(actor.companyId)
      if (state.halted === null) return state
      if (!isSame(state.halted, first.halted)) return yield* new HaltedAgain()
      return yield* recorded(actor, state, { act: "resume" })
    })
  )
})

/** Halts a company where its deadline has come and nobody asked again. */
const deadlineDone = Effect.fnUntraced(function* (companyId: string) {
  const state = yield* (yield* CommitmentHaltRepository).find(companyId)
  const { deadlineAt } = state
  if (deadlineAt === null || deadlineAt > (yield* Clock.currentTimeMillis)) return
  yield* recorded({ companyId, userId: null }, state, { act: "halt", cause: "deadline" })
})

const deadlinesDone = Effect.gen(function* () {
  const { due } = yield* CommitmentHaltRepository
  const companies = yield* due(yield* Clock.currentTimeMillis, DEADLINE_BATCH)
  // Whoever asked again meanwhile is left alone.
  yield* Effect.forEach(
    companies,
    (companyId) => Effect.catchTag(deadlineDone(companyId), "StaleVersion", () => Effect.void),
    { discard: true }
  )
})

/** Halts the companies whose connections ended with the process before. */
const restarted = Effect.gen(function* () {
  const { armed } = yield* CommitmentHaltRepository
  yield* Effect.forEach(
    yield* armed,
    (companyId) => {
      const platform = { companyId, userId: null }
      return Effect.andThen(
        asked(platform, () => ({ act: "halt", cause: "restarted" })),
        asked(platform, () => ({ act: "arm", armed: false }))
      )
    },
    { discard: true }
  )
})

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
  const repository = yield* CommitmentHaltRepository
  const context = yield* Effect.context<Services>()
  const inside = Effect.provideContext(context)
  const connections = new Map<string, number>()

  yield* restarted

  const counted = Effect.fnUntraced(function* (actor: HaltActor, change: 1 | -1) {
    const { companyId } = actor
    const before = connections.get(companyId) ?? 0
    const after = before + change
    if (after === 0) connections.delete(companyId)
    else connections.set(companyId, after)
    if ((before === 0) === (after === 0)) return
    yield* inside(asked(actor, () => ({ act: "arm", armed: connections.has(companyId) })))
  })

  return CommitmentHalts.of({
    find: repository.find,
    halt: Effect.fn("CommitmentHalts.halt")((actor, cause) => inside(asked(actor, () => ({ act: "halt", cause })))),
    resume: Effect.fn("CommitmentHalts.resume")((actor) => inside(resumed(actor))),
    haltAfter: Effect.fn("CommitmentHalts.haltAfter")(function* (actor, seconds) {
      const deadlineAt = seconds === 0 ? null : (yield* Clock.currentTimeMillis) + seconds * MILLIS
      return yield* inside(asked(actor, () => ({ act: "deadline", deadlineAt })))
    }),
    arm: Effect.fn("CommitmentHalts.arm")((actor) => counted(actor, 1)),
    disarm: Effect.fn("CommitmentHalts.disarm")((actor) => counted(actor, -1)),
    nextDeadline: repository.nextDue,
    deadlines: Effect.withSpan(inside(deadlinesDone), "CommitmentHalts.deadlines")
  })
})
