import { Decoder, Encoder } from "@msgpack/msgpack"
import { Deferred, Effect, Layer, Schedule, Schema } from "effect"
import type { Scope } from "effect"
import { RpcClient, RpcSerialization } from "effect/rpc"
import type { RpcClientError } from "effect/rpc/RpcClientError"
import { Socket } from "effect/socket"
import {
  FAST_LANE_PATH,
  FastLane,
  type FastLaneRpcs,
  type Format,
  subprotocolOf,
  TOKEN_PROTOCOL_PREFIX
} from "../api/rpc/FastLane.ts"

/** How often a new token is asked for, while an access token lives for 30 minutes. */
const RENEW_EVERY = "10 minutes"

/** Between two tries to connect: from 250 ms to 5 s, for as long as it takes. */
const RECONNECT = Schedule.min([Schedule.exponential("250 millis", 1.5), Schedule.spaced("5 seconds")])

/** Between two tries to say what the end of a connection does, where the server refuses it for now. */
const ARM_AGAIN = Schedule.spaced("1 second")

/** A WebSocket, as far as the fast lane needs one. Every standard one is. */
export type WebSocketMaker = (url: string, protocols: Array<string>) => Socket.WebSocketLike

export interface FastLaneOptions {
  /** The server, such as `https://arena.example`. */
  readonly url: string
  /** An access token, or what gives one that is valid now: it is asked before each connection, and in between. */
  readonly token: string | (() => string | PromiseLike<string>)
  /** How messages are written; JSON by default, which JavaScript reads fastest. */
  readonly format?: Format
  /** Whether the end of each connection pulls the company's kill switch, so that nothing more is committed. */
  readonly cancelOnDisconnect?: boolean
  /** The platform's own by default. */
  readonly makeWebSocket?: WebSocketMaker
}

/** The messages of the fast lane as functions: each answers an Effect or a Stream. */
export type FastLaneCalls = RpcClient.RpcClient<FastLaneRpcs, RpcClientError>

const msgpack = RpcSerialization.RpcSerialization.of({
  contentType: "application/msgpack",
  includesFraming: false,
  codecFor: Schema.toCodecJson as RpcSerialization.CodecFor,
  makeUnsafe: () => {
    const encoder = new Encoder({ ignoreUndefined: true })
    const decoder = new Decoder()
    return {
      decode: (frame) => {
        const message = typeof frame === "string" ? undefined : decoder.decode(frame)
        return Array.isArray(message) ? message : [message]
      },
      encode: (message) => encoder.encode(message)
    }
  }
})

const SERIALIZATIONS = { json: RpcSerialization.json, msgpack } as const

const webSocketUrl = (server: string): string => {
  const url = new URL(server)
  url.protocol = url.protocol.replace("http", "ws")
  if (url.pathname === "/") url.pathname = FAST_LANE_PATH
  return url.href
}

const cannotOpen = (cause: unknown) =>
  new Socket.SocketError({ reason: new Socket.SocketOpenError({ kind: "Unknown", cause }) })

const tokenOf = ({ token }: FastLaneOptions): Effect.Effect<string, Socket.SocketError> =>
  typeof token === "string"
    ? Effect.succeed(token)
    : Effect.tryPromise({ try: () => Promise.resolve(token()), catch: cannotOpen })

const opened = (options: FastLaneOptions) => {
  const url = webSocketUrl(options.url)
  const format = subprotocolOf(options.format ?? "json")
  const make: WebSocketMaker = options.makeWebSocket ?? ((to, protocols) => new globalThis.WebSocket(to, protocols))
  return Effect.acquireRelease(
    Effect.flatMap(tokenOf(options), (token) =>
      Effect.try({ try: () => make(url, [format, TOKEN_PROTOCOL_PREFIX + token]), catch: cannotOpen })
    ),
    (socket) => Effect.sync(() => socket.close(1000))
  )
}

/** Names the caller again before its token expires. What fails is tried again the next time, or by a new connection. */
const renewing = (calls: FastLaneCalls, options: FastLaneOptions): Effect.Effect<void> =>
  Effect.flatMap(tokenOf(options), (token) => calls.authenticate({ access_token: token })).pipe(
    Effect.ignore,
    Effect.delay(RENEW_EVERY),
    Effect.forever
  )

/** Says on a connection that its end is to stop the company. One that ends before will be followed by another. */
const arming = (ready: Deferred.Deferred<FastLaneCalls>): Effect.Effect<void> =>
  Effect.flatMap(Deferred.await(ready), (calls) => calls.cancelOnDisconnect({ enabled: true })).pipe(
    Effect.retry({ schedule: ARM_AGAIN, while: ({ _tag }) => _tag === "Refused" }),
    Effect.ignore
  )

/**
 * Connects for as long as the scope lasts, and again whenever the connection is lost: calls that are under way then fail
 * with `RpcClientError`, and so do new ones until it is open again.
 */
export const connect = (options: FastLaneOptions): Effect.Effect<FastLaneCalls, never, Scope.Scope> =>
  Effect.gen(function* () {
    const socket = yield* Socket.fromWebSocket(opened(options))
    const ready = yield* Deferred.make<FastLaneCalls>()
    const scope = yield* Effect.scope
    const onConnect =
      options.cancelOnDisconnect === true ? Effect.asVoid(Effect.forkIn(arming(ready), scope)) : Effect.void
    const protocol = RpcClient.layerProtocolSocket({ retryPolicy: RECONNECT }).pipe(
      Layer.provide(Layer.succeed(RpcClient.ConnectionHooks, { onConnect, onDisconnect: Effect.void })),
      Layer.provide(Layer.succeed(Socket.Socket, socket)),
      Layer.provide(Layer.succeed(RpcSerialization.RpcSerialization, SERIALIZATIONS[options.format ?? "json"]))
    )
    const context = yield* Layer.build(protocol)
    const calls = yield* Effect.provideContext(RpcClient.make(FastLane, { disableTracing: true }), context)
    yield* Deferred.succeed(ready, calls)
    if (typeof options.token !== "string") yield* Effect.forkScoped(renewing(calls, options))
    return calls
  })
