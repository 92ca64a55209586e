import { Effect, Semaphore } from "effect"

interface Turn {
  readonly semaphore: Semaphore.Semaphore
  /** Those whose turn it is, and those who wait for theirs. */
  users: number
}

/**
 * One at a time for each company, for what is decided by a count of its bots. One process alone writes a database, so
 * that its memory can keep the turns.
 */
export class CompanyRotation {
  readonly #turns = new Map<string, Turn>()

  /** Companies with somebody in them. */
  get size(): number {
    return this.#turns.size
  }

  take<A, E, R>(companyId: string, effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> {
    return Effect.acquireUseRelease(
      Effect.sync(() => this.#enter(companyId)),
      ({ semaphore }) => semaphore.withPermit(effect),
      (turn) => Effect.sync(() => this.#leave(companyId, turn))
    )
  }

  #enter(companyId: string): Turn {
    const turn = this.#turns.get(companyId) ?? { semaphore: Semaphore.makeUnsafe(1), users: 0 }
    turn.users += 1
    this.#turns.set(companyId, turn)
    return turn
  }

  #leave(companyId: string, turn: Turn): void {
    turn.users -= 1
    if (turn.users === 0) this.#turns.delete(companyId)
  }
}
