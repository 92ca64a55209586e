import { Clock, Context, Data, Effect, Layer, Scope } from "effect"
import { HttpRouter } from "effect/http"
import { elapsedMillis } from "../../engine/journal/ElapsedTime.ts"
import { Settings } from "../Config.ts"
import type { ServerSettings } from "../Config.ts"
import {
  type CarriedRequest,
  type CarriedResponse,
  type ListenOptions,
  type Peer,
  type RuntimeServer,
  ServerRuntime
} from "../runtime/ServerRuntime.ts"
import { ConnectionLimits } from "./ConnectionLimits.ts"
import { EXACT_PATHS } from "./EndpointTable.ts"
import { HttpConventions } from "./HttpConventions.ts"
import { Readiness } from "./Readiness.ts"
import type { RouterEffect } from "./RouterPath.ts"
import type { Upgrade } from "./UpgradeDispatcher.ts"
import { USUAL_MESSAGE_BYTES, WebSocketRoutes } from "./WebSocketRoutes.ts"
import type { Attachment, Socket, SocketHandlers } from "./WebSocketRoutes.ts"

/** Seconds without a byte after which a connection is dropped. */
const IDLE_SECONDS = 60

/** The longest time that a shutdown waits for running requests, in milliseconds. */
const DRAIN_LIMIT = 5_000
const DRAIN_POLL = 10

/** RFC 6455, 7.4.1: the client sends more than its caller may. */
const POLICY_VIOLATION = 1008

/** RFC 6455, 7.4.1: the message is larger than its route takes. */
const TOO_BIG = 1009

/** Bytes that may wait for one slow WebSocket client before its route has to close it. */
const BACKPRESSURE_BYTES = 1_048_576

/** The server cannot listen on the address. Its message says what to change. */
export class CannotListen extends Data.TaggedError("CannotListen")<{ readonly message: string }> {}

interface Serve {
  /** Answers a request, or has its connection upgraded. */
  readonly alone: (request: Request, peer: string, upgrade: Upgrade) => Response | Promise<Response | undefined>
  readonly carried: (request: CarriedRequest, peer: string) => CarriedResponse | Promise<CarriedResponse | undefined>
}

type Listening = RuntimeServer<Attachment>

/** The open connections of a server, and what becomes of them by their paths. */
export interface Sockets {
  readonly open: Set<Socket>
  readonly now: () => number
  readonly routes: ReadonlyMap<string, SocketHandlers>
}

/** The last answer of its connection. */
const closing = <Sent extends CarriedResponse>(response: Sent): Sent => {
  if (!(response instanceof Response)) return { ...response, headers: { ...response.headers, connection: "close" } }
  response.headers.set("connection", "close")
  return response
}

/** Answers requests as long as their connection may send any. */
const answersOf = (serve: Serve): Pick<ListenOptions<Attachment>, "answer" | "answerCarried"> => {
  const connections = new ConnectionLimits(setImmediate)
  const limited = <Sent extends CarriedResponse>(
    peer: Peer,
    answer: () => Sent | Promise<Sent | undefined>
  ): Sent | Promise<Sent | undefined> => {
    const isLast = connections.begin(peer)
    const finished = (response: Sent): Sent =>
      connections.end(peer, response.status) || isLast ? closing(response) : response
    const answered = answer()
    return answered instanceof Promise
      ? answered.then((response) => (response === undefined ? undefined : finished(response)))
      : finished(answered)
  }
  return {
    answer: (request: Request, peer: Peer, server: Listening) =>
      limited(peer, () =>
        serve.alone(request, peer.address, ({ headers, ...data }) => server.upgrade(request, { data, headers }))
      ),
    answerCarried: (request: CarriedRequest, peer: Peer) => limited(peer, () => serve.carried(request, peer.address))
  }
}

const largest = ({ maxMessageBytes = USUAL_MESSAGE_BYTES }: SocketHandlers): number => maxMessageBytes

/** What hears of connections, each of which may send as much as its place and its route allow. */
export const listenerOf = (sockets: Sockets): ListenOptions<Attachment>["sockets"] => ({
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

const listen = Effect.fnUntraced(function* (settings: ServerSettings, serve: Serve, sockets: Sockets) {
  const runtime = yield* ServerRuntime
  const options: ListenOptions<Attachment> = {
    port: settings.port,
    hostname: settings.host,
    tls: settings.tls,
    idleSeconds: IDLE_SECONDS,
    maxMessageBytes: Math.max(USUAL_MESSAGE_BYTES, ...[...sockets.routes.values()].map(largest)),
    maxBufferedBytes: BACKPRESSURE_BYTES,
    ...answersOf(serve),
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

/** Fails if the server could not listen, so that a start ends before it touches the database. */
export const addressIsFree: Layer.Layer<never, CannotListen, ServerRuntime | Settings> = Layer.effectDiscard(
  Effect.gen(function* () {
    const { server: settings } = yield* Settings
    const closed = () => new Response(null, { status: 503 })
    const server = yield* listen(
      settings,
      { alone: closed, carried: closed },
      { open: new Set(), now: () => 0, routes: new Map() }
    )
    yield* Effect.promise(() => server.stop(true))
  })
)

/** Stops taking connections, says goodbye to the sockets, waits for running requests, and closes. */
const close = Effect.fn("HttpServer.close")(function* (server: Listening, sockets: Sockets) {
  const readiness = yield* Readiness
  yield* readiness.drain
  void server.stop()
  for (const route of sockets.routes.values()) yield* route.shutdown
  const until = (yield* elapsedMillis) + DRAIN_LIMIT
  const pending = () => server.pendingChanges ?? server.pendingRequests
  while (pending() > 0 && (yield* elapsedMillis) < until) yield* Effect.sleep(DRAIN_POLL)
  yield* Effect.logDebug("What was begun is answered.")
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

/** The router with its middleware. */
interface App {
  readonly asHttpEffect: () => RouterEffect
}

const start = Effect.fn("HttpServer.start")(function* (router: App, context: Context.Context<HttpConventions>) {
  const { server: settings } = yield* Settings
  const routes = yield* WebSocketRoutes
  const clock = yield* Clock.Clock
  const sockets: Sockets = {
    open: new Set(),
    now: () => clock.currentTimeMillisUnsafe(),
    routes: new Map(routes.map((route) => [route.path, route]))
  }
  const { carrying, over } = Context.get(context, HttpConventions)
  const [alone, carried] = [over(router.asHttpEffect(), context), carrying(router.asHttpEffect(), context)]
  const serve: Serve = {
    alone: (...asked) => alone.serve(...asked),
    carried: (...asked) => carried.serveCarried(...asked)
  }
  const server = yield* Effect.acquireRelease(listen(settings, serve, sockets), (server) => close(server, sockets))
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
      const server = yield* start(
        router as unknown as App,
        Context.merge(outer, built) as Context.Context<HttpConventions>
      )
      return Context.add(built, HttpServer, server)
    })
  ) as never
