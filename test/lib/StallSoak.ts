import { Effect } from "effect"
import { join } from "node:path"
import { ARENA_STREAM_PATH } from "../../src/api/ArenaStreamProtocol.ts"
import { ArenaStreamClient } from "../../packages/client/src/ArenaStreamClient.ts"
import type { LogPosition } from "../../packages/client/src/StreamProgress.ts"
import { load, QUICK_ARENA, signIn, type Trader } from "./CommitmentLoad.ts"
import { sendAsync } from "./Requests.ts"
import { eventually, type ServerProcess, startServer } from "./ServerProcess.ts"
import { connectStalled } from "./StreamClient.ts"
import { temporaryFolder } from "./TemporaryFolder.ts"

const WORKERS = 24

/** Longest that clients may take to be told of all, in milliseconds, and stalled ones to be closed. */
const LIMIT = 120_000

/** Milliseconds between two looks at the server's own figures. */
const LOOK_EVERY = 50

/** A client's text frame, whose mask changes nothing. RFC 6455, 5.2. */
const frameOf = (message: object): Buffer => {
  const text = Buffer.from(JSON.stringify(message))
  const head = Buffer.from([0x81, 0x80 | 126, text.length >> 8, text.length & 255])
  return Buffer.concat([head, Buffer.alloc(4), text])
}

/** Asks for what happens now, or for all since a position, and reads nothing of it. */
const stall = (url: string, resume?: LogPosition) =>
  Effect.flatMap(connectStalled(`${url}${ARENA_STREAM_PATH}`), ({ write }) =>
    write(frameOf({ type: "subscribe", data: { sequence: true, ...(resume === undefined ? {} : { resume }) } }))
  )

/** The server's memory after a collection of garbage, in bytes. */
interface Memory {
  readonly heap: number
  readonly resident: number
}

/** One stretch of the soak. */
interface Phase {
  readonly commitments: number
  /** At its end. */
  readonly memory: Memory
  /** The most that waited for clients, by the server's own account, in bytes. */
  readonly held: number
  /** From the server's stamp to the client, in milliseconds. */
  readonly latency: { readonly p50: number; readonly p99: number }
}

export interface StallReport {
  readonly warmUp: Phase
  readonly without: Phase
  readonly with: Phase
  readonly closedAsSlow: number
  /** Connections that remain. */
  readonly connections: number
  readonly breaches: number
  /** Connections that the healthy clients made. */
  readonly attempts: number
  /** Events that each healthy client was told of, where it was the same for all. */
  readonly told: ReadonlyArray<number>
}

interface Figures {
  readonly held: number
  readonly closed: number
  readonly connections: number
}

const figuresOf = (url: string): Effect.Effect<Figures> =>
  Effect.promise(async () => {
    const { text } = await sendAsync(`${url}/metrics`, {})
    const value = (name: string): number => Number(new RegExp(`^${name}\\S* (\\d+)`, "m").exec(text)?.[1] ?? 0)
    return {
      held: value("emporion_stream_buffered_bytes"),
      closed: value("emporion_stream_closed_slow"),
      connections: value("emporion_stream_connections")
    }
  })

const memoryOf = Effect.fnUntraced(function* (server: ServerProcess) {
  const told = () => [...server.said().stderr.matchAll(/^heap (\d+) resident (\d+)$/gm)]
  const before = told().length
  server.send("SIGUSR2")
  return yield* eventually("the server's heap", LIMIT, (): Memory | undefined => {
    const [, heap, resident] = told()[before] ?? []
    return resident === undefined ? undefined : { heap: Number(heap), resident: Number(resident) }
  })
})

/** A client that reads at once, and what it was told. */
class Healthy {
  readonly events: Array<string> = []
  latencies: Array<number> = []
  readonly client: ArenaStreamClient

  constructor(url: string) {
    this.client = new ArenaStreamClient({
      url,
      channels: ["orders", "commitments", "settlements"],
      snapshot: false,
      onItem: (item) => {
        if (item.kind !== "event") return
        this.events.push(`${item.position.seq} ${item.frames.map(({ type }) => type).join(" ")}`)
        const [first] = item.frames
        if (first?.type === "commitment_submitted") this.latencies.push(Date.now() - Date.parse(first.timestamp))
      }
    })
    this.client.start()
  }
}

const share = (ascending: ReadonlyArray<number>, part: number): number =>
  ascending[Math.min(ascending.length - 1, Math.floor(ascending.length * part))] ?? Number.NaN

