import { Effect, Semaphore } from "effect"

interface Lock {
  readonly semaphore: Semaphore.Semaphore
  /** Those who have it or wait for it. */
  users: number
}

/**
 * One at a time for each key, such as a payment or a company. One process alone writes a database, so that its memory can
 * keep the locks.
 */
export class KeyedLock {
  readonly #locks = new Map<string, Lock>()

  /** Keys that somebody holds or waits for. */
  get size(): number {
    return this.#locks.size
  }

  isHeld(key: string): boolean {
    return this.#locks.has(key)
  }

  with<A, E, R>(key: string, effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> {
    return Effect.acquireUseRelease(
      Effect.sync(() => this.#enter(key)),
      ({ semaphore }) => semaphore.withPermit(effect),
      (lock) => Effect.sync(() => this.#leave(key, lock))
    )
  }

  #enter(key: string): Lock {
    const lock = this.#locks.get(key) ?? { semaphore: Semaphore.makeUnsafe(1), users: 0 }
    lock.users += 1
    this.#locks.set(key, lock)
    return lock
  }

  #leave(key: string, lock: Lock): void {
    lock.users -= 1
    if (lock.users === 0) this.#locks.delete(key)
  }
}
