import { Cause, Clock, Effect, Exit } from "effect"
import { JournalUnavailable, type Recorded } from "../actor/Journal.ts"
import type { NamedSending } from "../cluster/RequestName.ts"
import { findKept, KeyedRequests, type KeptResponse } from "../journal/KeyedRequests.ts"
import { KEY_RETENTION } from "../journal/KeyFilter.ts"
import { namedAnswer } from "../journal/ExecutedRequests.ts"
import type { EventAnswers } from "../journal/StoredResponse.ts"
import { recordedOf } from "../replay/EventCodec.ts"
import type { PlatformEvent } from "../replay/PlatformEvent.ts"
import type { Served } from "./MemoryWritePath.ts"
import {
  batchOf,
  DONE,
  FAILED,
  type NodeRequest,
  type NodeResponse,
  REFUSED,
  RUNNING,
  UNAVAILABLE
} from "./NodeRequest.ts"
import type { NodesDatabase } from "./NodesDatabase.ts"
import { storedOf } from "./StoredKept.ts"

const response = (status: number, body = ""): NodeResponse => ({ status, body })

const bodyOf = ({ hash, seq }: Recorded<PlatformEvent>): string => `${seq} ${hash}`

/** A retry is told the place of the event. Half of the time that is kept. */
export const eventAnswers: EventAnswers = {
  of: (recorded) => ({ status: DONE, body: bodyOf(recorded) }),
  follows: (event) => "at" in event && event.at % 2 === 0
}

/** The app of a node while it writes: each request at most once, as HTTP has it. */
export class WritingNode {
  readonly #requests = new KeyedRequests()
  readonly #served: Served<NodesDatabase>

  constructor(served: Served<NodesDatabase>) {
    this.#served = served
  }

  /** @param isAwaited - whether the node that named it still waits for the answer */
  answer(request: NodeRequest, isAwaited: () => boolean = () => true): Effect.Effect<NodeResponse> {
    const { key, plan, sending } = request
    const { clock } = this.#served
    if (sending !== undefined) return this.#named(request, { ...sending, isAwaited })
    return this.#requests
      .serve(
        { key, fingerprint: plan.id },
        {
          find: Effect.suspend(() => this.#find(key, clock.currentTimeMillisUnsafe())),
          replay: ({ body, status }) => response(status, body),
          run: this.#run(request),
          keepable: (given) => (given.status === REFUSED ? given : undefined),
          keep: (kept) => Effect.as(this.#keep(key, kept), undefined)
        }
      )
      .pipe(
        Effect.catchTags({
          KeyRunning: () => Effect.succeed(response(RUNNING)),
          KeyReused: () => Effect.succeed(response(FAILED)),
          JournalUnavailable: () => Effect.succeed(response(UNAVAILABLE))
        }),
        Effect.provideService(Clock.Clock, clock)
      )
  }

  /** A request that another node names. */
  #named(request: NodeRequest, sending: NamedSending): Effect.Effect<NodeResponse> {
    const { clock, keys, named } = this.#served
    const { name } = sending
    return this.#requests
      .serveNamed(sending, keys, {
        find: namedAnswer({ rows: named, recorded: (seq) => this.#recorded(seq), answers: eventAnswers }, name),
        replay: ({ body, status }) => response(status, body),
        isUnavailable: ({ status }) => status === UNAVAILABLE,
        run: this.#run({ ...request, key: name })
      })
      .pipe(
        Effect.catchTags({
          KeyRunning: () => Effect.succeed(response(RUNNING)),
          Forgotten: () => Effect.succeed(response(UNAVAILABLE)),
          JournalUnavailable: () => Effect.succeed(response(UNAVAILABLE))
        }),
        Effect.provideService(Clock.Clock, clock)
      )
  }

  /** An event that the journal has, once the tables have it too. */
  #recorded(seq: number): Effect.Effect<Recorded<PlatformEvent> | undefined, JournalUnavailable> {
    const { position, server } = this.#served
    const read = server.call("read", () => server.around.database.tables.events[seq - 1])
    return Effect.andThen(position.reachedTo(seq), Effect.catchTag(read, "Outdated", Effect.die)).pipe(
      Effect.map((kept) => (kept === undefined ? undefined : recordedOf(storedOf(kept))))
    )
  }

  #find(key: string, now: number): Effect.Effect<KeptResponse | undefined, JournalUnavailable> {
    const { keys, server } = this.#served
    const read = server.call("read", () => {
      const kept = server.around.database.tables.kept(key)
      return kept !== undefined && kept.at > now - KEY_RETENTION ? kept : undefined
    })
    return findKept(keys, key, now, Effect.catchTag(read, "Outdated", Effect.die))
  }

  #run(request: NodeRequest): Effect.Effect<NodeResponse> {
    const { clock, journal } = this.#served
    return Effect.suspend(() => journal.append(batchOf(request, clock.currentTimeMillisUnsafe()))).pipe(
      Effect.exit,
      Effect.flatMap((exit) => {
        if (Exit.isFailure(exit)) return Effect.succeed(response(Cause.hasDies(exit.cause) ? FAILED : UNAVAILABLE))
        const [outcome] = exit.value
        return Effect.succeed(
          outcome?._tag === "Accepted" ? response(DONE, bodyOf(outcome.recorded)) : response(REFUSED)
        )
      })
    )
  }

  /** A refusal is kept beside the journal, under the same term. */
  #keep(key: string, kept: KeptResponse): Effect.Effect<void, JournalUnavailable> {
    const { clock, keys, server, term } = this.#served
    const at = clock.currentTimeMillisUnsafe()
    keys.note(key, at)
    return Effect.catchTag(
      server.call("keep", () => server.around.database.keep(key, { ...kept, seq: 0, at }, term.current())),
      "Outdated",
      () => Effect.fail(new JournalUnavailable({ reason: "another process writes", isUnwritten: true }))
    )
  }
}
