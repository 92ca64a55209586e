import { Cause, Context, Effect, Layer, Metric, References } from "effect"
import * as App from "../App.ts"
import { Settings } from "../Config.ts"
import * as Database from "../database/Database.ts"
import * as RecordClock from "../database/RecordClock.ts"
import { WriterTerm } from "../database/WriterTerm.ts"
import { type Peer, type RuntimeServer, ServerRuntime } from "../runtime/ServerRuntime.ts"
import { LocalApp } from "./LocalApp.ts"

/** How long a rehearsal may take. */
const LIMIT = "20 seconds"

/** How often each request is made: code that ran some times runs faster. */
const TIMES = 20

const CONNECTIONS = 2

const PEER: Peer = { address: "127.0.0.1", port: 1 }

const OK = 200

/** PostgreSQL refuses whatever would be written on these connections. */
const reading = Layer.unwrap(
  Effect.gen(function* () {
    const { database } = yield* Settings
    if (database.url === undefined) return yield* Effect.die(new Error("CLUSTER is off"))
    const pool = Database.urlPool(database.url)
    return Database.layerOf({
      ...pool,
      applicationName: "emporion rehearsal",
      maxConnections: CONNECTIONS,
      minConnections: CONNECTIONS,
      startupParameters: { ...pool.startupParameters, default_transaction_read_only: "on" }
    })
  })
)

/** The whole program without what runs by itself, on a journal that keeps nothing and a database that it only reads. */
const app = (local: LocalApp) =>
  App.server.pipe(
    Layer.provideMerge(App.rehearsedServices),
    Layer.provideMerge(App.oracles),
    Layer.provideMerge(RecordClock.layer),
    Layer.provideMerge(WriterTerm.none),
    Layer.provideMerge(reading),
    Layer.provide(Layer.succeed(ServerRuntime, ServerRuntime.of({ listen: local.listen })))
  )

/** Nobody connects to it. */
const listener: RuntimeServer<unknown> = {
  port: undefined,
  protocol: null,
  pendingRequests: 0,
  publish: () => 0,
  stop: () => Promise.resolve(),
  upgrade: () => false
}

const BASE = "http://127.0.0.1"

const get = (path: string): Request => new Request(BASE + path)

const post = (path: string, body: unknown): Request =>
  new Request(BASE + path, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body)
  })

const requests = (): ReadonlyArray<Request> => [
  get("/api/arena/orders?limit=20"),
  post("/v1/funds", { owner: "usr_none", type: "USD", symbol: "1" }),
  post("/api/arena/commitments", { order_id: "ord_none", proposed_entry_price: 1, quantity: 1 }),
  get("/health/ready")
]

const statusOf = async (local: LocalApp, request: Request): Promise<number | undefined> => {
  const response = await local.answer(request, PEER, listener)
  await response?.arrayBuffer()
  return response?.status
}

/**
 * Begins the app as an election does, asks it some things and ends it: answers whether it was ready to serve. The app can
 * neither write nor be reached, and counts nothing.
 */
export const rehearsal = Effect.gen(function* () {
  const local = new LocalApp(() => [listener])
  yield* Layer.build(app(local))
  let status: number | undefined
  for (let time = 0; time < TIMES; time += 1) {
    for (const request of requests()) status = yield* Effect.promise(() => statusOf(local, request))
  }
  return status === OK
}).pipe(
  Effect.scoped,
  Effect.provideContext(
    Context.make(Metric.MetricRegistry, new Map()).pipe(Context.add(References.MinimumLogLevel, "None"))
  )
)

/**
 * Rehearses a takeover once, so that what it runs ran before: most of a first start is the runtime that reads, compiles
 * and derives. Whatever becomes of it, the node goes on.
 */
export const rehearse = rehearsal.pipe(
  Effect.timeout(LIMIT),
  Effect.asVoid,
  Effect.catchCause((cause) =>
    Cause.hasInterrupts(cause) ? Effect.interrupt : Effect.logDebug("A takeover could not be rehearsed", cause)
  )
)
