import { Cause, Duration, Effect, Layer } from "effect"
import { Renewals, ROUND } from "./Renewals.ts"

/** How often it is looked for what is due. */
const LOOK_EVERY = Duration.seconds(30)

/** Rounds without a pause, while each of them is full. */
const MOST_ROUNDS = 100

/** Renews what is due, through any failure: what a stop or a failure leaves is found again in the database. */
export const layer = Layer.effectDiscard(
  Effect.gen(function* () {
    const { round } = yield* Renewals
    const look = round.pipe(
      Effect.repeat({ while: (due) => due === ROUND, times: MOST_ROUNDS }),
      Effect.catchTag("Unavailable", ({ reason }) => Effect.logWarning(`Renewals wait: ${reason}`)),
      Effect.catchCause((cause) =>
        Cause.hasInterrupts(cause) ? Effect.failCause(cause) : Effect.logError("Renewals stumbled", cause)
      )
    )
    yield* Effect.forkScoped(Effect.forever(Effect.andThen(look, Effect.sleep(LOOK_EVERY))))
  })
)
