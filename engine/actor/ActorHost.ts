import { Cause, Clock, Data, Deferred, Duration, Effect, Exit, Fiber, Option, type Scope } from "effect"
import { whenAnswered } from "./WhenAnswered.ts"

/** A message on its way: stamped once on arrival, in order, and answered at most once. */
export interface Envelope<Message, Reply, Refusal> {
  readonly message: Message
  /** Arrival in milliseconds since 1970; never before that of an earlier message to the same host. */
  readonly at: number
  readonly reply: Deferred.Deferred<Reply, Refusal | ActorUnavailable>
}

/** The actor could not take or finish the message; the sender may try again. */
export class ActorUnavailable extends Data.TaggedError("ActorUnavailable")<{
  /** `unfinished`: the message was taken, and what became of it is unknown. With every other one nothing was done. */
  readonly reason: "mailbox_full" | "overloaded" | "restarting" | "stopping" | "unfinished"
}> {}

/** What an actor does. It is free of process-wide state, so that any host can run it. */
export interface Behavior<State, Message, Reply, Refusal, Failure> {
  /** Rebuilds the state; `Refused` means that there is no such actor, and answers whoever asks. */
  readonly start: (id: string) => Effect.Effect<Started<State, Refusal>, Failure>
  /**
   * Takes the messages that waited, in order, answers each, and changes the state. A failure discards the state: the
   * actor is rebuilt before it takes another message. A message left without an answer gets {@link ActorUnavailable}.
   */
  readonly receive: (
    state: State,
    batch: ReadonlyArray<Envelope<Message, Reply, Refusal>>
  ) => Effect.Effect<void, Failure>
  /** Whether a failure changed nothing and leaves the state as good as it was: who waits is told to try again. */
  readonly isHarmless?: (failure: Failure) => boolean
  /** How much a message asks for, against the limits of its host; 1 unless it is said. */
  readonly weightOf?: (message: Message) => number
}

export type Started<State, Refusal> =
  | { readonly _tag: "Ready"; readonly state: State }
  | { readonly _tag: "Refused"; readonly refusal: Refusal }

export interface ActorHostOptions {
  /** The weight of the messages that may wait for one actor; one beyond it is refused. */
  readonly mailboxCapacity: number
  /** The weight of the messages an actor takes at once; a heavier one is taken alone. */
  readonly batchLimit: number
  /** An actor without messages for this long is dropped from memory. */
  readonly passivateAfter: Duration.Duration
  /** The wait before the first restart; it doubles with each failure in a row, up to `maxBackoff`. */
  readonly minBackoff: Duration.Duration
  readonly maxBackoff: Duration.Duration
  /** No message is stamped before it: the last time that was recorded, in milliseconds since 1970. */
  readonly notBefore?: number
  readonly onFailure: (id: string, cause: Cause.Cause<unknown>) => Effect.Effect<void>
}

/**
 * A host that runs the actors of one kind in this process, each in a supervised fiber of its own while it has messages:
 * an idle one is its state alone.
 */
export interface ActorHost<Message, Reply, Refusal> {
  /** Sends a message and waits for its answer. Starts the actor where it is not in memory. */
  readonly ask: (id: string, message: Message) => Effect.Effect<Reply, Refusal | ActorUnavailable>
  /** Sends a message at once, and gives what waits for its answer: many can be sent without a fiber for each. */
  readonly send: (id: string, message: Message) => Effect.Effect<Reply, Refusal | ActorUnavailable>
  /**
   * Sends a message at once, and has its answer given to a function, once, as the actor gives it: whoever waits needs no
   * fiber. What the function throws is logged, and costs nobody else an answer.
   */
  readonly tell: (id: string, message: Message, give: (answer: Answer<Reply, Refusal>) => void) => void
  /** How many actors are in memory. */
  readonly size: () => number
}

/** What became of a message. */
export type Answer<Reply, Refusal> = Exit.Exit<Reply, Refusal | ActorUnavailable>

interface Actor<State, Message, Reply, Refusal> {
  readonly id: string
  readonly mailbox: Array<Envelope<Message, Reply, Refusal>>
  /** The weight of what is in the mailbox. */
  waiting: number
  /** The batch that the actor took last; empty once all of it is answered. */
  underWay: ReadonlyArray<Envelope<Message, Reply, Refusal>>
  /** Works on messages; undefined while it is idle. */
  fiber: Fiber.Fiber<void> | undefined
  /** Undefined before the start, and after a failure until the restart. */
  started: { readonly state: State } | undefined
  /** `idle` without a fiber; the others with one. */
  status: "running" | "idle" | "restarting"
  lastActive: number
  /** Failures in a row. */
  failures: number
}

/**
 * Makes a host for one kind of actor. Its actors stop with the scope: what still waits is answered
 * {@link ActorUnavailable}.
 */
