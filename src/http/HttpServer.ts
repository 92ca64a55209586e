import { Clock, Context, Data, Effect, Exit, Layer, Scope } from "effect"
import { HttpEffect, HttpRouter } from "effect/http"
import type { HttpServerRequest, HttpServerResponse } from "effect/http"
import { ApiError } from "../api/ApiError.ts"
import { Settings } from "../Config.ts"
import type { ServerSettings } from "../Config.ts"
import { type ListenOptions, type Peer, type RuntimeServer, ServerRuntime } from "../runtime/ServerRuntime.ts"
import { ConnectionLimits } from "./ConnectionLimits.ts"
import { FastPath, type Router } from "./FastPath.ts"
import { EXACT_PATHS } from "./EndpointTable.ts"
import { Readiness } from "./Readiness.ts"
import { deadlineOf, lateSentence, REQUEST_LIMIT, RequestLimit } from "./RequestDeadline.ts"
import { RequestFacts, RequestState } from "./RequestState.ts"
import { SocketLimits } from "./SocketLimits.ts"
import { SpentCallers } from "./SpentCallers.ts"
import { UpgradeDispatcher } from "./UpgradeDispatcher.ts"
import { USUAL_MESSAGE_BYTES, WebSocketRoutes } from "./WebSocketRoutes.ts"
import type { Attachment, Socket, WebSocketRoute } from "./WebSocketRoutes.ts"

/** Seconds without a byte after which a connection is dropped. */
const IDLE_SECONDS = 60

/** Longest that a shutdown waits for running requests, in milliseconds. */
const DRAIN_LIMIT = 5_000
const DRAIN_POLL = 10

/** RFC 6455, 7.4.1: the client sends more than its caller may. */
const POLICY_VIOLATION = 1008

/** RFC 6455, 7.4.1: the message is larger than its route takes. */
const TOO_BIG = 1009

/** Bytes that may wait for one slow WebSocket client before its route is to close it. */
const BACKPRESSURE_BYTES = 1_048_576

/** The address cannot be listened on. Its message says what to change. */
export class CannotListen extends Data.TaggedError("CannotListen")<{ readonly message: string }> {}

type Handler = (request: Request, context: Context.Context<RequestState>) => Promise<Response>

type Listening = RuntimeServer<Attachment>

interface Sockets {
  readonly open: Set<Socket>
  readonly limits: SocketLimits
  readonly now: () => number
  readonly routes: ReadonlyMap<string, WebSocketRoute>
  readonly admit: (typeof UpgradeDispatcher.Service)["admit"]
}

const noSockets = (limits: SocketLimits): Sockets => ({
  open: new Set(),
  limits,
  now: () => 0,
  routes: new Map(),
  admit: () => new ApiError("rate_limited")
})

