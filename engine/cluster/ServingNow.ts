import { Deferred, Effect } from "effect"
import type { Replaceable } from "./Resending.ts"

/** Who holds the last term, as somebody found it. */
export interface FoundWriter {
  /** Who took the term: another one for every process. */
  readonly holder: string
  /** Whether it takes requests. */
  readonly isServing: boolean
}

/** The node that takes requests, for those who wait for it. */
export class ServingNow<W extends FoundWriter> {
  #current: { readonly writer: W & Replaceable; readonly end: Deferred.Deferred<void> } | undefined
  #next = Deferred.makeUnsafe<W & Replaceable>()

  /** Waits for it. */
  readonly get: Effect.Effect<W & Replaceable> = Effect.suspend(() =>
    this.#current === undefined ? Deferred.await(this.#next) : Effect.succeed(this.#current.writer)
  )

  /** It, where there is one. */
  get now(): (W & Replaceable) | undefined {
    return this.#current?.writer
  }

  /** Somebody looked, and found this one. */
  look(found: W | undefined): void {
    const current = this.#current
    if (current !== undefined) {
      if (found?.isServing === true && found.holder === current.writer.holder) return
      this.#current = undefined
      this.#next = Deferred.makeUnsafe()
      Deferred.doneUnsafe(current.end, Effect.void)
    }
    if (found?.isServing !== true) return
    const end = Deferred.makeUnsafe<void>()
    const writer = { ...found, replaced: Deferred.await(end) }
    this.#current = { writer, end }
    Deferred.doneUnsafe(this.#next, Effect.succeed(writer))
  }
}
