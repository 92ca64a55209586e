import { Effect, type Scope } from "effect"
import type { SqlError } from "effect/sql/SqlError"

/** How long the database may take to answer a check, and the pause between two checks, in milliseconds. */
const LOOK_WAIT = 1_000
const LOOK_PAUSE = 250

/**
 * Whether the database is there. If a statement gets no answer, this asks the database again and again, and until it
 * answers, nobody else may wait for it: waiting for connections that cannot be opened costs more the longer it lasts.
 */
export class Presence {
  readonly #look: Effect.Effect<unknown, SqlError>
  readonly #scope: Scope.Scope
  #isAway = false
  #isLooking = false

  /** `look` asks the database something that it answers at once. */
  constructor(look: Effect.Effect<unknown, SqlError>, scope: Scope.Scope) {
    this.#look = look
    this.#scope = scope
  }

  get isAway(): boolean {
    return this.#isAway
  }

  /** A statement got no answer. One slow statement says nothing about the database, so this asks it first. */
  readonly doubt: Effect.Effect<void> = Effect.suspend(() => {
    if (this.#isLooking) return Effect.void
    this.#isLooking = true
    return Effect.asVoid(Effect.forkIn(this.#untilThere, this.#scope, { startImmediately: true }))
  })

  readonly #untilThere: Effect.Effect<void> = Effect.suspend(() =>
    Effect.matchCauseEffect(Effect.timeout(this.#look, LOOK_WAIT), {
      onSuccess: () =>
        Effect.sync(() => {
          this.#isAway = false
          this.#isLooking = false
        }),
      onFailure: () => {
        this.#isAway = true
        return Effect.delay(this.#untilThere, LOOK_PAUSE)
      }
    })
  )
}
