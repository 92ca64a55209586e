import { Clock, Context, Deferred, Effect, Latch, Layer, Schedule, Scope } from "effect"
import { instrumentOf } from "../../engine/arena/Instrument.ts"
import { Diverged } from "../../engine/journal/JournalFollower.ts"
import { ApiError } from "../api/ApiError.ts"
import { ARENA_STREAM_PATH } from "../api/ArenaStreamProtocol.ts"
import { CommitmentRepository } from "../arena/CommitmentRepository.ts"
import { MedianRepository } from "../arena/MedianRepository.ts"
import { OrderRepository } from "../arena/OrderRepository.ts"
import { OrderSnapshotRepository } from "../arena/OrderSnapshotRepository.ts"
import { PublicOrders } from "../arena/PublicOrders.ts"
import { RecordedPrices } from "../arena/RecordedPrices.ts"
import { addressText } from "../ClusterSettings.ts"
import { Settings } from "../Config.ts"
import { directly } from "../database/BoundedClient.ts"
import * as Database from "../database/Database.ts"
import { type Unavailable, unavailableOrDie } from "../database/DatabaseError.ts"
import { JournalRepository } from "../database/JournalRepository.ts"
import { TablePosition } from "../database/ProjectedPosition.ts"
import { listenerOf, type Sockets } from "../http/HttpServer.ts"
import { pathOf as withoutQuery } from "../http/RequestRules.ts"
import { handlers } from "../http/WebSocketRoutes.ts"
import type { Peer, RuntimeServer } from "../runtime/ServerRuntime.ts"
import * as LiveStream from "../stream/LiveStream.ts"
import { ReplayRepository } from "../stream/ReplayRepository.ts"
import { StreamSource } from "../stream/StreamSource.ts"
import { type Admission, admissionOf } from "./Admission.ts"
import { makeCallerCheck } from "./CallerCheck.ts"
import { FollowedJournal } from "./FollowedJournal.ts"
import { GOING_AWAY } from "./ForwardedSocket.ts"
import { Forwarding, refused } from "./Forwarding.ts"
import { make as makeCredential } from "./NodeCredential.ts"
import { projectedNow } from "../database/NodeRepository.ts"
import { Nodes } from "./Nodes.ts"
import { borrowedQuotas } from "./SharedQuotas.ts"

/** The pause before a database that failed is asked again, and between two looks at the tables that somebody waits for. */
const AGAIN = "250 millis"
const LOOK = "5 millis"

/** Of the topics of this node's own clients: an app that listens on the same server has others. */
const NAME = "edge-"

/** What the stream is served from, once there is a node that writes. */
interface Served {
  readonly lag: () => number
  readonly stream: LiveStream.LiveStream
  readonly sockets: Sockets
}

/** `/ws/arena` of a node that does not write, from the journal that it follows. Who may connect the one that writes says. */
export class EdgeStream extends Context.Service<
  EdgeStream,
  {
    /** Whether this is a connection to the stream, and the node can serve it. */
    readonly serves: (request: Request) => boolean
    /** `undefined`: the request was upgraded. */
    readonly answer: (request: Request, peer: Peer, server: RuntimeServer<unknown>) => Promise<Response | undefined>
    /** Events that this node heard of and does not have; undefined where it follows none. */
    readonly lag: () => number | undefined
    /** Says goodbye, and closes the connections. */
    readonly close: Effect.Effect<void>
    /** Fails once the log of events is another one than this node told. */
    readonly diverged: Effect.Effect<never, Diverged>
  }
>()("emporion/cluster/EdgeStream") {
  static readonly layer = Layer.effect(
    this,
    Effect.suspend(() => make)
  ).pipe(Layer.provide(Database.layer))
}

const repositories = Layer.mergeAll(
  ReplayRepository.layer,
  JournalRepository.layer,
  OrderSnapshotRepository.layer,
  MedianRepository.layer,
  OrderRepository.layer,
  CommitmentRepository.layer
)

const following = Layer.mergeAll(FollowedJournal.layer, PublicOrders.layer, RecordedPrices.layer).pipe(
  Layer.provideMerge(repositories),
  Layer.provide(directly)
)

/**
 * Reads how far the tables are, as long as somebody waits for them. The position is the edge's own: an app of this process
 * that begins to write may not wait for tables that only it has follow.
 */
const tablesFollowed = Effect.gen(function* () {
  const position = TablePosition.make()
  const awaited = Latch.makeUnsafe(false)
  position.onWait(() => void awaited.openUnsafe())
  const look = Effect.gen(function* () {
    yield* awaited.await
    awaited.closeUnsafe()
    while (position.isAwaited) {
      position.reach((yield* projectedNow).seq)
      if (position.isAwaited) yield* Effect.sleep(LOOK)
    }
  })
  const again = Effect.andThen(
    Effect.sleep(AGAIN),
    Effect.sync(() => void awaited.openUnsafe())
  )
  yield* look.pipe(
    Effect.catch(() => again),
    Effect.forever,
    Effect.forkScoped
  )
  return position
})

type Tables = Effect.Success<typeof tablesFollowed>

const sourceOf = (
  { lastSeq, onCommit }: FollowedJournal["Service"],
  tables: Tables,
  end: Effect.Effect<number, Unavailable>
) => {
  tables.tell(lastSeq())
  return StreamSource.of({
    lastSeq: Effect.sync(lastSeq),
    end,
    onCommit: ({ isHeard, told }) =>
      onCommit({
        isHeard,
        told: (seq, events) => {
          tables.tell(seq)
          told({ seq, events, recorded: undefined })
        }
      })
  })
}

