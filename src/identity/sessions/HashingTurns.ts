import { Context, Effect, Latch } from "effect"
import { refusal } from "../../../engine/wire/Refusal.ts"

/** Too many passwords wait to be hashed. */
export class PasswordsBusy extends refusal<"PasswordsBusy", "unavailable", { readonly retryAfterSeconds: number }>(
  "PasswordsBusy",
  "unavailable"
) {}

/** Those of one lane that may wait for their turn or be at it; more are refused. */
export const MAX_PENDING = 64

/** Strangers' lanes in the order of their turns. */
const STRANGERS = ["fresh", "failing"] as const

/**
 * Whose password is hashed.
 * - `known`: of an account from an address where its owner was seen; strangers are never before it.
 * - `fresh`: neither the account nor the address has failed of late.
 * - `failing`: one of them has; it goes behind the fresh.
 */
export type HashingLane = "known" | (typeof STRANGERS)[number]

/** The lane of whatever is hashed within. */
export const CurrentLane = Context.Reference<HashingLane>("emporion/identity/HashingLane", {
  defaultValue: () => "fresh"
})

interface Lane {
  pending: number
  readonly waiting: Array<Latch.Latch>
}

/** Turns at hashing: so many strangers at once, and one of those who are known beside them. */
export class HashingTurns {
  readonly #lanes: Readonly<Record<HashingLane, Lane>> = {
    known: { pending: 0, waiting: [] },
    fresh: { pending: 0, waiting: [] },
    failing: { pending: 0, waiting: [] }
  }
  readonly #free: Record<"known" | "strangers", number>

  constructor(strangers: number) {
    this.#free = { known: 1, strangers }
  }

  /** Runs when it is the lane's turn, or refuses; its turn is not cut short. */
  take<A>(work: Effect.Effect<A>): Effect.Effect<A, PasswordsBusy> {
    return Effect.flatMap(CurrentLane, (lane) =>
      Effect.uninterruptibleMask((restore) =>
        Effect.suspend(() => {
          const { pending, waiting } = this.#lanes[lane]
          if (pending >= MAX_PENDING) return Effect.fail(new PasswordsBusy({ retryAfterSeconds: 1 }))
          const turn = Latch.makeUnsafe(false)
          this.#lanes[lane].pending += 1
          waiting.push(turn)
          this.#next()
          const leave = Effect.sync(() => this.#leave(lane, turn))
          return Effect.ensuring(Effect.andThen(restore(turn.await), work), leave)
        })
      )
    )
  }

  /** Ends a turn, or the wait for it. */
  #leave(name: HashingLane, turn: Latch.Latch): void {
    const lane = this.#lanes[name]
    lane.pending -= 1
    const at = lane.waiting.indexOf(turn)
    if (at === -1) this.#free[name === "known" ? "known" : "strangers"] += 1
    else lane.waiting.splice(at, 1)
    this.#next()
  }

  #next(): void {
    this.#give("known", ["known"])
    this.#give("strangers", STRANGERS)
  }

  #give(kind: "known" | "strangers", lanes: ReadonlyArray<HashingLane>): void {
    for (const name of lanes) {
      const { waiting } = this.#lanes[name]
      while (this.#free[kind] > 0) {
        const turn = waiting.shift()
        if (turn === undefined) break
        this.#free[kind] -= 1
        turn.openUnsafe()
      }
    }
  }
}
