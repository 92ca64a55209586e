import { Duration, Effect, Layer } from "effect"
import * as Worker from "../Worker.ts"
import { Renewals, ROUND } from "./Renewals.ts"

/** How often it is looked for what is due. */
const LOOK_EVERY = Duration.seconds(30)

/** Rounds without a pause, while each of them is full. */
const MOST_ROUNDS = 100

/** Renews what is due, through any failure: what a stop or a failure leaves is found again in the database. */
export const layer = Layer.effectDiscard(
  Effect.gen(function* () {
    const { round } = yield* Renewals
    const look = Effect.repeat(round, { while: (due) => due === ROUND, times: MOST_ROUNDS })
    yield* Worker.due(LOOK_EVERY, "Renewals", look)
  })
)
