import { Data, Effect } from "effect"
import type { NamedSending } from "../cluster/RequestName.ts"
import type { KeyIndex } from "./KeyIndex.ts"
import type { StoredResponse } from "./StoredResponse.ts"

/** An answer that is kept for retries. */
export interface KeptResponse extends StoredResponse {
  /** Of the request that was answered. */
  readonly fingerprint: string
}

/** The first request under a key still runs, or its node has sent it again since. */
export class KeyRunning extends Data.TaggedError("KeyRunning") {}

/** A key was used with another request. */
export class KeyReused extends Data.TaggedError("KeyReused") {}

/** A request and its key. */
interface Keyed {
  readonly key: string
  readonly fingerprint: string
}

/** How the answer to a keyed request is kept. */
export interface AnswerStore<A, E> {
  readonly replay: (kept: KeptResponse) => A
  /** Keeps it, unless this process may no longer write, or another answer is kept, which it gives then. */
  readonly keep: (kept: KeptResponse) => Effect.Effect<KeptResponse | undefined, E>
}

/** How a keyed request is answered. */
export interface Answering<A, E, R> extends AnswerStore<A, E> {
  /** What is kept under its key. */
  readonly find: Effect.Effect<KeptResponse | undefined, E>
  readonly run: Effect.Effect<A, never, R>
  /** What is to be kept of its answer; undefined where that is nothing, or was written with what it did. */
  readonly keepable: (answer: A) => StoredResponse | undefined
}

/** How a request is answered that another node names. */
export interface NamedAnswering<A, E, R> extends Pick<Answering<A, E, R>, "replay" | "run"> {
  /** Looks for its answer wherever that may be. */
  readonly find: Effect.Effect<KeptResponse | undefined, E>
  /** Whether it says that nothing was done now. */
  readonly isUnavailable: (answer: A) => boolean
}

/** The first status that says that nothing was done. */
const REFUSALS = 400

/** Answers to what was done that could not be kept, and wait in memory for their retries. */
const MAX_UNKEPT = 10_000

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
  /** By key, the oldest first. */
  readonly #unkept = new Map<string, KeptResponse>()

  /**
   * Begins a request under a key, or a name, of which its caller knows that it was never used: gives what ends it, and does
   * nothing when it is asked again. Undefined where one runs, or its answer waits to be kept.
   */
  begin(key: string): (() => void) | undefined {
    if (this.#inFlight.has(key) || this.#unkept.has(key)) return undefined
    this.#inFlight.add(key)
    let isOver = false
    return () => {
      if (!isOver) this.#inFlight.delete(key)
      isOver = true
    }
  }

  serve<A, E, R>(keyed: Keyed, answering: Answering<A, E, R>): Effect.Effect<A, E | KeyRunning | KeyReused, R> {
    const { fingerprint, key } = keyed
    const answered = Effect.suspend(() => {
      const unkept = this.#unkept.get(key)
      const find = unkept === undefined ? answering.find : Effect.as(this.#keepLate(key, unkept, answering), unkept)
      return Effect.flatMap(find, (found): Effect.Effect<A, E | KeyReused, R> => {
        if (found === undefined) {
          return Effect.flatMap(answering.run, (answer) => {
            const stored = answering.keepable(answer)
            return stored === undefined ? Effect.succeed(answer) : this.keep(keyed, answer, stored, answering)
          })
        }
        return found.fingerprint === fingerprint
          ? Effect.succeed(answering.replay(found))
          : Effect.fail(new KeyReused())
      })
    })
    return this.#alone(key, () => !this.#inFlight.has(key), answered)
  }

  /** Runs a request alone under its key, where it may run now. However it ends, the key is free again. */
  #alone<A, E, R>(
    key: string,
    isFree: () => boolean,
    request: Effect.Effect<A, E, R>
  ): Effect.Effect<A, E | KeyRunning, R> {
    return Effect.acquireUseRelease(
      Effect.suspend(() => {
        if (!isFree()) return Effect.fail(new KeyRunning())
        this.#inFlight.add(key)
        return Effect.void
      }),
      () => request,
      () => Effect.sync(() => this.#inFlight.delete(key))
    )
  }

  /**
   * Serves a request that another node names: one that is sent for the first time at once, and one that is sent again
   * unless it was executed. Nothing is kept of refusals, because no caller has had one that is sent again. For that reason
   * a sending that its node has given up is not begun: the answer to the next one may be known already.
   */
  serveNamed<A, E, R>(
    { isAwaited, isFirst, name }: NamedSending,
    { sentAgain }: Pick<KeyIndex, "sentAgain">,
    { find, isUnavailable, replay, run }: NamedAnswering<A, E, R>
  ): Effect.Effect<A, E | KeyRunning, R> {
    const foundOr = (otherwise: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
      Effect.flatMap(find, (found) => (found === undefined ? otherwise : Effect.succeed(replay(found))))
    // What landed late was found as the group was decided.
    const again = Effect.flatMap(run, (answer) =>
      isUnavailable(answer) ? foundOr(Effect.succeed(answer)) : Effect.succeed(answer)
    )
    const noted = Effect.acquireUseRelease(
      Effect.sync(() => void sentAgain.add(name)),
      () => foundOr(again),
      () => Effect.sync(() => sentAgain.delete(name))
    )
    return this.#alone(name, () => !this.#inFlight.has(name) && isAwaited(), isFirst ? run : noted)
  }

  /**
   * Keeps what was answered to a request that has begun, and gives that. A refusal that is not kept is none: its retry
   * could be accepted. What was done is done, and is answered.
   */
  keep<A, E>(
    { fingerprint, key }: Keyed,
    answer: A,
    stored: StoredResponse,
    { keep, replay }: AnswerStore<A, E>
  ): Effect.Effect<A, E> {
    const kept = { ...stored, fingerprint }
    const keeping = Effect.map(keep(kept), (earlier) =>
      earlier?.fingerprint === fingerprint ? replay(earlier) : answer
    )
    if (stored.status >= REFUSALS) return keeping
    const answerAll = (error: E): Effect.Effect<A> => {
      this.#remember(key, kept)
      return Effect.as(Effect.logWarning("An answer could not be kept for its retries yet", error), answer)
    }
    return keeping.pipe(Effect.catch(answerAll))
  }

  #remember(key: string, kept: KeptResponse): void {
    this.#unkept.set(key, kept)
    const [oldest] = this.#unkept.keys()
    if (this.#unkept.size > MAX_UNKEPT && oldest !== undefined) this.#unkept.delete(oldest)
  }

  /** Tries again to keep what was answered. */
  #keepLate<A, E, R>(key: string, kept: KeptResponse, { keep }: Answering<A, E, R>): Effect.Effect<void> {
    const late = Effect.map(keep(kept), () => void this.#unkept.delete(key))
    return Effect.ignore(late)
  }
}