export const makeActorHost = <State, Message, Reply, Refusal, Failure>(
  behavior: Behavior<State, Message, Reply, Refusal, Failure>,
  options: ActorHostOptions
): Effect.Effect<ActorHost<Message, Reply, Refusal>, never, Scope.Scope> =>
  Effect.gen(function* () {
    const clock = yield* Clock.Clock
    const { weightOf = weightOfAny } = behavior
    const actors = new Map<string, Actor<State, Message, Reply, Refusal>>()
    const host = { stopping: false, lastStamp: options.notBefore ?? 0 }

    yield* Effect.addFinalizer(() =>
      Effect.suspend(() => {
        host.stopping = true
        const stopped = Effect.forEach(actors.values(), stop, { concurrency: "unbounded", discard: true })
        return Effect.map(stopped, () => actors.clear())
      })
    )
    const fork = Effect.runForkWith(yield* Effect.context<never>())
    yield* Effect.forkScoped(sweep(actors, clock, options.passivateAfter))

    const stamp = (): number => {
      host.lastStamp = Math.max(host.lastStamp, clock.currentTimeMillisUnsafe())
      return host.lastStamp
    }

    const post = (id: string, message: Message): Deferred.Deferred<Reply, Refusal | ActorUnavailable> => {
      if (host.stopping) return refused("stopping")
      const actor = actors.get(id) ?? created<State, Message, Reply, Refusal>(id)
      if (actor.status === "restarting") return refused("restarting")
      const weight = weightOf(message)
      if (actor.waiting + weight > options.mailboxCapacity) return refused("mailbox_full")
      const reply = Deferred.makeUnsafe<Reply, Refusal | ActorUnavailable>()
      actor.mailbox.push({ message, at: stamp(), reply })
      actor.waiting += weight
      if (actor.status === "idle") {
        actor.status = "running"
        actors.set(id, actor)
        const fiber = fork(run(actor, behavior, options, actors))
        if (fiber.pollUnsafe() === undefined) actor.fiber = fiber
      }
      return reply
    }

    const send = (id: string, message: Message) => Deferred.await(post(id, message))
    return {
      ask: (id, message) => Effect.suspend(() => send(id, message)),
      send,
      tell: (id, message, give) =>
        whenAnswered(post(id, message), give, (fault) =>
          fork(Effect.logError(`Nobody took an answer of actor ${id}`, fault))
        ),
      size: () => actors.size
    }
  })

/** An answer that is there before anything was done. */
const refused = <Reply, Refusal>(
  reason: ActorUnavailable["reason"]
): Deferred.Deferred<Reply, Refusal | ActorUnavailable> => {
  const reply = Deferred.makeUnsafe<Reply, Refusal | ActorUnavailable>()
  Deferred.doneUnsafe(reply, Effect.fail(new ActorUnavailable({ reason })))
  return reply
}

const created = <State, Message, Reply, Refusal>(id: string): Actor<State, Message, Reply, Refusal> => ({
  id,
  mailbox: [],
  waiting: 0,
  underWay: [],
  fiber: undefined,
  started: undefined,
  status: "idle",
  lastActive: 0,
  failures: 0
})

const weightOfAny = (): number => 1

/** Takes from the mailbox what fits into one batch. */
const taken = <State, Message, Reply, Refusal>(
  actor: Actor<State, Message, Reply, Refusal>,
  { weightOf = weightOfAny }: Pick<Behavior<State, Message, Reply, Refusal, never>, "weightOf">,
  batchLimit: number
): Array<Envelope<Message, Reply, Refusal>> => {
  let count = 0
  let weight = 0
  for (const { message } of actor.mailbox) {
    const one = weightOf(message)
    if (count > 0 && weight + one > batchLimit) break
    count += 1
    weight += one
  }
  actor.waiting -= weight
  return actor.mailbox.splice(0, count)
}

/** Takes all of the mailbox. */
const emptied = <State, Message, Reply, Refusal>(
  actor: Actor<State, Message, Reply, Refusal>
): Array<Envelope<Message, Reply, Refusal>> => {
  actor.waiting = 0
  return actor.mailbox.splice(0)
}

/** Answers who has no answer yet. */
const refuse = <Message, Reply, Refusal>(
  batch: ReadonlyArray<Envelope<Message, Reply, Refusal>>,
  reason: ActorUnavailable["reason"]
): void => {
  for (const { reply } of batch) {
    if (!Deferred.isDoneUnsafe(reply)) Deferred.doneUnsafe(reply, Effect.fail(new ActorUnavailable({ reason })))
  }
}

/** Ends the batch that was taken last: whoever in it has no answer yet gets this one. */
const finish = <State, Message, Reply, Refusal>(
  actor: Actor<State, Message, Reply, Refusal>,
  reason: ActorUnavailable["reason"]
): void => {
  const { underWay } = actor
  actor.underWay = []
  refuse(underWay, reason)
}

