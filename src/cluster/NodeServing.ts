import { Cause, Effect, type Fiber, Layer, type Redacted } from "effect"
import * as App from "../App.ts"
import * as StartCheck from "../checks/StartCheck.ts"
import { addressText, type NodeAddress } from "../ClusterSettings.ts"
import { Settings } from "../Config.ts"
import * as Database from "../database/Database.ts"
import * as Migrations from "../database/Migrations.ts"
import { ProcessLock } from "../database/ProcessLock.ts"
import { WriterAddress, WriterTerm } from "../database/WriterTerm.ts"
import { CompileAsUsual } from "../runtime/Compilation.ts"
import { ServerRuntime } from "../runtime/ServerRuntime.ts"
import * as Election from "./Election.ts"
import * as Banner from "../sandbox/Banner.ts"
import { EdgeReads } from "./EdgeReads.ts"
import { EdgeStream } from "./EdgeStream.ts"
import { AskLags } from "../http/NodeLags.ts"
import * as FollowerFeed from "./FollowerFeed.ts"
import { Forwarding } from "./Forwarding.ts"
import { NodeServer } from "./NodeServer.ts"
import { nodeLags } from "./LagInquiry.ts"
import { Nodes } from "./Nodes.ts"
import { rehearse } from "./Rehearsal.ts"

/** Ends the process, which may no longer write. Its supervisor restarts it as an ordinary node. */
export type Exit = (why: { readonly message: string }) => Effect.Effect<never>

const DEMOTED = "Another node writes from now on: this one ends, to be started again."

/** How long the app of a node that may no longer write has to end, in milliseconds. */
const END_LIMIT = 12_000

/** A node that waits to be elected. */
interface Standby {
  readonly node: NodeServer["Service"]
  readonly address: string
  readonly exit: Exit
  /** Prepares what takes time and does not depend on who writes: the connections to the database. */
  readonly memoMap: Layer.MemoMap
  /** Prepares the code. */
  readonly rehearsal: Fiber.Fiber<void>
}

/** The app asks the other nodes how far they are behind it. */
const lags = Layer.effect(
  AskLags,
  Effect.map(
    Settings,
    ({ cluster }) =>
      (found) =>
        cluster === undefined ? Effect.succeed(new Map()) : nodeLags(found, cluster.secret)
  )
)

/** The app, on the listeners of its node, and what it tells the nodes that follow. */
const app = (node: NodeServer["Service"]) =>
  FollowerFeed.layerOf(node.followers).pipe(
    Layer.provideMerge(App.layer),
    Layer.provide(Layer.succeed(ServerRuntime, ServerRuntime.of({ listen: node.app.listen }))),
    Layer.provide(lags)
  )

/** What the elected node does while it is elected. If that ends early, the process ends. */
const lead = Effect.fnUntraced(function* (
  { address, exit, memoMap, node, rehearsal }: Standby,
  resign: Effect.Effect<void>
) {
  yield* Effect.logInfo("This node was elected to write.")
  rehearsal.interruptUnsafe()
  // This comes last: the app has ended by then.
  yield* Effect.addFinalizer(() =>
    node.isLeaving() ? Effect.logDebug("This node writes no more.") : exit({ message: DEMOTED })
  )
  const late = Effect.suspend(() =>
    node.isLeaving()
      ? Effect.void
      : Effect.andThen(resign, Effect.forkDetach(Effect.delay(exit({ message: DEMOTED }), END_LIMIT)))
  )
  const writing = Effect.gen(function* () {
    const services = yield* Layer.buildWithMemoMap(app(node), memoMap, yield* Effect.scope)
    return yield* Effect.gen(function* () {
      const { lost } = yield* ProcessLock
      const { deposed, serve } = yield* WriterTerm
      yield* serve
      yield* Effect.logInfo("This node takes requests as the one that writes.")
      yield* Banner.print
      return yield* Effect.raceFirst(lost, deposed)
    }).pipe(Effect.provideContext(services))
  })
  return yield* writing.pipe(
    Effect.provideService(WriterAddress, address),
    Effect.onInterrupt(() => late),
    Effect.catchCause((cause) =>
      Cause.hasInterruptsOnly(cause) ? Effect.failCause(cause as Cause.Cause<never>) : exit(messageOf(cause))
    )
  )
})

const messageOf = (cause: Cause.Cause<unknown>): { readonly message: string } => {
  const error = Cause.squash(cause)
  return error instanceof Error ? error : { message: Cause.pretty(cause) }
}

const node = NodeServer.layer.pipe(
  Layer.provideMerge(Layer.merge(EdgeStream.layer, EdgeReads.layer)),
  Layer.provideMerge(Forwarding.layer),
  Layer.provideMerge(Election.membership)
)

/**
 * A node of an older version could not write where a newer one has migrated, and none has the time of a clock that was set, so it does not
 * begin.
 */
const fit = (url: Redacted.Redacted) =>
  StartCheck.node.pipe(
    Layer.provideMerge(Layer.effectDiscard(Migrations.status())),
    Layer.provide(Database.layerOf({ ...Database.urlPool(url), minConnections: 1, maxConnections: 1 }))
  )

/**
 * One node of several, until it is interrupted. It serves callers from its start on, and forwards their requests to the
 * node that writes. If it is elected, it is that node.
 */
export const serving = Effect.fnUntraced(function* (exit: Exit) {
  const { cluster, database } = yield* Settings
  if (cluster === undefined || database.url === undefined) return yield* Effect.die(new Error("CLUSTER is off"))
  yield* Effect.scoped(Layer.build(fit(database.url)))
  const memoMap = yield* Layer.makeMemoMap
  const services = yield* Layer.buildWithMemoMap(node, memoMap, yield* Effect.scope)
  yield* lasting(cluster.address, exit, memoMap).pipe(Effect.scoped, Effect.provideContext(services))
}, Effect.scoped)

/** Until the node is to end. */
const lasting = Effect.fnUntraced(function* (own: NodeAddress, exit: Exit, memoMap: Layer.MemoMap) {
  const node = yield* NodeServer
  const { diverged } = yield* EdgeStream
  const address = addressText(own)
  yield* Effect.logInfo(`Node ${address} serves on ${node.url}.`)
  const { serving } = yield* Nodes
  const compileAsUsual = yield* CompileAsUsual
  const rehearsal = yield* Effect.forkScoped(
    serving.pipe(
      Effect.flatMap((writer) => (writer.address === address ? Effect.void : rehearse)),
      Effect.ensuring(Effect.andThen(compileAsUsual, node.prepared))
    )
  )
  yield* Layer.build(Election.layer(own, (resign) => lead({ node, address, exit, memoMap, rehearsal }, resign)))
  yield* Effect.addFinalizer(() => Effect.andThen(Effect.logDebug("This node leaves."), node.leave))
  yield* Effect.raceFirst(node.handedOver, diverged.pipe(Effect.catch(exit)))
  yield* Effect.logInfo("This node was asked to let another one write: it ends, to be started again.")
})
