import { Clock, Context, Effect, Layer, Schema } from "effect"
import { Rpc, RpcGroup, RpcSchema, RpcServer } from "effect/rpc"
import { elapsed, elapsedMillis } from "../../engine/journal/ElapsedTime.ts"
import { faulty } from "../api/ApiError.ts"
import {
  authenticate,
  FAST_LANE_PATH,
  FastLane,
  FORMATS as FORMAT_NAMES,
  MAX_MESSAGE_BYTES,
  subprotocolOf,
  TOKEN_PROTOCOL_PREFIX
} from "../api/rpc/FastLane.ts"
import { bearerOf } from "../http/Callers.ts"
import type { RequestFacts } from "../RequestState.ts"
import { withoutServices } from "../http/RuntimeContext.ts"
import { make as makeRoute, NODE_LOST, type WebSocketRoute } from "../http/WebSocketRoutes.ts"
import { FORMATS, type MessageFormat } from "./MessageFormat.ts"
import type { RpcConnection, RpcSocket, RpcState } from "./RpcConnection.ts"
import { RpcConnections, UNKNOWN } from "./RpcConnections.ts"
import { type Answered, RpcDispatcher, type Streamed } from "./RpcDispatcher.ts"
import { RpcGate } from "./RpcGate.ts"
import { RpcHandlers } from "./RpcHandler.ts"

/** How often connections are looked after, in milliseconds. */
const CARE_MILLIS = 1_000

/** Longest that a shutdown waits for messages that are being answered, in milliseconds. */
const DRAIN_LIMIT = 4_000
const DRAIN_POLL = 10

/** Chooses none of the subprotocols that a client offers; without it the runtime would answer the first one. */
const NO_PROTOCOL = ""

type Served = Rpc.Rpc<string, typeof Schema.Any, typeof Schema.Any, typeof Schema.Any>

const servedAs = (name: string, stream: boolean): Served =>
  Rpc.make(name, { payload: Schema.Any, success: Schema.Any, error: Schema.Any, stream }) as unknown as Served

/** The contract's messages as they are served: payloads and answers pass as they are, handlers read and write them. */
const served: RpcGroup.RpcGroup<Served> = RpcGroup.make(
  ...[...FastLane.requests.values()].map((rpc) =>
    servedAs(rpc._tag, RpcSchema.isStreamSchema((rpc as Rpc.AnyWithProps).successSchema))
  ),
  servedAs(UNKNOWN, false)
)

const NAMES: ReadonlySet<string> = new Set(FastLane.requests.keys())

/** The fast lane on `/rpc`: the messages of {@link FastLane} over a WebSocket. */
export class FastLaneServer extends Context.Service<
  FastLaneServer,
  {
    /** Where clients connect. */
    readonly route: WebSocketRoute
    /** Clients connected now. */
    readonly size: () => number
  }
>()("emporion/rpc/FastLaneServer") {
  static readonly layer = Layer.effect(
    this,
    Effect.suspend(() => make)
  )
}

/** What an upgrade asks for: the format, the subprotocol to answer, and the token that it carries. */
interface Asked {
  readonly format: MessageFormat
  readonly protocol: string
  readonly token: string | undefined
}

const UNKNOWN_FORMAT = faulty([
  { field: "query.format", expected: FORMAT_NAMES.map((name) => JSON.stringify(name)).join(" or ") }
])

/** The format that the query asks for; undefined where it asks for none. */
const queriedBy = Effect.fnUntraced(function* (url: string) {
  const given = new URL(url).searchParams.getAll("format").filter((name) => name !== "")
  const named = given.map((name) => FORMAT_NAMES.find((format) => format === name))
  return named.length > 1 || named.includes(undefined) ? yield* Effect.fail(UNKNOWN_FORMAT) : named[0]
})