/** Commits so many times and until `isDone`, and looks at the server's account meanwhile. */
const phase = Effect.fnUntraced(function* (
  server: ServerProcess,
  traders: ReadonlyArray<Trader>,
  healthy: ReadonlyArray<Healthy>,
  options: { readonly name: string; readonly commitments: number; readonly isDone: (figures: Figures) => boolean }
) {
  let accepted = 0
  let held = 0
  let isDone = false
  for (const each of healthy) each.latencies = []
  const looking = yield* Effect.forkChild(
    Effect.forever(
      Effect.andThen(
        Effect.map(figuresOf(server.url), (figures) => {
          held = Math.max(held, figures.held)
          isDone = options.isDone(figures)
        }),
        Effect.sleep(LOOK_EVERY)
      )
    )
  )
  yield* load({
    url: server.url,
    traders,
    name: options.name,
    workers: WORKERS,
    limit: Infinity,
    onEnd: ({ answer, path }) => {
      if (answer?.status === 200 && path.endsWith("/commitments")) accepted += 1
    },
    isOver: () => looking.pollUnsafe() !== undefined || (accepted >= options.commitments && isDone)
  })
  const broken = looking.pollUnsafe()
  looking.interruptUnsafe()
  if (broken !== undefined) return yield* Effect.die(new Error("the server does not tell its figures"))
  const latencies = healthy.flatMap((each) => each.latencies).toSorted((one, other) => one - other)
  return {
    commitments: accepted,
    memory: yield* memoryOf(server),
    held,
    latency: { p50: share(latencies, 0.5), p99: share(latencies, 0.99) }
  } satisfies Phase
})

/** Waits until nothing waits for anybody, and all healthy clients stand at the same event. */
const settled = (url: string, healthy: ReadonlyArray<Healthy>) =>
  Effect.gen(function* () {
    const until = performance.now() + LIMIT
    while (performance.now() < until) {
      const { held } = yield* figuresOf(url)
      const counts = new Set(healthy.map(({ events }) => events.length))
      if (held === 0 && counts.size === 1) return
      yield* Effect.sleep(LOOK_EVERY)
    }
    return yield* Effect.die(new Error("something still waits for clients"))
  })

/**
 * Lets healthy clients read from a real server while commitments go on: to warm up, then alone, then beside clients that
 * stop reading, until the last of these is closed. Half of these ask for the past, so that it waits for them.
 */
export const stallSoak = Effect.fnUntraced(function* (options: {
  readonly healthy: number
  readonly stalled: number
  /** In each of the three phases. */
  readonly commitments: number
}) {
  const dataDir = yield* temporaryFolder
  const probe = `--preload=${join(import.meta.dir, "HeapProbe.ts")}`
  const server = yield* startServer({ ...QUICK_ARENA, DATA_DIR: dataDir, BUN_OPTIONS: probe })
  const { url } = server
  const healthy = yield* Effect.acquireRelease(
    Effect.sync(() => Array.from({ length: options.healthy }, () => new Healthy(url))),
    (clients) => Effect.sync(() => clients.forEach(({ client }) => client.close()))
  )
  yield* eventually("all clients are there", LIMIT, () =>
    healthy.every(({ client }) => client.status === "live") ? true : undefined
  )
  const beginning = healthy[0]?.client.position
  const traders = yield* signIn(server)
  const { commitments } = options
  const always = () => true
  const run = (name: string, isDone: (figures: Figures) => boolean) =>
    phase(server, traders, healthy, { name, commitments, isDone })
  const warmUp = yield* run("warm-up", always)
  const without = yield* run("without", always)
  for (let index = 0; index < options.stalled; index++) yield* stall(url, index % 2 === 0 ? undefined : beginning)
  const beside = yield* run("with", ({ closed }) => closed >= options.stalled)
  yield* settled(url, healthy)
  const { closed, connections } = yield* figuresOf(url)
  const [first] = healthy
  return {
    warmUp,
    without,
    with: beside,
    closedAsSlow: closed,
    connections,
    breaches: healthy.reduce((sum, { client }) => sum + client.breaches, 0),
    attempts: healthy.reduce((sum, { client }) => sum + client.connections, 0),
    told: healthy.map(({ events }) => {
      const begin = first?.events.indexOf(events[0] ?? "") ?? -1
      return begin >= 0 && Bun.deepEquals(events, first?.events.slice(begin)) ? events.length : -1
    })
  } satisfies StallReport
})
