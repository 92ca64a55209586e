import { Deferred, Effect } from "effect"

/** How long a caller may take to connect again when the node between was lost, in milliseconds. */
export const GRACE = 5_000

/**
 * How much earlier than its loss is known a node may have been lost, in milliseconds: so old may the connection be by which a
 * caller is back already.
 */
export const UNHEARD = 8_000

/** A connection that is armed: its end is something to act on. */
export interface Armed {
  readonly caller: string
  readonly at: number
}

/** Callers who lost a connection with the node that held it, and who connected again. Times are milliseconds of the monotonic clock. */
export class Reconnections {
  readonly #armed = new Map<string, Set<Armed>>()
  readonly #awaited = new Map<string, Set<Deferred.Deferred<boolean>>>()

  /** A caller armed a connection: it is back on it, where it lost another one. */
  arm(caller: string, now: number): Armed {
    const armed: Armed = { caller, at: now }
    const [lost] = this.#awaited.get(caller) ?? []
    if (lost !== undefined) {
      this.#remove(this.#awaited, caller, lost)
      Deferred.doneUnsafe(lost, Effect.succeed(true))
      return armed
    }
    this.#armed.set(caller, (this.#armed.get(caller) ?? new Set()).add(armed))
    return armed
  }

  /** Nothing happens any more at its end, or it has ended. */
  end(armed: Armed): void {
    this.#remove(this.#armed, armed.caller, armed)
  }

  /**
   * A connection was lost. Answers whether its caller is back on another, or comes within {@link GRACE}. One connection makes
   * up for one that was lost.
   */
  isBack(lost: Armed, now: number): Effect.Effect<boolean> {
    return Effect.suspend(() => {
      const { caller } = lost
      this.end(lost)
      const later = [...(this.#armed.get(caller) ?? [])].find(({ at }) => at > lost.at && now - at <= UNHEARD)
      if (later !== undefined) {
        this.end(later)
        return Effect.succeed(true)
      }
      const awaited = Deferred.makeUnsafe<boolean>()
      this.#awaited.set(caller, (this.#awaited.get(caller) ?? new Set()).add(awaited))
      return Deferred.await(awaited).pipe(
        Effect.timeoutOrElse({ duration: GRACE, orElse: () => Effect.succeed(false) }),
        Effect.ensuring(Effect.sync(() => this.#remove(this.#awaited, caller, awaited)))
      )
    })
  }

  #remove<One>(from: Map<string, Set<One>>, caller: string, one: One): void {
    const known = from.get(caller)
    known?.delete(one)
    if (known?.size === 0) from.delete(caller)
  }
}
