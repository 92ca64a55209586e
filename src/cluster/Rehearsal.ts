import { Cause, Context, Effect, Layer, Metric, References } from "effect"
import { SCOPES } from "../api/Authorization.ts"
import * as App from "../App.ts"
import { Settings } from "../Config.ts"
import * as Database from "../database/Database.ts"
import * as RecordClock from "../database/RecordClock.ts"
import { WriterTerm } from "../database/WriterTerm.ts"
import { type Peer, type RuntimeServer, ServerRuntime } from "../runtime/ServerRuntime.ts"
import { AccessTokens, FIRST_PARTY } from "../identity/tokens/AccessTokens.ts"
import { Owners } from "../identity/users/Owners.ts"
import { UserRepository } from "../identity/users/UserRepository.ts"
import { LocalApp } from "./LocalApp.ts"

/** How long a rehearsal may take. */
const LIMIT = "20 seconds"

/** How often the requests are made: code that ran some times runs faster. */
const TIMES = 20

const CONNECTIONS = 2

const PEER: Peer = { address: "127.0.0.1", port: 1 }

const OK = 200

/** What a bid expects of its price, with the digits that prices have. */
const PROFIT = 1.05
const DECIMALS = 6

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

/** One caller stands for all, and is not to be refused for it. */
const unlimited = Layer.effect(
  Settings,
  Effect.map(Settings, (settings) => ({ ...settings, server: { ...settings.server, rateLimits: false } }))
)

/** The whole program without what runs by itself, on a journal that keeps nothing and a database that it only reads. */
const app = (local: LocalApp) =>
  App.server.pipe(
    Layer.provideMerge(App.rehearsedServices),
    Layer.provideMerge(App.oracles),
    Layer.provideMerge(RecordClock.layer),
    Layer.provideMerge(WriterTerm.none),
    Layer.provideMerge(reading),
    Layer.provide(Layer.succeed(ServerRuntime, ServerRuntime.of({ listen: local.listen }))),
    Layer.provide(unlimited)
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

/** Answers what the app does not answer at its end, for which nobody waits. */
const nobody = (): Response => new Response(null, { status: 503 })

const BASE = "http://127.0.0.1"

/** What is asked for, by whom. */
class Rehearsed {
  readonly #local: LocalApp
  readonly #headers: Readonly<Record<string, string>>

  /** @param token - of somebody who trades; without one every request is refused */
  constructor(local: LocalApp, token: string | undefined) {
    this.#local = local
    this.#headers = token === undefined ? {} : { authorization: `Bearer ${token}` }
  }

  async #ask(path: string, init: RequestInit = {}): Promise<Answered> {
    const headers = { ...this.#headers, ...(init.body !== undefined && { "content-type": "application/json" }) }
    const request = new Request(BASE + path, { ...init, headers })
    const response = await this.#local.answer(request, PEER, listener, nobody)
    return { status: response?.status, text: (await response?.text()) ?? "" }
  }

  #post(path: string, body: unknown): Promise<Answered> {
    return this.#ask(path, { method: "POST", body: JSON.stringify(body) })
  }

  /** Asks what callers ask who waited for a takeover. */
  async once(): Promise<RehearsedRound> {
    const [open] = ordersIn(await this.#ask("/api/arena/orders?limit=20"))
    const { entry_price: price, order_id } = open ?? { entry_price: 1, order_id: "ord_none" }
    const exit = Number((price * PROFIT).toFixed(DECIMALS))
    await this.#post("/v1/funds", { owner: "usr_none", type: "USD", symbol: "1" })
    const bid = { order_id, proposed_entry_price: price, expected_exit_price: exit, quantity: 0.001 }
    const bids = await Promise.all([bid, bid, bid].map((one) => this.#post("/api/arena/commitments", one)))
    await this.#ask("/api/arena/commitments/my?limit=5")
    const { status: ready } = await this.#ask("/health/ready")
    return { isReady: ready === OK, bids: bids.map(({ status }) => status) }
  }
}

/** How one round was answered. */
interface RehearsedRound {
  readonly isReady: boolean
  /** The status of each commitment. */
  readonly bids: ReadonlyArray<number | undefined>
}

interface Answered {
  readonly status: number | undefined
  readonly text: string
}

interface ListedOrder {
  readonly order_id: string
  readonly entry_price: number
}

const ordersIn = ({ status, text }: Answered): ReadonlyArray<ListedOrder> =>
  status === OK ? (JSON.parse(text) as { readonly orders: ReadonlyArray<ListedOrder> }).orders : []

/** A token of somebody who may trade, which nobody else hears of; undefined where nobody may. */
const traderToken = Effect.gen(function* () {
  const { findTrader } = yield* UserRepository
  const userId = yield* findTrader
  if (userId === undefined) return undefined
  const owner = yield* (yield* Owners).ownerOf(userId)
  return yield* (yield* AccessTokens).issue({ owner, clientId: FIRST_PARTY, scopes: SCOPES })
})

/**
 * Begins the app as an election does, asks it some things and ends it: answers how the last of it was answered. The app can
 * neither write nor be reached, and counts nothing.
 */
export const rehearsal = Effect.gen(function* () {
  const local = new LocalApp(() => [listener])
  const services = yield* Layer.build(app(local))
  const rehearsed = new Rehearsed(local, yield* Effect.provideContext(traderToken, services))
  let last: RehearsedRound = { isReady: false, bids: [] }
  for (let time = 0; time < TIMES; time += 1) last = yield* Effect.promise(() => rehearsed.once())
  return last
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
