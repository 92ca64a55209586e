import { Clock, Context, Duration, Effect, Layer, Schedule } from "effect"
import { StaleVersion } from "../../engine/actor/Journal.ts"
import { erasureStream, type UserErased } from "../../engine/erasure/ErasureEvent.ts"
import type { Unavailable } from "../database/DatabaseError.ts"
import { dieOnRefusal, writeEntry } from "../database/EntryWriting.ts"
import type { UnitOfWork } from "../database/UnitOfWork.ts"
import type { Who } from "../identity/audit/AuditLog.ts"
import { PersonalText } from "../identity/secrets/PersonalText.ts"
import { Owners } from "../identity/users/Owners.ts"
import { OwnAccount, type UserNotFound } from "../identity/users/UserError.ts"
import { untilDone } from "../UntilDone.ts"
import type { ErasureRefused } from "./ErasureError.ts"
import { type Erased, ErasureRepository, type UnrecordedErasure } from "./ErasureRepository.ts"

/** How long until erasures are looked for that a command made on the database itself. */
const LOOKING_INTERVAL = "30 seconds"

/** How long to wait after a failure. */
const PAUSE = Duration.seconds(5)

const eventOf = ({ at, by: userId, companyErased, companyId, requestId, userId: erased }: UnrecordedErasure) =>
  ({
    _tag: "UserErased",
    at,
    by: { userId, requestId, administers: true },
    userId: erased,
    companyId,
    companyErased
  }) satisfies UserErased

/** Records an erasure once: one that has its event was recorded before a stop. */
const record = Effect.fnUntraced(function* (erasure: UnrecordedErasure) {
  const event = eventOf(erasure)
  const write = writeEntry({ stream: erasureStream(event.userId), version: 0, entry: { commands: [], event } })
  yield* write.pipe(
    dieOnRefusal,
    Effect.catch((error) => (error instanceof StaleVersion ? Effect.void : Effect.fail(error as Unavailable)))
  )
  yield* Effect.flatMap(ErasureRepository, ({ recorded }) => recorded(event.userId))
})

/** Forgets people. */
export class Erasures extends Context.Service<
  Erasures,
  {
    /** Forgets what identifies a user, for good, and what identifies the company with its last person. */
    readonly erase: (
      by: Who,
      userId: string
    ) => Effect.Effect<Erased, UserNotFound | OwnAccount | ErasureRefused | Unavailable>
    /** Writes into the journal what was forgotten and is not there yet. */
    readonly record: Effect.Effect<void, Unavailable>
  }
>()("emporion/erasure/Erasures") {
  static readonly layer: Layer.Layer<Erasures, never, ErasureRepository | Owners | PersonalText | UnitOfWork> =
    Layer.effect(
      this,
      Effect.gen(function* () {
        const context = yield* Effect.context<ErasureRepository | UnitOfWork>()
        const repository = yield* ErasureRepository
        const { forgetAll: forgetOwners } = yield* Owners
        const { forgetAll: forgetKeys } = yield* PersonalText
        const forgetAll = Effect.andThen(forgetOwners, forgetKeys)
        const recordAll = Effect.flatMap(repository.unrecorded, (all) =>
          // What was erased by another process may still be in memory here.
          all.length === 0
            ? Effect.void
            : forgetAll.pipe(
                Effect.andThen(Effect.forEach(all, record, { discard: true })),
                // What was drawn beside it is gone only now.
                Effect.andThen(forgetKeys)
              )
        ).pipe(Effect.provideContext(context))
        return Erasures.of({
          erase: Effect.fn("Erasures.erase")(function* (by, userId) {
            if (by.userId === userId) return yield* new OwnAccount()
            const erased = yield* repository.erase(by, userId, yield* Clock.currentTimeMillis)
            yield* forgetAll
            yield* recordAll
            return erased
          }),
          record: recordAll
        })
      })
    )

  /** Records what a command forgot, or what a stop or a failure left. */
  static readonly running: Layer.Layer<never, never, Erasures> = Layer.effectDiscard(
    Effect.flatMap(Erasures, ({ record }) =>
      Effect.forkScoped(
        Effect.repeat(untilDone(record, "Erasures wait to be recorded", PAUSE), Schedule.spaced(LOOKING_INTERVAL))
      )
    )
  )
}
