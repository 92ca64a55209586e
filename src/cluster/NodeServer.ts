import { Clock, Context, Deferred, Effect, Layer } from "effect"
import { RequestCarriers } from "../../engine/cluster/RequestCarriers.ts"
import { elapsedMillis } from "../../engine/journal/ElapsedTime.ts"
import { body as errorBody, CATALOGUE } from "../api/ApiError.ts"
import { Settings, type ServerSettings } from "../Config.ts"
import { CannotListen, whyNot } from "../http/HttpServer.ts"
import { type ListenOptions, type Peer, type RuntimeServer, ServerRuntime } from "../runtime/ServerRuntime.ts"
import { metricsFor } from "../http/MetricsRoute.ts"
import { EdgeReads } from "./EdgeReads.ts"
import { EdgeStream } from "./EdgeStream.ts"
import { Followers } from "./Followers.ts"
import { Forwarding } from "./Forwarding.ts"
import { heldSockets } from "./HeldSockets.ts"
import { LocalApp, socketsOf } from "./LocalApp.ts"
import { make as makeCredential } from "./NodeCredential.ts"
import { answerNode, type NodeParts } from "./NodeRequests.ts"
import { Nodes } from "./Nodes.ts"

const IDLE_SECONDS = 60

/** Nodes keep their connections to each other. */
const NEVER = 0

/**
 * The most bytes in one WebSocket message, and the most that may wait for its client. The app says what its routes
 * take.
 */
const MAX_MESSAGE_BYTES = 2_097_152
const MAX_BUFFERED_BYTES = 1_048_576

/** How long a node that leaves still takes requests, so that balancers see that it is not ready, in milliseconds. */
export const LeaveNotice = Context.Reference<number>("emporion/cluster/LeaveNotice", { defaultValue: () => 1_000 })

/** Longest that a node that leaves waits for running requests, in milliseconds. */
const DRAIN_LIMIT = 8_000
const DRAIN_POLL = 10

const ok = (): Response => Response.json({ status: "ok" })

const notReady = (message: string): Response =>
  Response.json(errorBody("platform", "unavailable", message), {
    status: CATALOGUE.unavailable.status,
    headers: { "retry-after": "1" }
  })

const failed = (): Response =>
  Response.json({ message: "Something failed on our side.", code: "internal" }, { status: 500 })

/** Ends the connection with an answer of a leaving node, so that its caller goes on with another node. */
const closing = <Given extends Response | undefined>(response: Given): Given => {
  response?.headers.set("connection", "close")
  return response
}

const pathOf = (url: string): string => url.slice(url.indexOf("/", url.indexOf("//") + 2))

/** The node's listeners, and the app behind them while the node writes. */
export class NodeServer extends Context.Service<
  NodeServer,
  {
    /** The app listens through this. */
    readonly app: LocalApp
    /** The nodes that follow this one while it writes. */
    readonly followers: Followers
    /** From now on the node may be ready. */
    readonly prepared: Effect.Effect<void>
    /** Makes the node not ready from now on. It still takes requests, and forwards them. */
    readonly leave: Effect.Effect<void>
    readonly isLeaving: () => boolean
    /** Completes once the node is asked to let another one write. */
    readonly handedOver: Effect.Effect<void>
    /** Such as `http://127.0.0.1:3000`. */
    readonly url: string
  }
>()("emporion/cluster/NodeServer") {
  /** Listens for callers on `HOST` and `PORT`, and for the other nodes on `NODE_LISTEN`. */
  static readonly layer = Layer.effect(
    this,
    Effect.suspend(() => make)
  )
}

const listening = Effect.fnUntraced(function* (settings: ServerSettings, options: Partial<ListenOptions<unknown>>) {
  const runtime = yield* ServerRuntime
  const listen = () =>
    runtime.listen<unknown>({
      port: settings.port,
      hostname: settings.host,
      tls: settings.tls,
      idleSeconds: IDLE_SECONDS,
      maxMessageBytes: MAX_MESSAGE_BYTES,
      maxBufferedBytes: MAX_BUFFERED_BYTES,
      failed,
      ...options
    } as ListenOptions<unknown>)
  const server = yield* Effect.try({
    try: listen,
    catch: (cause) => new CannotListen({ message: whyNot(settings, cause) })
  })
  return server
})

/** What becomes of the node. */
interface Standing {
  isLeaving: boolean
  isPrepared: boolean
}

const changed = (standing: Standing, change: Partial<Standing>): Effect.Effect<void> =>
  Effect.sync(() => void Object.assign(standing, change))

interface Probed extends Readonly<Standing> {
  readonly app: LocalApp
  readonly forwarding: Forwarding["Service"]
  readonly nodes: Nodes["Service"]
}

/** The probes report on this node, whichever node writes. An app reports on itself. */
const probed = (path: string, { app, forwarding, isLeaving, isPrepared, nodes }: Probed): Response | undefined => {
  if (path === "/health/live") return ok()
  if (path !== "/health/ready") return undefined
  if (isLeaving) return notReady("The node is shutting down.")
  if (app.isListening) return undefined
  if (!isPrepared) return notReady("The node prepares itself.")
  // For a moment requests wait here for the next writer: if no node were ready meanwhile, balancers would refuse them.
  if (forwarding.reaches()) return ok()
  return notReady(
    nodes.writer()?.isServing === true
      ? "The node that writes cannot be reached from this one."
      : "No node takes requests at the moment."
  )
}

