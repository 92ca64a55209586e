import { Cause, Effect, Layer, Queue } from "effect"
import { UnitOfWork } from "../database/UnitOfWork.ts"
import { Credit } from "./Credit.ts"

/** Events that free a credit limit. */
const FREEING: ReadonlySet<string> = new Set(["PurchaseOrderPaid", "PurchaseOrderCancelled"])

/**
 * Takes back what was repaid above lowered limits, after each commit that frees any. What a stop leaves is taken at the
 * next start, and before the user's next order in any case.
 */
export const layer = Layer.effectDiscard(
  Effect.gen(function* () {
    const credit = yield* Credit
    const { onCommit } = yield* UnitOfWork
    const wake = yield* Queue.sliding<void>(1)
    yield* Queue.offer(wake, undefined)
    yield* onCommit((events) => {
      if (events.some(({ event }) => FREEING.has(event._tag))) Queue.offerUnsafe(wake, undefined)
    })
    const round = credit.trim.pipe(
      Effect.repeat({ while: (looked) => looked > 0 }),
      Effect.catchTag("Unavailable", ({ reason }) => Effect.logWarning(`Credit limits wait: ${reason}`)),
      Effect.catchCause((cause) =>
        Cause.hasInterrupts(cause) ? Effect.failCause(cause) : Effect.logError("Credit limits stumbled", cause)
      )
    )
    yield* Effect.forkScoped(Effect.forever(Effect.andThen(Queue.take(wake), round)))
  })
)
