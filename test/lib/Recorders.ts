import { type Cause, Data, Deferred, Duration, Effect, Fiber, Latch, type Result } from "effect"
import { TestClock } from "effect/testing"
import {
  type ActorHost,
  type ActorHostOptions,
  type ActorUnavailable,
  type Behavior,
  makeActorHost,
  type Started
} from "../../engine/actor/ActorHost.ts"

export class Unknown extends Data.TaggedError("Unknown")<{ readonly id: string }> {}
class Refused extends Data.TaggedError("Refused")<{ readonly text: string }> {}
export class Broken extends Data.TaggedError("Broken")<{ readonly where: string }> {}

/** A word that is kept; or one that says what happens: `fail`, `die`, `throw`, `hang`, `silent`, `refuse`. */
export type Word = string

interface Reply {
  readonly word: Word
  readonly at: number
  /** Everything that the actor has kept, this word included. */
  readonly kept: ReadonlyArray<Word>
}

type Recorder = Behavior<Array<Word>, Word, Reply, Unknown | Refused, Broken>

export const OPTIONS: ActorHostOptions = {
  mailboxCapacity: 4,
  batchLimit: 3,
  passivateAfter: Duration.minutes(1),
  minBackoff: Duration.millis(100),
  maxBackoff: Duration.seconds(1),
  onFailure: () => Effect.void
}

/** Actors that keep words in a store, as a journal would, and all that was seen of them. */
export class Recorders {
  readonly store = new Map<string, Array<Word>>()
  readonly starts: Array<string> = []
  readonly batches: Array<ReadonlyArray<Word>> = []
  readonly stamps: Array<number> = []
  readonly failures: Array<readonly [string, Cause.Cause<unknown>]> = []
  /** Actors take batches while it is open, and start while the other is. */
  readonly gate = Latch.makeUnsafe(true)
  readonly door = Latch.makeUnsafe(true)
  /** How many starts fail from now on. */
  failingStarts = 0

  readonly behavior: Recorder = {
    start: (id) => this.door.await.pipe(Effect.andThen(Effect.suspend(() => this.#start(id)))),
    receive: (state, batch) => {
      if (batch.some(({ message }) => message === "throw")) throw new TypeError("thrown")
      return this.gate.await.pipe(Effect.andThen(Effect.suspend(() => this.#receive(state, batch))))
    }
  }

  #start(id: string): Effect.Effect<Started<Array<Word>, Unknown>, Broken> {
    this.starts.push(id)
    if (this.failingStarts-- > 0) return Effect.fail(new Broken({ where: "start" }))
    return Effect.succeed(
      id.startsWith("unknown")
        ? { _tag: "Refused", refusal: new Unknown({ id }) }
        : { _tag: "Ready", state: [id, ...(this.store.get(id) ?? [])] }
    )
  }

  #receive(state: Array<Word>, batch: Parameters<Recorder["receive"]>[1]): Effect.Effect<void, Broken> {
    this.batches.push(batch.map(({ message }) => message))
    return Effect.forEach(
      batch,
      ({ message, at, reply }) => {
        this.stamps.push(at)
        switch (message) {
          case "fail":
            return Effect.fail(new Broken({ where: "receive" }))
          case "die":
            return Effect.die(new TypeError("defect"))
          case "hang":
            return Effect.never
          case "silent":
            return Effect.void
          case "refuse":
            return Deferred.fail(reply, new Refused({ text: message }))
          default:
            state.push(message)
            this.store.set(state[0]!, state.slice(1))
            return Deferred.succeed(reply, { word: message, at, kept: state.slice(1) })
        }
      },
      { discard: true }
    )
  }

  readonly host = (change: Partial<ActorHostOptions> = {}) =>
    makeActorHost(this.behavior, {
      ...OPTIONS,
      onFailure: (id, cause) => Effect.sync(() => void this.failures.push([id, cause])),
      ...change
    })
}

type Host = ActorHost<Word, Reply, Unknown | Refused>

export type ResultOf = Result.Result<Reply, Unknown | Refused | ActorUnavailable>

/** Lets every fiber run until it waits. */
export const rest = TestClock.adjust(0)

/** Asks without waiting, so that words gather in the mailbox in this order. */
export const send = (host: Host, id: string, ...words: ReadonlyArray<Word>) =>
  Effect.forEach(words, (word) => Effect.forkChild(Effect.result(host.ask(id, word)), { startImmediately: true }))

/** The same for who has the answer given to a function. */
export const tell = (host: Host, id: string, ...words: ReadonlyArray<Word>) =>
  Effect.forEach(words, (word) =>
    Effect.forkChild(
      Effect.result(
        Effect.callback<Reply, Unknown | Refused | ActorUnavailable>((resume) => host.tell(id, word, resume))
      ),
      {
        startImmediately: true
      }
    )
  )

export const answers = <A>(fibers: ReadonlyArray<Fiber.Fiber<A>>) => Effect.forEach(fibers, Fiber.join)

/** A word that was kept, the reason why it could not be, or the name of the refusal. */
export const brief = (results: ReadonlyArray<ResultOf>) =>
  results.map((result) =>
    result._tag === "Success"
      ? result.success.word
      : result.failure._tag === "ActorUnavailable"
        ? result.failure.reason
        : result.failure._tag
  )

export const told = (host: Host, id: string, ...words: ReadonlyArray<Word>) =>
  send(host, id, ...words).pipe(Effect.flatMap(answers), Effect.map(brief))