const urlOf = ({ host, port }: ServerSettings, server: RuntimeServer<unknown>): string => {
  const shown = host.includes(":") ? `[${host}]` : host
  return `${server.protocol ?? "http"}://${shown}:${server.port ?? port}`
}

const METRICS = "/metrics"

const OK = 200

/** The answer of the node that writes, which knows who may see metrics, with those of this one. */
const metered = (response: Response, { contentType, text }: ReturnType<typeof metricsFor>): Response =>
  response.status === OK ? new Response(text, { headers: { "content-type": contentType } }) : response

type Answer = (request: Request, peer: Peer, server: RuntimeServer<unknown>) => Promise<Response | undefined>

/** Answers callers while another node writes. */
const elsewhereOf = Effect.gen(function* () {
  const stream = yield* EdgeStream
  const reads = yield* EdgeReads
  const forwarding = yield* Forwarding
  const context = yield* Effect.context<never>()
  const withMetrics = async (...asked: Parameters<Answer>) => {
    const response = await forwarding.answer(...asked)
    const [{ headers }] = asked
    return response && metered(response, metricsFor(headers.get("accept"), context))
  }
  const forwarded = (path: string, ...asked: Parameters<Answer>): Promise<Response | undefined> =>
    path === METRICS ? withMetrics(...asked) : forwarding.answer(...asked)
  return (path: string, ...asked: Parameters<Answer>): Promise<Response | undefined> => {
    const [request, peer] = asked
    if (stream.serves(request)) return stream.answer(...asked)
    const read = reads.answer(request, peer)
    return read === undefined ? forwarded(path, ...asked) : read.then((given) => given ?? forwarded(path, ...asked))
  }
})

const make = Effect.gen(function* () {
  const { cluster, server: settings } = yield* Settings
  if (cluster === undefined) return yield* Effect.die(new Error("CLUSTER is off"))
  const forwarding = yield* Forwarding
  const nodes = yield* Nodes
  const listeners: Array<RuntimeServer<unknown>> = []
  const app = new LocalApp(() => listeners)
  const followers = new Followers(nodes.heard, nodes.isAlive)
  const edge = yield* EdgeStream
  const reads = yield* EdgeReads
  const elsewhereAnswered = yield* elsewhereOf
  const clock = yield* Clock.Clock
  const context = yield* Effect.context<never>()
  const handedOver = yield* Deferred.make<void>()
  const held = yield* heldSockets(() => app.sockets)
  const parts: NodeParts = {
    app,
    followers,
    held,
    carriers: new RequestCarriers(),
    credential: makeCredential(cluster.secret),
    lag: () => (app.isListening ? undefined : edge.lag()),
    handOver: () => Deferred.doneUnsafe(handedOver, Effect.void),
    now: () => clock.currentTimeMillisUnsafe(),
    run: Effect.runPromiseWith(context)
  }
  const standing: Standing = { isLeaving: false, isPrepared: false }

  const ofCaller = (request: Request, peer: Peer, server: RuntimeServer<unknown>) => {
    const path = pathOf(request.url)
    const askElsewhere = () => elsewhereAnswered(path, request, peer, server)
    const response =
      probed(path, { ...standing, app, forwarding, nodes }) ??
      (app.isListening ? app.answer(request, peer, server, askElsewhere) : askElsewhere())
    if (!standing.isLeaving) return response
    return response instanceof Promise ? response.then(closing) : closing(response)
  }

  const ofNode = (request: Request, _: Peer, server: RuntimeServer<unknown>) =>
    answerNode(parts, request, pathOf(request.url), server)

  const close = Effect.gen(function* () {
    standing.isLeaving = true
    yield* Effect.sleep(yield* LeaveNotice)
    for (const listener of listeners) void listener.stop()
    yield* edge.close
    forwarding.loseSockets("The node is shutting down.")
    const until = (yield* elapsedMillis) + DRAIN_LIMIT
    const pending = () => app.pending + forwarding.pending() + reads.pending()
    while (pending() > 0 && (yield* elapsedMillis) < until) yield* Effect.sleep(DRAIN_POLL)
    for (const listener of listeners) yield* Effect.promise(() => listener.stop(true))
  })

  const sockets = socketsOf(app)
  const toCallers = yield* listening(settings, { answer: ofCaller, sockets })
  yield* Effect.addFinalizer(() => close)
  listeners.push(toCallers)
  const { host, port } = cluster.listen
  const own = { ...settings, host: host.replace(/^\[|\]$/g, ""), port, tls: undefined }
  listeners.push(yield* listening(own, { answer: ofNode, sockets, idleSeconds: NEVER }))
  return NodeServer.of({
    app,
    followers,
    prepared: changed(standing, { isPrepared: true }),
    leave: changed(standing, { isLeaving: true }),
    isLeaving: () => standing.isLeaving,
    handedOver: Deferred.await(handedOver),
    url: urlOf(settings, toCallers)
  })
})
