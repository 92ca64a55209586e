import { PgConnection } from "@effect/sql-pg"
import { expect } from "bun:test"
import { Effect, Exit, Fiber, Random, Scope } from "effect"
import { readFileSync } from "node:fs"
import { ArenaStreamClient, type StreamItem } from "../../packages/client/src/ArenaStreamClient.ts"
import { ARENA_STREAM_PATH } from "../../src/api/ArenaStreamProtocol.ts"
import { load, QUICK_ARENA, signIn } from "./CommitmentLoad.ts"
import { freePort } from "./FreePort.ts"
import { sendAsync } from "./Requests.ts"
import { embeddedDatabase, eventually, type ServerProcess, startServer } from "./ServerProcess.ts"
import { SoakProgram } from "./SoakProgram.ts"
import { Labels, SoakTranscript } from "./SoakTranscript.ts"
import { connectStalled } from "./StreamClient.ts"
import { temporaryFolder } from "./TemporaryFolder.ts"

const WORKERS = 24

/** Longest that clients may take to be told of all, in milliseconds. */
const LIMIT = 120_000

/** Milliseconds between two disconnections. */
const CUT_EVERY = 25

/** One client in so many reads slowly, and one in so many keeps the orders. */
const SLOW = 4
const STATEFUL = 10

/** Items that a slow reader lets wait. */
const SLOW_QUEUE = 100

/** Items after which a slow reader rests, for so many milliseconds: longer than its queue lasts. */
const SLOW_ITEMS = 300
const SLOW_REST = 1_500

/** How much the server may grow after its start, in MiB: as much as its work needs, with nothing for who does not read. */
const MAX_GROWTH = 512

interface SoakOptions {
  readonly clients: number
  /** Commitments that are accepted in all. */
  readonly commitments: number
  /** Kills of the server: each after a tenth of the commitments. */
  readonly kills: number
  /** Commands of clients in processes of their own, as {@link SoakProgram} says what they do. */
  readonly programs?: ReadonlyArray<ReadonlyArray<string>>
  /** Clients that stop reading after the last kill. */
  readonly stalled: number
}

export interface SoakReport {
  readonly events: number
  readonly connections: number
  readonly pauses: number
  readonly breaches: number
  readonly closedAsSlow: number
  /** Resident memory of the server when the stalled clients came, and the most since, in MiB. */
  readonly memory: { readonly before: number; readonly most: number }
  /** Orders whose state was compared with REST. */
  readonly compared: number
}

const LOGGED = `
  SELECT seq::text || CASE type
    WHEN 'OrderOpened' THEN ' opened ' || (data::json -> 'terms' ->> 'orderId')
    WHEN 'CommitmentSubmitted' THEN ' committed ' || (data::json -> 'commitment' ->> 'commitmentId')
    WHEN 'OrderSettled' THEN ' settled ' || (data::json ->> 'orderId') || ' ' ||
      coalesce(data::json -> 'winner' ->> 'commitmentId', 'null')
    WHEN 'OrderVoided' THEN ' settled ' || (data::json ->> 'orderId') || ' null'
    ELSE ' changed ' || (data::json ->> 'orderId') END AS label
  FROM events
  WHERE type IN ('OrderOpened', 'CommitmentSubmitted', 'OrderClosed', 'WinnerChosen', 'OrderSettled', 'OrderVoided')
  ORDER BY seq`

const logged = (dataDir: string): Effect.Effect<ReadonlyArray<string>> =>
  Effect.gen(function* () {
    const connection = yield* PgConnection.make({ ...embeddedDatabase(dataDir), multiplex: false })
    const { rows } = yield* connection.query(LOGGED, [], false)
    return rows.map((row) => String((row as { readonly label?: unknown }).label))
  }).pipe(Effect.scoped, Effect.orDie)

const seqOf = (label: string | undefined): number => Number((label ?? "0").split(" ")[0])

/** A client, how to cut its connection, and what it was told. */
interface SoakSubject {
  readonly transcript: SoakTranscript
  /** Where it is, for a reader. */
  readonly state: string
  readonly cut: () => void
}

/** A client in this process. */
class Subject implements SoakSubject {
  readonly transcript: SoakTranscript
  readonly client: ArenaStreamClient
  pauses = 0
  #cut: () => void = () => {}

