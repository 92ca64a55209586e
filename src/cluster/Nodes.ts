import { Context, Effect, Layer, Metric } from "effect"
import type { RunnerAddress } from "effect/cluster/RunnerAddress"
import { RunnerStorage } from "effect/cluster/RunnerStorage"
import type { Replaceable } from "../../engine/cluster/Resending.ts"
import { ServingNow } from "../../engine/cluster/ServingNow.ts"
import { addressText } from "../ClusterSettings.ts"
import { sessionName } from "../database/NodeSessions.ts"
import * as Worker from "../Worker.ts"
import { sessionsNow, standingNow, type Writer } from "../database/NodeRepository.ts"

/** How often a node checks which nodes are there and which one writes. */
const LOOK_INTERVAL = "50 millis"

/** The number of checks that a node may miss before it counts as dead. */
const MAX_MISSES = 2

/** The checks after which the registered nodes are read again, where no node came or went since. */
const CALM_LOOKS = 4

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
    readonly isAlive: (address: string) => boolean
  }
>()("emporion/cluster/Nodes") {
  /** Watches the database, and reports nodes without a session as dead. */
  static readonly layer = Layer.effect(
    this,
    Effect.suspend(() => make)
  )
}

const make = Effect.gen(function* () {
  const storage = yield* RunnerStorage
  const serving = new ServingNow<Writer>()
  let misses: ReadonlyMap<string, number> = new Map()
  let alive: ReadonlySet<string> = new Set()
  let writer: Writer | undefined
  let runners: Effect.Success<typeof storage.getRunners> = []
  let seen = ""
  let calmLooks = 0

  /** Whether nothing changed since the registered nodes were read, as far as sessions show it. */
  const isCalm = (names: ReadonlyArray<string>): boolean => {
    const now = names.toSorted().join()
    const isSame = now === seen && [...misses.values()].every((count) => count === 0)
    seen = now
    calmLooks = isSame && calmLooks < CALM_LOOKS ? calmLooks + 1 : 0
    return calmLooks > 0
  }

  const say = (address: RunnerAddress, isHealthy: boolean) => {
    calmLooks = CALM_LOOKS
    return storage.setRunnerHealth(address, isHealthy)
  }

  const judge = Effect.fnUntraced(function* (names: ReadonlySet<string>, isSettled: boolean) {
    misses = new Map(
      runners.map(([{ address }]) => {
        const text = addressText(address)
        return [text, names.has(sessionName(text)) ? 0 : (misses.get(text) ?? 0) + 1]
      })
    )
    const isDead = (text: string): boolean => (misses.get(text) ?? 0) >= MAX_MISSES
    alive = new Set(runners.map(([{ address }]) => addressText(address)).filter((text) => !isDead(text)))
    yield* Metric.update(there, alive.size)
    for (const [{ address }, isHealthy] of runners) {
      const text = addressText(address)
      if (isSettled && isHealthy && isDead(text)) {
        yield* Effect.logInfo(`Node ${text} is gone.`)
        yield* say(address, false)
      }
      if (!isHealthy && misses.get(text) === 0) yield* say(address, true)
    }
  })

  const look = Effect.gen(function* () {
    // Before the first migration there is no writer. A database that is away gives no news.
    const now = yield* standingNow.pipe(
      Effect.catch(() => Effect.map(sessionsNow, (sessions) => ({ writer, sessions })))
    )
    writer = now.writer
    serving.look(writer)
    if (writer !== undefined) yield* Metric.update(terms, Number(writer.term))
    yield* Metric.update(servingSince, Math.floor((writer?.servingSince?.getTime() ?? 0) / 1_000))
    const { names, settled } = now.sessions
    if (!isCalm(names)) runners = yield* storage.getRunners
    // This node has a session itself: where none has a name, something between hides them.
    yield* judge(new Set(names), settled && names.length > 0)
  })
  yield* Worker.every(LOOK_INTERVAL, "The look at the nodes", look)

  return Nodes.of({
    writer: () => writer,
    serving: serving.get,
    isAlive: (address) => alive.has(address)
  })
})
