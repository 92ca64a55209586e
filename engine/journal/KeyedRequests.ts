import { Data, Effect } from "effect"
import type { KeyIndex } from "./KeyIndex.ts"
import type { StoredResponse } from "./StoredResponse.ts"

/** An answer that is kept for retries. */
export interface KeptResponse extends StoredResponse {
  /** Of the request that was answered. */
  readonly fingerprint: string
}

/** The first request under a key still runs. */
export class KeyRunning extends Data.TaggedError("KeyRunning") {}

/** A key was used with another request. */
export class KeyReused extends Data.TaggedError("KeyReused") {}

/** A request and its key. */
interface Keyed {
  readonly key: string
  readonly fingerprint: string
}

/** How a keyed request is answered. */
export interface Answering<A, E, R> {
  /** What is kept under its key. */
  readonly find: Effect.Effect<KeptResponse | undefined, E>
  readonly replay: (kept: KeptResponse) => A
  readonly run: Effect.Effect<A, never, R>
  /** What is to be kept of its answer; undefined where that is nothing, or was written with what it did. */
  readonly keepable: (answer: A) => StoredResponse | undefined
  /** Keeps it, unless this process may no longer write. */
  readonly keep: (kept: KeptResponse) => Effect.Effect<void, E>
}

/** The first status that says that nothing was done. */
const REFUSALS = 400

/**
 * What is kept under a key: looks first for what the tables do not have yet, because an earlier answer is in one or the
 * other.
 */
export const findKept = <E>(
  index: Pick<KeyIndex, "find" | "isSurelyNew">,
  key: string,
  now: number,
  read: Effect.Effect<KeptResponse | undefined, E>
): Effect.Effect<KeptResponse | undefined, E> =>
  Effect.suspend(() => {
    const told = index.find(key)
    if (told !== undefined) return Effect.succeed(told)
    return index.isSurelyNew(key, now) ? Effect.succeed(undefined) : read
  })

/** The keyed requests that run: each at most once, and its retries get what was answered. */
export class KeyedRequests {
  readonly #inFlight = new Set<string>()

  serve<A, E, R>(
    { fingerprint, key }: Keyed,
    { find, keep, keepable, replay, run }: Answering<A, E, R>
  ): Effect.Effect<A, E | KeyRunning | KeyReused, R> {
    /** A refusal that is not kept is none: its retry could be accepted. What was done is done, and is answered. */
    const kept = (answer: A): Effect.Effect<A, E> => {
      const stored = keepable(answer)
      if (stored === undefined) return Effect.succeed(answer)
      const keeping = Effect.as(keep({ ...stored, fingerprint }), answer)
      if (stored.status >= REFUSALS) return keeping
      const answerAll = (error: E) =>
        Effect.as(Effect.logWarning("An answer could not be kept for its retries", error), answer)
      return keeping.pipe(Effect.catch(answerAll))
    }
    return Effect.suspend((): Effect.Effect<A, E | KeyRunning | KeyReused, R> => {
      if (this.#inFlight.has(key)) return Effect.fail(new KeyRunning())
      this.#inFlight.add(key)
      const answered = Effect.flatMap(find, (found): Effect.Effect<A, E | KeyReused, R> => {
        if (found === undefined) return Effect.flatMap(run, kept)
        return found.fingerprint === fingerprint ? Effect.succeed(replay(found)) : Effect.fail(new KeyReused())
      })
      return Effect.ensuring(
        answered,
        Effect.sync(() => this.#inFlight.delete(key))
      )
    })
  }
}