const askedBy = Effect.fnUntraced(function* ({ headers, url }: Request) {
  const offered = (headers.get("sec-websocket-protocol") ?? "").split(",").map((name) => name.trim())
  const names = new Set(offered)
  const chosen = FORMAT_NAMES.find((name) => names.has(subprotocolOf(name)))
  const queried = yield* queriedBy(url)
  const format = chosen ?? queried ?? FORMAT_NAMES[0]
  const token = offered.find((name) => name.startsWith(TOKEN_PROTOCOL_PREFIX))?.slice(TOKEN_PROTOCOL_PREFIX.length)
  return {
    format: FORMATS[format],
    protocol: chosen === undefined ? NO_PROTOCOL : subprotocolOf(chosen),
    token: bearerOf(headers.get("authorization")) ?? token
  } satisfies Asked
})

/** What becomes of an upgrade. A token that it carries must be valid. */
const admission = (gate: RpcGate): WebSocketRoute<RpcState>["authorize"] =>
  Effect.fnUntraced(function* (request: Request, facts: RequestFacts) {
    const { format, protocol, token } = yield* askedBy(request)
    const principal = token === undefined ? undefined : yield* gate.bearer(token)
    return { state: { format, facts, token, connection: undefined }, principal, protocol }
  })

const handled = Effect.fnUntraced(function* (gate: RpcGate, connections: RpcConnections) {
  const dispatcher = yield* RpcDispatcher.make(gate)
  const handlers = yield* RpcHandlers
  const on =
    (answer: (payload: unknown, connection: RpcConnection) => Answered | Streamed) =>
    (payload: unknown, { client }: { readonly client: Rpc.ServerClient }) => {
      const connection = connections.find(client.id)
      return connection === undefined ? Effect.interrupt : answer(payload, connection)
    }
  const named = handlers.map((handler) => [handler.rpc, on(dispatcher.of(handler))] as const)
  return Object.fromEntries([
    ...named,
    [authenticate._tag, on(dispatcher.authenticating())],
    [UNKNOWN, on(dispatcher.unknown(NAMES))]
  ])
})

const drained = Effect.fnUntraced(function* (connections: RpcConnections) {
  const until = (yield* elapsedMillis) + DRAIN_LIMIT
  while (connections.underWay > 0 && (yield* elapsedMillis) < until) yield* Effect.sleep(DRAIN_POLL)
})

const routeOf = (
  authorize: WebSocketRoute<RpcState>["authorize"],
  connections: RpcConnections,
  gate: RpcGate,
  clock: Clock.Clock
): WebSocketRoute<RpcState> => {
  const of = (socket: RpcSocket, use: (connection: RpcConnection) => void): void => {
    const { connection } = socket.data.state
    if (connection !== undefined) use(connection)
  }
  return {
    path: FAST_LANE_PATH,
    maxMessageBytes: MAX_MESSAGE_BYTES,
    authorize,
    open: (socket) => connections.open(socket, elapsed(clock)),
    message: (socket, frame) =>
      of(socket, (connection) => connections.take(connection, frame, clock.currentTimeMillisUnsafe())),
    drain: (socket) => of(socket, (connection) => connection.drained()),
    close: (socket, code) => of(socket, (connection) => connections.close(connection, code === NODE_LOST)),
    shutdown: Effect.andThen(
      Effect.sync(() => {
        gate.isClosing = true
      }),
      drained(connections)
    )
  }
}

const make = Effect.gen(function* () {
  const clock = yield* Clock.Clock
  const gate = yield* RpcGate.make
  const connections = yield* RpcConnections.make(withoutServices(yield* Effect.context<never>()), NAMES)
  const handlers = served.toLayer(handled(gate, connections) as never)
  const protocol = Layer.effect(RpcServer.Protocol, connections.protocol)
  yield* RpcServer.make(served, { disableTracing: true, disableFatalDefects: true }).pipe(
    Effect.provide(Layer.merge(handlers, protocol)),
    Effect.forkScoped
  )
  yield* Effect.sync(() => connections.closeStrangers(elapsed(clock))).pipe(
    Effect.delay(CARE_MILLIS),
    Effect.forever,
    Effect.forkScoped
  )
  return FastLaneServer.of({
    route: makeRoute(routeOf(admission(gate), connections, gate, clock)),
    size: () => connections.size
  })
})
