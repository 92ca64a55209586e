import { Duration, Effect, Layer } from "effect"
import * as Worker from "../../Worker.ts"
import { CompanyCredits } from "./CompanyCredits.ts"

/** How often it is looked for months that are over. */
const LOOK_EVERY = Duration.minutes(10)

/** Rounds without a pause, while there is anything to do. */
const MOST_ROUNDS = 100

/** Ends months that are over, of companies that nobody asks about, through any failure. */
export const layer = Layer.effectDiscard(
  Effect.gen(function* () {
    const { turn } = yield* CompanyCredits
    const look = Effect.repeat(turn, { while: (companies) => companies > 0, times: MOST_ROUNDS })
    yield* Worker.due(LOOK_EVERY, "The month's end", look)
  })
)
