import { Effect, Semaphore } from "effect"

interface Lock {
  readonly semaphore: Semaphore.Semaphore
  /** Those who have it or wait for it. */
  users: number
}

/** One at a time for each payment. */
export class PaymentLocks {
  readonly #locks = new Map<string, Lock>()

  isHeld(paymentId: string): boolean {
    return this.#locks.has(paymentId)
  }

  with<A, E, R>(paymentId: string, effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> {
    return Effect.acquireUseRelease(
      Effect.sync(() => this.#enter(paymentId)),
      ({ semaphore }) => semaphore.withPermit(effect),
      (lock) => Effect.sync(() => this.#leave(paymentId, lock))
    )
  }

  #enter(paymentId: string): Lock {
    const lock = this.#locks.get(paymentId) ?? { semaphore: Semaphore.makeUnsafe(1), users: 0 }
    lock.users += 1
    this.#locks.set(paymentId, lock)
    return lock
  }

  #leave(paymentId: string, lock: Lock): void {
    lock.users -= 1
    if (lock.users === 0) this.#locks.delete(paymentId)
  }
}