/** The log as it is read once the tables have what was told. */
const logOf = ({ epoch, read }: ReplayRepository["Service"], { reached }: Tables) =>
  ReplayRepository.of({ epoch, read: (...asked) => Effect.andThen(unavailableOrDie(reached), read(...asked)) })

/** The stream, and what fails once its log is another one. */
const live = Effect.gen(function* () {
  const followed = yield* FollowedJournal
  const tables = yield* tablesFollowed
  const log = logOf(yield* ReplayRepository, tables)
  const { epoch } = log
  const { serving } = yield* Nodes
  const journal = yield* JournalRepository
  const end = Effect.map(unavailableOrDie(journal.end), ({ seq }) => seq)
  const told = yield* epoch
  const stream = yield* LiveStream.make({
    name: NAME,
    watch: (watcher) =>
      followed.onNews((news) => {
        if (news._tag === "Changed") watcher(news.userId ?? undefined)
      })
  }).pipe(
    Effect.provideService(StreamSource, sourceOf(followed, tables, end)),
    Effect.provideService(ReplayRepository, log)
  )
  yield* followed.onNews((news) => {
    if (news._tag !== "Price") return
    const assetType = instrumentOf(news.asset)?.assetType
    if (assetType !== undefined) stream.publishPrice({ ...news, assetType })
  })
  const another = Effect.gen(function* () {
    const { replaced } = yield* serving
    const now = yield* Effect.orDie(Effect.retry(epoch, Schedule.spaced(AGAIN)))
    if (now !== told) return yield* new Diverged({ message: "The log of events begins anew: start this node again." })
    yield* replaced
  })
  const { lag, lastSeq } = followed
  return { lag, lastSeq, stream, diverged: Effect.raceFirst(followed.diverged, Effect.forever(another)) }
})

const stateOf = ({ claim }: Admission, isStillValid: ReturnType<typeof makeCallerCheck>) => ({
  caller: claim === null ? undefined : { principal: { userId: claim.userId }, isStillValid: isStillValid(claim) },
  connection: undefined
})

const isUpgrade = ({ headers, url }: Request): boolean =>
  headers.get("upgrade")?.toLowerCase() === "websocket" && pathOf(url) === ARENA_STREAM_PATH

const pathOf = (url: string): string => withoutQuery(url.slice(url.indexOf("/", url.indexOf("//") + 2)))

const make = Effect.gen(function* () {
  const { cluster, server: settings } = yield* Settings
  if (cluster === undefined) return yield* Effect.die(new Error("CLUSTER is off"))
  const nodes = yield* Nodes
  const forwarding = yield* Forwarding
  const clock = yield* Clock.Clock
  const scope = yield* Effect.scope
  const run = Effect.runPromiseWith(yield* Effect.context<never>())
  const credential = makeCredential(cluster.secret)
  const isStillValid = makeCallerCheck(nodes, credential)
  const quotas = yield* borrowedQuotas(nodes, credential, forwarding.asking, settings.rateLimits)
  const diverged = yield* Deferred.make<never, Diverged>()
  const now = () => clock.currentTimeMillisUnsafe()
  let served: Served | undefined

  const begin = Effect.gen(function* () {
    const { address } = yield* nodes.serving
    // A node that writes from the first has an app that serves it, for as long as it lives.
    if (address === addressText(cluster.address)) return
    const services = yield* Layer.buildWithScope(Layer.fresh(following), scope)
    const built = yield* Scope.provide(Effect.provideContext(live, services), scope)
    forwarding.follows(built.lastSeq)
    const { connections } = built.stream
    const routes = new Map([[ARENA_STREAM_PATH, handlers(connections)]])
    served = { lag: built.lag, stream: built.stream, sockets: { open: new Set(), now, routes } }
    yield* built.diverged.pipe(Effect.catch((error) => Deferred.fail(diverged, error)))
  })
  yield* begin.pipe(
    Effect.tapError((error) => Effect.logDebug("The stream cannot be served from the journal now", error)),
    Effect.retry(Schedule.spaced(AGAIN)),
    Effect.forkScoped
  )

  const upgrade = Effect.fnUntraced(function* (request: Request, peer: Peer, server: RuntimeServer<unknown>) {
    const path = ARENA_STREAM_PATH
    const askedAt = now()
    const response = yield* Effect.promise(() => forwarding.admit(request, peer))
    const admission = yield* admissionOf(response)
    if (served === undefined || admission === "refused") return response
    const { sockets, stream } = served
    stream.connections.listening(server as never)
    const place = quotas.admit(admission, askedAt)
    if (place instanceof ApiError) return refused(path, place.message, place.code)
    const state = stateOf(admission, isStillValid)
    const data = { path, state, place, holder: admission.holder, listener: listenerOf(sockets) }
    if (server.upgrade(request, { data, headers: admission.headers })) return undefined
    place.leave(now())
    return refused(path, "The WebSocket handshake is incomplete.", "invalid_request")
  })

  return EdgeStream.of({
    serves: (request) => served !== undefined && isUpgrade(request),
    answer: (...asked) => run(upgrade(...asked)),
    lag: () => served?.lag(),
    close: Effect.suspend(() => {
      if (served === undefined) return Effect.void
      const { sockets, stream } = served
      return Effect.map(stream.connections.shutdown, () => {
        for (const socket of sockets.open) socket.close(GOING_AWAY, "The node is shutting down.")
      })
    }),
    diverged: Deferred.await(diverged)
  })
})
