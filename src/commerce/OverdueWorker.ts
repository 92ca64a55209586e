import { Duration, Effect, Layer } from "effect"
import * as Worker from "../Worker.ts"
import { DueInstalments } from "./DueInstalments.ts"

/** How often it is looked for what is due. */
const LOOK_EVERY = Duration.seconds(30)

/** Finds what is due, through any failure: what a stop or a failure leaves is found again in the database. */
export const layer = Layer.effectDiscard(
  Effect.gen(function* () {
    const { look } = yield* DueInstalments
    yield* Worker.due(LOOK_EVERY, "Due instalments", look)
  })
)