/** What a `Host` may be made of. The runtime joins several by commas. RFC 9112, section 3.2. */
const HOST = /^[\w.~%!$&'()*+;=:[\]-]*$/

const SEVERAL_HOSTS = "Send one Host header that names one host."

const pathOf = (url: string): string => {
  const start = url.indexOf("/", url.indexOf("//") + 2)
  const query = url.indexOf("?", start)
  return url.slice(start, query === -1 ? undefined : query)
}

/** `limit` is in milliseconds. */
const upgrade = (
  sockets: Sockets,
  server: Listening,
  request: Request,
  route: WebSocketRoute,
  peer: string,
  limit: number
) =>
  Effect.gen(function* () {
    if (request.headers.get("upgrade")?.toLowerCase() !== "websocket") {
      return yield* Effect.fail(new ApiError("invalid_request", "Connect to this address with a WebSocket."))
    }
    const { limits, now } = sockets
    if (limits.isFull) return yield* Effect.fail(new ApiError("unavailable"))
    const authorized = Effect.timeoutOrElse(route.authorize(request, peer), {
      duration: limit,
      orElse: () => Effect.fail(new ApiError("unavailable", lateSentence(request.method)))
    })
    const { principal, protocol, state } = yield* authorized
    const admitted = sockets.admit(request, peer, principal)
    if (admitted instanceof ApiError) return yield* Effect.fail(admitted)
    const place = limits.admit(admitted.holder, now())
    if (place instanceof ApiError) return yield* Effect.fail(place)
    const headers =
      protocol === undefined ? admitted.headers : { ...admitted.headers, "sec-websocket-protocol": protocol }
    if (server.upgrade(request, { data: { path: route.path, state, place }, headers })) return
    place.leave(now())
    return yield* Effect.fail(new ApiError("invalid_request", "The WebSocket handshake is incomplete."))
  })

/** The two ways to an answer: at once where nothing is unusual, else through the router. */
interface Serving {
  readonly direct: (request: Request, peer: string, router: Router) => Response | Promise<Response>
  readonly routed: Handler
  /** What a request is told that gets no answer within so many milliseconds. */
  readonly late: (state: RequestFacts, method: string) => Response
  readonly limit: number
  /** Refuses at once who has spent all requests. */
  readonly refuse: (typeof SpentCallers.Service)["refuse"]
}

/** The last answer of its connection. */
const closing = (response: Response): Response => {
  response.headers.set("connection", "close")
  return response
}

const fetchOf = ({ direct, late, limit, refuse, routed }: Serving, sockets: Sockets) => {
  const connections = new ConnectionLimits(setImmediate)
  const inTime = deadlineOf(limit)
  const serve = (request: Request, peer: string, refusal?: ApiError): Promise<Response> => {
    const state = new RequestFacts(peer, refusal)
    const answer = routed(request, Context.make(RequestState, state))
    return inTime<Response>(
      (give, fail) => void answer.then(give, fail),
      () => late(state, request.method)
    )
  }
  const answer = (request: Request, server: Listening, peer: string): Response | Promise<Response | undefined> => {
    if (!HOST.test(request.headers.get("host") ?? "")) {
      return serve(request, peer, new ApiError("invalid_request", SEVERAL_HOSTS))
    }
    const path = pathOf(request.url)
    const route = sockets.routes.get(path)
    if (route === undefined) {
      return direct(request, peer, (unusual) => refuse(unusual, path, peer) ?? serve(unusual, peer))
    }
    const refused = refuse(request, path, peer)
    if (refused !== undefined) return closing(refused)
    return Effect.runPromiseExit(Effect.result(upgrade(sockets, server, request, route, peer, limit))).then((exit) => {
      if (Exit.isSuccess(exit) && exit.value._tag === "Success") return undefined
      const refusal = Exit.isSuccess(exit) && exit.value._tag === "Failure" ? exit.value.failure : undefined
      return serve(request, peer, refusal ?? new ApiError("internal")).then(closing)
    })
  }
  return (request: Request, peer: Peer, server: Listening): Response | Promise<Response | undefined> => {
    const isLast = connections.begin(peer)
    const finished = <Sent extends Response | undefined>(response: Sent): Sent => {
      if (response !== undefined && (connections.end(peer, response.status) || isLast)) closing(response)
      return response
    }
    const answered = answer(request, server, peer.address)
    return answered instanceof Promise ? answered.then(finished) : finished(answered)
  }
}

const largest = ({ maxMessageBytes = USUAL_MESSAGE_BYTES }: WebSocketRoute): number => maxMessageBytes

const listenerOf = (sockets: Sockets): ListenOptions<Attachment>["sockets"] => ({
  open: (socket) => {
    sockets.open.add(socket)
    sockets.routes.get(socket.data.path)?.open(socket)
  },
  message: (socket, message) => {
    const { path, place } = socket.data
    const route = sockets.routes.get(path)
    if (route === undefined || socket.readyState !== WebSocket.OPEN) return
    if (message.length > largest(route)) socket.close(TOO_BIG, "The message is too big.")
    else if (place.takeFrame(message.length, sockets.now())) route.message(socket, message)
    else socket.close(POLICY_VIOLATION, "This client sends too much.")
  },
  pong: (socket, data) => sockets.routes.get(socket.data.path)?.pong?.(socket, data),
  drain: (socket) => sockets.routes.get(socket.data.path)?.drain(socket),
  close: (socket, code, reason) => {
    sockets.open.delete(socket)
    sockets.routes.get(socket.data.path)?.close(socket, code, reason)
  },
  ended: (socket) => socket.data.place.leave(sockets.now())
})

const listen = Effect.fnUntraced(function* (settings: ServerSettings, serving: Serving, sockets: Sockets) {
  const runtime = yield* ServerRuntime
  const options: ListenOptions<Attachment> = {
    port: settings.port,
    hostname: settings.host,
    tls: settings.tls,
    idleSeconds: IDLE_SECONDS,
    maxMessageBytes: Math.max(USUAL_MESSAGE_BYTES, ...[...sockets.routes.values()].map(largest)),
    maxBufferedBytes: BACKPRESSURE_BYTES,
    answer: fetchOf(serving, sockets),
    failed: () => Response.json({ message: "Something failed on our side.", code: "internal" }, { status: 500 }),
    sockets: listenerOf(sockets)
  }
  return yield* Effect.try({
    try: () => runtime.listen(options),
    catch: (cause) => new CannotListen({ message: whyNot(settings, cause) })
  })
})

const ADDRESS_CODES: ReadonlySet<unknown> = new Set(["EADDRINUSE", "EADDRNOTAVAIL", "EACCES"])

/** What is wrong, and what to set instead. */
export const whyNot = (settings: ServerSettings, cause: unknown): string => {
  const address = `${settings.host}:${settings.port}`
  const code = cause instanceof Error && "code" in cause ? cause.code : undefined
  const reason = code === "EADDRINUSE" ? "another program listens there" : String(cause).replace(/^\w*Error: /, "")
  return settings.tls === undefined || ADDRESS_CODES.has(code)
    ? `Cannot listen on ${address}: ${reason}. Set PORT and HOST to a free address.`
    : `Cannot listen on ${address} with TLS: ${reason}. Set TLS_CERT and TLS_KEY to a certificate and its key in PEM.`
}

/** Fails where the server could not listen, so that a start ends before it has touched the database. */
export const addressIsFree: Layer.Layer<never, CannotListen, ServerRuntime | Settings> = Layer.effectDiscard(
  Effect.gen(function* () {
    const { server: settings } = yield* Settings
    const closed: Serving = {
      direct: (request, _, router) => router(request),
      routed: () => Promise.resolve(new Response(null, { status: 503 })),
      late: () => new Response(null, { status: 503 }),
      limit: REQUEST_LIMIT,
      refuse: () => undefined
    }
    const server = yield* listen(settings, closed, noSockets(new SocketLimits(false)))
    yield* Effect.promise(() => server.stop(true))
  })
)

/** Stops taking connections, says goodbye to the sockets, lets what runs end, and closes. */
const close = Effect.fn("HttpServer.close")(function* (server: Listening, sockets: Sockets) {
  const readiness = yield* Readiness
  yield* readiness.drain
  void server.stop()
  for (const route of sockets.routes.values()) yield* route.shutdown
  const until = (yield* Clock.currentTimeMillis) + DRAIN_LIMIT
  while (server.pendingRequests > 0 && (yield* Clock.currentTimeMillis) < until) yield* Effect.sleep(DRAIN_POLL)
  for (const socket of sockets.open) socket.close(1001, "The server is shutting down.")
  yield* Effect.promise(() => server.stop(true))
})

/** The running server. */
export class HttpServer extends Context.Service<
  HttpServer,
  {
    readonly hostname: string
    /** The port listened on, also when any free one was asked for. */
    readonly port: number
    /** Such as `http://127.0.0.1:3000`. */
    readonly url: string
  }
>()("emporion/http/HttpServer") {}

/** The router with its middleware, which turns every failure into an answer. */
interface App {
  readonly asHttpEffect: () => Effect.Effect<
    HttpServerResponse.HttpServerResponse,
    never,
    HttpServerRequest.HttpServerRequest | Scope.Scope | RequestState
  >
}

const start = Effect.fn("HttpServer.start")(function* (router: App, context: Context.Context<never>) {
  const { server: settings } = yield* Settings
  const routes = yield* WebSocketRoutes
  const { admit } = Context.get(context, UpgradeDispatcher)
  const clock = yield* Clock.Clock
  const sockets: Sockets = {
    ...noSockets(new SocketLimits(settings.rateLimits)),
    now: () => clock.currentTimeMillisUnsafe(),
    routes: new Map(routes.map((route) => [route.path, route])),
    admit
  }
  const routed: Handler = HttpEffect.toWebHandlerWith<never, RequestState>(context)(router.asHttpEffect() as never)
  const { late, serve } = Context.get(context, FastPath)
  const limit = Context.get(context, RequestLimit)
  const serving: Serving = { direct: serve, routed, late, limit, refuse: Context.get(context, SpentCallers).refuse }
  const server = yield* Effect.acquireRelease(listen(settings, serving, sockets), (server) => close(server, sockets))
  for (const route of routes) route.listening?.(server)
  const { port = settings.port, protocol } = server
  const host = settings.host.includes(":") ? `[${settings.host}]` : settings.host
  return HttpServer.of({ hostname: settings.host, port, url: `${protocol ?? "http"}://${host}:${port}` })
})

/**
 * Serves routes on `HOST` and `PORT`. When its scope closes it stops accepting, waits for running requests for a bounded
 * time, and closes WebSocket connections with 1001.
 */
export const layer = <A, E, R>(
  routes: Layer.Layer<A, E, R>
): Layer.Layer<
  HttpServer | A,
  CannotListen | HttpRouter.Request.Without<E>,
  ServerRuntime | Settings | Readiness | Exclude<HttpRouter.Request.Without<R>, HttpRouter.HttpRouter>
> =>
  Layer.effectContext(
    Effect.gen(function* () {
      const outer = yield* Effect.context<never>()
      const memoMap = Layer.CurrentMemoMap.forkOrCreate(outer)
      const scope = Context.getUnsafe(outer, Scope.Scope)
      const exact = Layer.provide(HttpRouter.layer, Layer.succeed(HttpRouter.RouterConfig, EXACT_PATHS))
      const built = yield* Layer.buildWithMemoMap(Layer.provideMerge(routes, exact), memoMap, scope)
      const router = Context.getUnsafe(built as Context.Context<HttpRouter.HttpRouter>, HttpRouter.HttpRouter)
      const server = yield* start(router as unknown as App, Context.merge(outer, built) as Context.Context<never>)
      return Context.add(built, HttpServer, server)
    })
  ) as never
