/** The kill switch of a company: pulled, lifted, due, and pulled by the end of a process. */

import { Clock, Effect } from "effect"
import { StaleVersion } from "../actor/Journal.ts"
import { retryStale } from "../actor/StaleRetry.ts"
import type { WrittenEntry } from "../journal/WrittenEntry.ts"
import { refusal } from "../wire/Refusal.ts"
import {
  type CommitmentHalt,
  type CommitmentHaltSet,
  commitmentHaltStream,
  decideHalt,
  type HaltAsk
} from "./CommitmentHalt.ts"

/** The switch was pulled again while it was being lifted: whoever lifts it has to know that. */
export class HaltedAgain extends refusal(
  "HaltedAgain",
  "conflict",
  () => "The kill switch was pulled again meanwhile: look why before you lift it."
) {}

/** A company's halt as it was read, and the version of its stream that it was read at. */
export interface ReadHalt extends CommitmentHalt {
  readonly version: number
}

/** Who asks: a user stands for its company; null is the platform. */
export interface HaltActor {
  readonly companyId: string
  readonly userId: string | null
}

/** Where halts are kept; `Failure` is a world that does not answer now. */
export interface HaltWorld<Failure> {
  readonly find: (companyId: string) => Effect.Effect<ReadHalt, Failure>
  /** Writes an entry on the state that it was decided on. */
  readonly write: (written: WrittenEntry<CommitmentHaltSet>) => Effect.Effect<unknown, StaleVersion | Failure>
  /** Companies whose deadline has come, the longest first. */
  readonly due: (now: number, limit: number) => Effect.Effect<ReadonlyArray<string>, Failure>
  /** Companies that the end of a connection halts. */
  readonly armed: Effect.Effect<ReadonlyArray<string>, Failure>
}

const SECOND_MILLIS = 1_000

/** Deadlines that are done in one round. */
const DEADLINE_BATCH = 100

/** Records what is asked for, on the state that it was read on. */
const recorded = Effect.fnUntraced(function* <Failure>(
  { write }: HaltWorld<Failure>,
  { companyId, userId }: HaltActor,
  { version, ...state }: ReadHalt,
  ask: HaltAsk
): Effect.fn.Return<CommitmentHalt, StaleVersion | Failure> {
  const at = yield* Clock.currentTimeMillis
  const entry = decideHalt(state, ask, { companyId, at, by: userId })
  yield* write({ stream: commitmentHaltStream(companyId), version, entry })
  const { armed, deadlineAt, halted } = entry.event
  return { armed, deadlineAt, halted }
})

/** Records what is asked for, whatever was recorded before. `ask` is called once that is read. */
export const askHalt = <Failure>(
  world: HaltWorld<Failure>,
  actor: HaltActor,
  ask: () => HaltAsk
): Effect.Effect<CommitmentHalt, StaleVersion | Failure> =>
  retryStale(Effect.flatMap(world.find(actor.companyId), (state) => recorded(world, actor, state, ask())))

/** Halts a company after so many seconds unless somebody asks again; 0: no more. */
export const haltAfter = <Failure>(
  world: HaltWorld<Failure>,
  actor: HaltActor,
  seconds: number
): Effect.Effect<CommitmentHalt, StaleVersion | Failure> =>
  Effect.flatMap(Clock.currentTimeMillis, (now) => {
    const deadlineAt = seconds === 0 ? null : now + seconds * SECOND_MILLIS
    return askHalt(world, actor, () => ({ act: "deadline", deadlineAt }))
  })

const isSame = (one: CommitmentHalt["halted"], other: CommitmentHalt["halted"]): boolean =>
  one?.at === other?.at && one?.by === other?.by && one?.cause === other?.cause

/** Opens what was halted when it was asked for, and no later halt. */
export const liftHalt = Effect.fnUntraced(function* <Failure>(
  world: HaltWorld<Failure>,
  actor: HaltActor
): Effect.fn.Return<CommitmentHalt, HaltedAgain | StaleVersion | Failure> {
  const first = yield* world.find(actor.companyId)
  return yield* retryStale(
    Effect.gen(function* (): Effect.fn.Return<CommitmentHalt, HaltedAgain | StaleVersion | Failure> {
      const state = yield* world.find(actor.companyId)
      if (state.halted === null) return state
      if (!isSame(state.halted, first.halted)) return yield* new HaltedAgain()
      return yield* recorded(world, actor, state, { act: "resume" })
    })
  )
})

/** Halts a company where its deadline has come and nobody asked again. */
const haltDue = Effect.fnUntraced(function* <Failure>(
  world: HaltWorld<Failure>,
  companyId: string
): Effect.fn.Return<void, StaleVersion | Failure> {
  const state = yield* world.find(companyId)
  const { deadlineAt } = state
  if (deadlineAt === null || deadlineAt > (yield* Clock.currentTimeMillis)) return
  yield* recorded(world, { companyId, userId: null }, state, { act: "halt", cause: "deadline" })
})

/** Halts the companies whose deadline has come. Whoever asked again meanwhile is left alone. */
export const haltAllDue = Effect.fnUntraced(function* <Failure>(
  world: HaltWorld<Failure>
): Effect.fn.Return<void, Failure> {
  const companies = yield* world.due(yield* Clock.currentTimeMillis, DEADLINE_BATCH)
  yield* Effect.forEach(companies, (companyId) => unlessStale(haltDue(world, companyId)), { discard: true })
})

/** Halts the companies whose connections ended with the process before. */
export const haltAllArmed = Effect.fnUntraced(function* <Failure>(
  world: HaltWorld<Failure>
): Effect.fn.Return<void, StaleVersion | Failure> {
  yield* Effect.forEach(
    yield* world.armed,
    (companyId) => {
      const platform = { companyId, userId: null }
      return Effect.andThen(
        askHalt(world, platform, () => ({ act: "halt", cause: "restarted" })),
        askHalt(world, platform, () => ({ act: "arm", armed: false }))
      )
    },
    { discard: true }
  )
})

const unlessStale = <E>(effect: Effect.Effect<void, StaleVersion | E>): Effect.Effect<void, E> =>
  effect.pipe(Effect.catch((error) => (error instanceof StaleVersion ? Effect.void : Effect.fail(error))))