/** Works until nothing waits. */
const run = <State, Message, Reply, Refusal, Failure>(
  actor: Actor<State, Message, Reply, Refusal>,
  behavior: Behavior<State, Message, Reply, Refusal, Failure>,
  options: ActorHostOptions,
  actors: Map<string, unknown>
): Effect.Effect<void> => {
  const { started } = actor
  const work =
    started === undefined ? start(actor, behavior, actors) : receive(actor, started.state, behavior, options.batchLimit)
  return Effect.flatMap(Effect.exit(work), (exit) => {
    if (Exit.isSuccess(exit)) {
      finish(actor, "unfinished")
      if (started !== undefined) actor.failures = 0
    } else if (started !== undefined && isHarmless(exit.cause, behavior)) {
      finish(actor, "overloaded")
    } else {
      return Effect.andThen(
        fail(actor, exit.cause, options),
        Effect.suspend(() => run(actor, behavior, options, actors))
      )
    }
    if (actor.mailbox.length > 0) return run(actor, behavior, options, actors)
    // At once with the look at the mailbox: a message that comes after it runs the actor anew.
    actor.status = "idle"
    actor.fiber = undefined
    return Effect.void
  })
}

const isHarmless = <Failure>(
  cause: Cause.Cause<Failure>,
  { isHarmless: isSo }: Pick<Behavior<never, never, never, never, Failure>, "isHarmless">
): boolean => isSo !== undefined && !Cause.hasDies(cause) && Option.exists(Cause.findErrorOption(cause), isSo)

/** Refuses who waits, and pauses before the actor starts anew. */
const fail = Effect.fnUntraced(function* <State, Message, Reply, Refusal>(
  actor: Actor<State, Message, Reply, Refusal>,
  cause: Cause.Cause<unknown>,
  options: ActorHostOptions
) {
  actor.started = undefined
  finish(actor, "unfinished")
  yield* Effect.exit(options.onFailure(actor.id, cause))
  actor.status = "restarting"
  refuse(emptied(actor), "restarting")
  yield* Effect.sleep(backoff(actor.failures, options))
  actor.failures += 1
  actor.status = "running"
})

/** Ends an actor from outside, and refuses what it leaves. */
const stop = <State, Message, Reply, Refusal>(actor: Actor<State, Message, Reply, Refusal>): Effect.Effect<void> =>
  Effect.map(actor.fiber === undefined ? Effect.void : Fiber.interrupt(actor.fiber), () => {
    finish(actor, "unfinished")
    refuse(emptied(actor), "stopping")
  })

/** Rebuilds the state, or answers that there is no such actor. */
const start = <State, Message, Reply, Refusal, Failure>(
  actor: Actor<State, Message, Reply, Refusal>,
  behavior: Behavior<State, Message, Reply, Refusal, Failure>,
  actors: Map<string, unknown>
): Effect.Effect<void, Failure> =>
  Effect.map(
    Effect.suspend(() => behavior.start(actor.id)),
    (started) => {
      if (started._tag === "Ready") {
        actor.started = { state: started.state }
        return
      }
      actors.delete(actor.id)
      for (const { reply } of emptied(actor)) Deferred.doneUnsafe(reply, Effect.fail(started.refusal))
    }
  )

/** Takes what waits, up to a batch. */
const receive = <State, Message, Reply, Refusal, Failure>(
  actor: Actor<State, Message, Reply, Refusal>,
  state: State,
  behavior: Behavior<State, Message, Reply, Refusal, Failure>,
  batchLimit: number
): Effect.Effect<void, Failure> =>
  Effect.suspend(() => {
    const batch = taken(actor, behavior, batchLimit)
    actor.underWay = batch
    actor.lastActive = batch.at(-1)?.at ?? actor.lastActive
    return behavior.receive(state, batch)
  })

const backoff = (failures: number, options: ActorHostOptions): Duration.Duration =>
  Duration.min(Duration.times(options.minBackoff, 2 ** Math.min(failures, MAX_DOUBLINGS)), options.maxBackoff)

const MAX_DOUBLINGS = 16

/** Drops the actors that were idle for a whole period. */
const sweep = <State, Message, Reply, Refusal>(
  actors: Map<string, Actor<State, Message, Reply, Refusal>>,
  clock: Clock.Clock,
  period: Duration.Duration
): Effect.Effect<never> =>
  Effect.sync(() => {
    const idleSince = clock.currentTimeMillisUnsafe() - Duration.toMillis(period)
    for (const actor of actors.values()) {
      if (actor.status === "idle" && actor.lastActive <= idleSince) actors.delete(actor.id)
    }
  }).pipe(Effect.delay(period), Effect.forever)