  constructor(url: string, index: number, labels: Labels) {
    const transcript = new SoakTranscript(labels)
    this.transcript = transcript
    const opened = (socket: WebSocket): void => {
      this.#cut = () => (socket as unknown as Bun.WebSocket).terminate()
    }
    const isSlow = index % SLOW === 0
    this.client = new ArenaStreamClient({
      url,
      channels: ["orders", "commitments", "settlements"],
      snapshot: index % STATEFUL === 1,
      maxQueuedItems: SLOW_QUEUE,
      platform: {
        WebSocket: class extends WebSocket {
          constructor(url: string, protocols: Array<string>) {
            super(url, protocols)
            opened(this)
          }
        }
      },
      onStatus: (status, why) => {
        if (status === "live") transcript.begin(this.client.position?.seq)
        if (status === "paused") this.pauses += 1
        if (status === "ended") transcript.end(why)
      },
      ...(isSlow ? {} : { onItem: (item: StreamItem) => transcript.take(item) })
    })
    if (isSlow) void this.#readSlowly().catch((failure: unknown) => transcript.others.push(String(failure)))
    else this.client.start()
  }

  get state(): string {
    return `${this.client.status}, at ${this.client.position?.seq}`
  }

  readonly cut = (): void => this.#cut()

  async #readSlowly(): Promise<void> {
    let read = 0
    for await (const item of this.client) {
      this.transcript.take(item)
      read += 1
      if (read % SLOW_ITEMS === 0) await Bun.sleep(SLOW_REST)
    }
  }
}

/** Resident memory of a process, now and at most, in MiB. */
const memoryOf = (pid: number) => {
  const status = readFileSync(`/proc/${pid}/status`, "utf8")
  const mebibytes = (name: string) => Math.round(Number(new RegExp(`${name}:\\s+(\\d+)`).exec(status)?.[1]) / 1_024)
  return { now: mebibytes("VmRSS"), most: mebibytes("VmHWM") }
}

const closedAsSlow = (url: string): Effect.Effect<number> =>
  Effect.promise(async () => {
    const { text } = await sendAsync(`${url}/metrics`, {})
    return Number(/^emporion_stream_closed_slow\S* (\d+)/m.exec(text)?.[1] ?? 0)
  })

/** Sends commitments until so many were accepted, or until the server is gone. */
const commit = Effect.fnUntraced(function* (server: ServerProcess, name: string, count: number, kill: boolean) {
  let accepted = 0
  let lost = 0
  yield* load({
    url: server.url,
    traders: yield* signIn(server),
    name,
    workers: WORKERS,
    limit: Infinity,
    onEnd: ({ answer, path }) => {
      if (answer === undefined) lost += 1
      if (answer?.status !== 200 || !path.endsWith("/commitments")) return
      accepted += 1
      if (kill && accepted === count) server.send("SIGKILL")
    },
    isOver: () => lost > 0 || (!kill && accepted >= count)
  })
  if (kill) yield* server.ended
  return accepted
})

/** Cuts one client after the other at random, for ever. */
const cutAtRandom = (subjects: ReadonlyArray<SoakSubject>): Effect.Effect<never> =>
  Effect.forever(
    Effect.andThen(
      Effect.sleep(CUT_EVERY),
      Effect.map(Random.nextIntBetween(0, subjects.length, { halfOpen: true }), (index) => subjects[index]?.cut())
    )
  )

const SUBSCRIBE = JSON.stringify({ type: "subscribe", data: { sequence: true } })

/** A client's text frame, whose mask changes nothing. RFC 6455, 5.2. */
const subscribeFrame = Buffer.concat([
  Buffer.from([0x81, 0x80 | SUBSCRIBE.length]),
  Buffer.alloc(4),
  Buffer.from(SUBSCRIBE)
])

const stall = (url: string) =>
  Effect.flatMap(connectStalled(`${url}${ARENA_STREAM_PATH}`), ({ write }) => write(subscribeFrame))

interface Listed {
  readonly orders: ReadonlyArray<{ readonly order_id: string }>
}

/** Compares what clients know of the orders with what REST answers; orders change meanwhile, so it looks again. */
const compareState = Effect.fnUntraced(function* (server: ServerProcess, subjects: ReadonlyArray<Subject>) {
  const [trader] = yield* signIn(server)
  const headers = { authorization: `Bearer ${trader?.token}` }
  const get = (path: string) => Effect.promise(() => sendAsync(server.url + path, { headers }))
  const { orders } = (yield* get("/api/arena/orders?limit=100")).json as Listed
  for (const { order_id: id } of orders) {
    let [seen, shown]: [ReadonlyArray<unknown>, ReadonlyArray<unknown>] = [[0], [1]]
    for (let round = 0; round < 100 && !Bun.deepEquals(seen, shown); round++) {
      if (round > 0) yield* Effect.sleep(50)
      const { order } = (yield* get(`/api/arena/orders/${id}`)).json as { readonly order: unknown }
      seen = subjects.map(({ client }) => client.order(id))
      shown = subjects.map(() => order)
    }
    expect(seen).toEqual(shown)
  }
  return orders.length
})

