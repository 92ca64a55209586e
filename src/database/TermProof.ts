import { PgConnection } from "@effect/sql-pg"
import { Deferred, Effect, Exit, Latch, Option, Queue, Schedule, Scope } from "effect"
import { ConnectionError, isSqlError, SqlError } from "effect/sql/SqlError"
import type { Deposed } from "../../engine/journal/Deposed.ts"
import { described } from "./DatabaseError.ts"
import { Pauses } from "./Pauses.ts"
import * as Worker from "../Worker.ts"

/** How often a server checks whether it may still write. */
const CHECK_INTERVAL = "1 second"

/** How often it notes that it was not stopped. */
const WAKE_INTERVAL = "100 millis"

/** A channel that nobody notifies. */
const CHANNEL = "emporion_writer"

/** How long PostgreSQL may take to listen, and a start to have the first connection. */
const ANSWER_LIMIT = "3 seconds"
const START_LIMIT = "1 second"

/** The pause before a connection that ended is made again. */
const RECONNECT = Schedule.spaced("250 millis")

/** How long the connection may be missing before the log tells of it. */
const MISSING_LIMIT = "30 seconds"

/** How long a proof of the term counts, in nanoseconds: less than a node that is cut off keeps its locks for others to see. */
export const PROOF_AGE = 3_000_000_000n

/**
 * What a writer knows of its own right without asking: whether another one may have begun to write. Whoever takes over ends
 * the connections of the writer before, and where it cannot reach them, it waits for longer than a proof counts.
 */
export class TermProof {
  #provedAt: bigint
  #isConnected = false
  #isOver = false

  /** @param now - nanoseconds of the monotonic clock at which the term was begun to be taken */
  constructor(now: bigint) {
    this.#provedAt = now
  }

  /** Whether no other one writes, as far as can be known. */
  holds(now: bigint): boolean {
    return this.#isConnected && !this.#isOver && now - this.#provedAt <= PROOF_AGE
  }

  get isOver(): boolean {
    return this.#isOver
  }

  /** The database said that the term is this writer's, after it was asked at this moment. */
  proved(askedAt: bigint): void {
    if (askedAt > this.#provedAt) this.#provedAt = askedAt
  }

  /** A connection stands that ends when another one takes over. */
  connected(isConnected: boolean): void {
    this.#isConnected = isConnected
  }

  /** Another one writes, for good. */
  over(): void {
    this.#isOver = true
  }
}

const silent = (): SqlError =>
  new SqlError({ reason: new ConnectionError({ cause: new Error("PostgreSQL does not answer"), operation: "query" }) })

/** Listens until the scope ends, on a connection that ends before it: the driver would wait for the answer to its `UNLISTEN`. */
const listened = (connection: PgConnection.PgConnection, listening: Scope.Scope) =>
  connection
    .listen(CHANNEL)
    .pipe(
      Scope.provide(listening),
      Effect.timeoutOrElse({ duration: ANSWER_LIMIT, orElse: () => Effect.fail(silent()) })
    )

/** Whether the connection stands, for those who wait for either. */
class Presence {
  readonly there = Latch.makeUnsafe(false)
  readonly gone = Latch.makeUnsafe(true)
  /** Why it could not be made last. */
  reason = "PostgreSQL does not answer"

  is(there: boolean): void {
    const [opened, closed] = there ? [this.there, this.gone] : [this.gone, this.there]
    closed.closeUnsafe()
    opened.openUnsafe()
  }
}

/** Goes on telling of a connection that is missing for long, and of its return. */
const telling = (presence: Presence) =>
  Effect.gen(function* () {
    yield* presence.gone.await
    if (Option.isSome(yield* Effect.timeoutOption(presence.there.await, MISSING_LIMIT))) return
    yield* Effect.logWarning(
      `The connection that ends when another server takes over is missing for ${MISSING_LIMIT} (${presence.reason}): reads come ` +
        "from the tables, not from memory. See to it that PostgreSQL takes one more connection that listens."
    )
    yield* presence.there.await
    yield* Effect.logInfo(
      "The connection that ends when another server takes over is back: reads come from memory again."
    )
  }).pipe(Effect.forever)

/**
 * Keeps a connection of the writer's name, and tells at once when it ends. Waits a moment for the first attempt.
 *
 * @param check - fails if another process has a higher term; asked once the connection stands
 */
export const keepConnected = Effect.fnUntraced(function* (
  config: PgConnection.Config,
  check: Effect.Effect<void, Deposed | SqlError>,
  proof: TermProof
): Effect.fn.Return<void, never, Scope.Scope> {
  const connected = yield* Deferred.make<void>()
  const presence = new Presence()
  const stands = (isThere: boolean) =>
    Effect.sync(() => {
      proof.connected(isThere)
      presence.is(isThere)
    })
  const attempt = Effect.fnUntraced(function* (listening: Scope.Scope) {
    const connection = yield* PgConnection.make(config)
    const notices = yield* listened(connection, listening)
    yield* check
    yield* stands(true)
    yield* Deferred.done(connected, Exit.void)
    return yield* Effect.forever(Queue.take(notices)).pipe(Effect.ensuring(stands(false)))
  })
  const once = Effect.scoped(Effect.flatMap(Effect.scope, (listening) => Effect.scoped(attempt(listening))))
  const noted = (error: Deposed | SqlError) =>
    Effect.suspend(() => {
      presence.reason = isSqlError(error) ? described(error) : error.message
      return Effect.logDebug(`Nothing is answered from memory (${presence.reason}).`)
    })
  yield* once.pipe(
    Effect.tapError(noted),
    Effect.retry({ schedule: RECONNECT, while: ({ _tag }) => _tag === "SqlError" && !proof.isOver }),
    Effect.ignore,
    Effect.raceFirst(telling(presence)),
    Effect.forkScoped
  )
  yield* Effect.timeoutOption(Deferred.await(connected), START_LIMIT)
})

/** What the proof of a writer is made of. */
export interface Proving {
  /** A connection of the writer's name. */
  readonly connection: PgConnection.Config
  /** Fails if another process has a higher term. */
  readonly check: Effect.Effect<void, Deposed | SqlError>
  readonly proof: TermProof
  /** Nanoseconds of the monotonic clock. */
  readonly now: () => bigint
}

/** Goes on proving that this process writes, and gives whether it certainly does. */
export const proving = Effect.fnUntraced(function* ({
  check,
  connection,
  now,
  proof
}: Proving): Effect.fn.Return<() => boolean, never, Scope.Scope> {
  yield* Worker.every(CHECK_INTERVAL, "The writer's term", Effect.ignore(check))
  const pauses = new Pauses(now())
  const wake = Effect.suspend(() => {
    const settle = pauses.goOn(now())
    return settle === undefined ? Effect.void : Effect.ignore(Effect.map(check, settle))
  })
  yield* Worker.every(WAKE_INTERVAL, "The look at pauses", wake)
  yield* keepConnected(connection, check, proof)
  return () => {
    const at = now()
    return pauses.isSettled(at) && proof.holds(at)
  }
})
