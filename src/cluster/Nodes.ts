import { Clock, Context, Effect, Layer, Metric } from "effect"
import type { Runner } from "effect/cluster/Runner"
import { RunnerStorage } from "effect/cluster/RunnerStorage"
import type { Replaceable } from "../../engine/cluster/Resending.ts"
import { ServingNow } from "../../engine/cluster/ServingNow.ts"
import { addressText } from "../ClusterSettings.ts"
import { LookPace } from "./LookPace.ts"
import { sessionName } from "../database/NodeSessions.ts"
import * as Worker from "../Worker.ts"
import { sessionsNow, standingNow, type Writer } from "../database/NodeRepository.ts"

/** How often a node checks which nodes are there and which one writes. */
const LOOK_INTERVAL = "50 millis"

/** The number of checks that a node may miss before it counts as dead. */
const MAX_MISSES = 2

const NANOS = 1_000_000

const there = Metric.gauge("emporion_nodes", { description: "Nodes that are there, as this one sees them" })

const terms = Metric.gauge("emporion_writer_term", {
  description: "The term of the node that writes, as this one sees it"
})

const servingSince = Metric.gauge("emporion_writer_since_seconds", {
  description:
    "When the node that writes began to take requests, in seconds since 1970, as this one sees it; 0 while none does"
})

/** A writer that takes requests, until another one replaces it. */
export type ServingWriter = Writer & Replaceable

/** A node, and whether it counts. */
export type Registered = readonly [runner: Runner, isHealthy: boolean]

/** The nodes as the database knows them. */
export class Nodes extends Context.Service<
  Nodes,
  {
    /**
     * The node that took the last term, whether or not it is there; undefined if none did, or if it was a server that
     * is alone.
     */
    readonly writer: () => Writer | undefined
    /** The writer that takes requests; waits for it. */
    readonly serving: Effect.Effect<ServingWriter>
    /** The same, where there is one now. */
    readonly servingNow: () => ServingWriter | undefined
    readonly isAlive: (address: string) => boolean
    /** The registered nodes and their health, where they were read a moment ago and no node came or went since. */
    readonly registered: () => ReadonlyArray<Registered> | undefined
    /** A row of the journal came from the node that writes, or this node wrote one. */
    readonly heard: () => void
    /** Whether one came just now. */
    readonly hears: () => boolean
    /** The connection on which such rows come has ended. */
    readonly silent: () => void
  }
>()("emporion/cluster/Nodes") {
  /** Watches the database, and reports nodes without a session as dead. */
  static readonly layer = Layer.effect(
    this,
    Effect.suspend(() => make)
  )
}

/** Who is there, as sessions show it. */
class Attendance {
  #misses: ReadonlyMap<string, number> = new Map()
  #seen = ""

  /** Whether nothing changed since the look before. */
  isCalm(names: ReadonlyArray<string>): boolean {
    const shown = names.toSorted().join()
    const isSame = shown === this.#seen && [...this.#misses.values()].every((count) => count === 0)
    this.#seen = shown
    return isSame
  }

  /** Counts the looks at which these nodes had no session. */
  count(addresses: ReadonlyArray<string>, names: ReadonlySet<string>): void {
    this.#misses = new Map(
      addresses.map((text) => [text, names.has(sessionName(text)) ? 0 : (this.#misses.get(text) ?? 0) + 1])
    )
  }

  isThere(address: string): boolean {
    return this.#misses.get(address) === 0
  }

  isDead(address: string): boolean {
    return (this.#misses.get(address) ?? 0) >= MAX_MISSES
  }
}

const textOf = ([{ address }]: Registered): string => addressText(address)

const make = Effect.gen(function* () {
  const storage = yield* RunnerStorage
  const clock = yield* Clock.Clock
  const now = (): number => Number(clock.monotonicTimeNanosUnsafe()) / NANOS
  const serving = new ServingNow<Writer>()
  const attendance = new Attendance()
  const pace = new LookPace()
  let alive: ReadonlySet<string> = new Set()
  let writer: Writer | undefined
  let runners: ReadonlyArray<Registered> = []

  const say = ([{ address }]: Registered, isHealthy: boolean) => {
    pace.outdate()
    return storage.setRunnerHealth(address, isHealthy)
  }

  const judge = Effect.fnUntraced(function* (names: ReadonlySet<string>, isSettled: boolean) {
    attendance.count(runners.map(textOf), names)
    alive = new Set(runners.map(textOf).filter((text) => !attendance.isDead(text)))
    yield* Metric.update(there, alive.size)
    for (const one of runners) {
      const [, isHealthy] = one
      const text = textOf(one)
      if (isSettled && isHealthy && attendance.isDead(text)) {
        yield* Effect.logInfo(`Node ${text} is gone.`)
        yield* say(one, false)
      }
      if (!isHealthy && attendance.isThere(text)) yield* say(one, true)
    }
  })

  const look = Effect.gen(function* () {
    // Before the first migration there is no writer. A database that is away gives no news.
    const standing = yield* standingNow.pipe(
      Effect.catch(() => Effect.map(sessionsNow, (sessions) => ({ writer, sessions })))
    )
    writer = standing.writer
    serving.look(writer)
    if (writer !== undefined) yield* Metric.update(terms, Number(writer.term))
    yield* Metric.update(servingSince, Math.floor((writer?.servingSince?.getTime() ?? 0) / 1_000))
    const { names, settled } = standing.sessions
    pace.looked(now(), attendance.isCalm(names))
    if (!pace.isKnown(now())) {
      runners = yield* storage.getRunners
      pace.read(now())
    }
    // This node has a session itself: where none has a name, something between hides them.
    yield* judge(new Set(names), settled && names.length > 0)
  })
  const due = Effect.suspend(() => (pace.isDue(now()) ? look : Effect.void))
  yield* Worker.every(LOOK_INTERVAL, "The look at the nodes", due)

  return Nodes.of({
    writer: () => writer,
    serving: serving.get,
    servingNow: () => serving.now,
    isAlive: (address) => alive.has(address),
    registered: () => (pace.isKnown(now()) ? runners : undefined),
    heard: () => pace.heard(now()),
    hears: () => pace.hears(now()),
    silent: () => pace.silent(now())
  })
})