/** Every client was told of exactly what the database holds, in its order. */
const checkTold = Effect.fnUntraced(function* (dataDir: string, subjects: ReadonlyArray<SoakSubject>) {
  const labels = yield* logged(dataDir)
  const last = seqOf(labels.at(-1))
  for (const [index, { transcript, state }] of subjects.entries()) {
    const { others, told } = transcript
    yield* eventually(`client ${index} (${state}) is told of event ${last}`, LIMIT, () =>
      seqOf(told.at(-1)) >= last || others.length > 0 ? true : undefined
    )
    const { from } = transcript
    expect(others).toEqual([])
    expect(from).toBeDefined()
    const mine = labels.filter((label) => seqOf(label) > (from ?? 0))
    const heard = told.filter((label) => seqOf(label) <= last)
    const different = mine.findIndex((label, place) => label !== heard[place])
    expect({ index, different, count: heard.length }).toEqual({ index, different: -1, count: mine.length })
  }
  return labels.length
})

/**
 * Lets resuming clients read from a real server that is killed again and again, while they are cut off at random, some
 * read slowly, and some stop reading; then compares what each was told with the database.
 */
export const soak = Effect.fnUntraced(function* (options: SoakOptions) {
  const { clients, commitments, kills, programs = [], stalled } = options
  const dataDir = yield* temporaryFolder
  const port = yield* freePort
  const url = `http://127.0.0.1:${port}`
  const start = (scope: Scope.Scope) =>
    Scope.provide(startServer({ ...QUICK_ARENA, DATA_DIR: dataDir, PORT: String(port) }), scope)

  const labels = new Labels()
  let scope = yield* Scope.make()
  yield* Effect.addFinalizer(() => Scope.close(scope, Exit.void))
  let server = yield* start(scope)
  const subjects = yield* Effect.acquireRelease(
    Effect.sync(() => Array.from({ length: clients }, (_, index) => new Subject(url, index, labels))),
    (subjects) => Effect.sync(() => subjects.forEach(({ client }) => client.close()))
  )
  const started = yield* Effect.forEach(programs, (command) => SoakProgram.start(command, port, labels))
  const all = [...subjects, ...started]
  yield* eventually("all clients are there", LIMIT, () =>
    all.every(({ transcript }) => transcript.from !== undefined || transcript.others.length > 0) ? true : undefined
  )
  const cutting = yield* Effect.forkChild(cutAtRandom(all))

  let accepted = 0
  for (let kill = 0; kill < kills; kill++) {
    accepted += yield* commit(server, `phase-${kill}`, Math.floor(commitments / 10), true)
    yield* Scope.close(scope, Exit.void)
    scope = yield* Scope.make()
    server = yield* start(scope)
  }
  for (let index = 0; index < stalled; index++) yield* stall(url)
  const before = memoryOf(server.pid).now
  accepted += yield* commit(server, "last", commitments - accepted, false)
  yield* Fiber.interrupt(cutting)

  const events = yield* checkTold(dataDir, all)
  const stateful = subjects.filter((_, index) => index % STATEFUL === 1)
  const compared = yield* compareState(server, stateful)
  const slow = stalled === 0 ? 0 : yield* untilClosed(url, stalled)
  const { most } = memoryOf(server.pid)
  expect(most - before).toBeLessThan(MAX_GROWTH)
  const sum = (of: (subject: Subject) => number) => subjects.reduce((total, subject) => total + of(subject), 0)
  return {
    events,
    connections: sum(({ client }) => client.connections),
    pauses: sum(({ pauses }) => pauses),
    breaches: sum(({ client }) => client.breaches),
    closedAsSlow: slow,
    memory: { before, most },
    compared
  } satisfies SoakReport
})

/** Waits until the server has closed so many clients as too slow. */
const untilClosed = (url: string, count: number): Effect.Effect<number> =>
  Effect.gen(function* () {
    for (let round = 0; round < 120; round++) {
      const closed = yield* closedAsSlow(url)
      if (closed >= count) return closed
      yield* Effect.sleep(500)
    }
    return yield* Effect.die(new Error(`fewer than ${count} clients were closed as too slow`))
  })
