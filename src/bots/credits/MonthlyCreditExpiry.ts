import { Cause, Duration, Effect, Layer } from "effect"
import { CompanyCredits } from "./CompanyCredits.ts"

/** How often it is looked for months that are over. */
const LOOK_EVERY = Duration.minutes(10)

/** Rounds without a pause, while there is anything to do. */
const MOST_ROUNDS = 100

/** Ends months that are over, of companies that nobody asks about, through any failure. */
export const layer = Layer.effectDiscard(
  Effect.gen(function* () {
    const { turn } = yield* CompanyCredits
    const look = turn.pipe(
      Effect.repeat({ while: (companies) => companies > 0, times: MOST_ROUNDS }),
      Effect.catchTag("Unavailable", ({ reason }) => Effect.logWarning(`The month's end waits: ${reason}`)),
      Effect.catchCause((cause) =>
        Cause.hasInterrupts(cause) ? Effect.failCause(cause) : Effect.logError("The month's end stumbled", cause)
      )
    )
    yield* Effect.forkScoped(Effect.forever(Effect.andThen(look, Effect.sleep(LOOK_EVERY))))
  })
)
