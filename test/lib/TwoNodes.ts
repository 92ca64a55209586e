import { Context, Effect, Exit, Layer, Scope } from "effect"
import { EdgeReads } from "../../src/cluster/EdgeReads.ts"
import { EdgeStream } from "../../src/cluster/EdgeStream.ts"
import * as FollowerFeed from "../../src/cluster/FollowerFeed.ts"
import type { Followers } from "../../src/cluster/Followers.ts"
import { Forwarding } from "../../src/cluster/Forwarding.ts"
import { LeaveNotice, NodeServer } from "../../src/cluster/NodeServer.ts"
import { ServingNow } from "../../engine/cluster/ServingNow.ts"
import { Nodes } from "../../src/cluster/Nodes.ts"
import { Settings } from "../../src/Config.ts"
import type { Writer } from "../../src/database/NodeRepository.ts"
import { ServerRuntime } from "../../src/runtime/ServerRuntime.ts"
import { freePort } from "./FreePort.ts"
import { SHORT_SLOTS } from "./OpenedArena.ts"
import { type TestDatabase, testDatabase } from "./TestDatabase.ts"
import * as TestRuntime from "./TestRuntime.ts"
import { NO_NEWS } from "./WritingNodes.ts"
import { TestServer, type Variables } from "./TestServer.ts"

const variablesOf = (address: string, databaseUrl: string): Variables => ({
  PORT: "0",
  APP_MODE: "sandbox",
  CLUSTER: "on",
  NODE_ADDRESS: address,
  CLUSTER_SECRET: "a secret of thirty-two characters",
  PUBLIC_URL: "http://emporion.example",
  RATE_LIMITS: "off",
  DATABASE_URL: databaseUrl
})

/** As a node sees the others: one of them writes, until another one is elected. */
const nodesOf = (serving: ServingNow<Writer>) =>
  Layer.succeed(
    Nodes,
    Nodes.of({
      writer: () => serving.now,
      serving: serving.get,
      servingNow: () => serving.now,
      isAlive: () => true,
      ...NO_NEWS
    })
  )

const writerAt = (address: string, term: bigint): Writer => ({
  address,
  term,
  holder: String(term),
  isServing: true
})

/** A node that writes, as another one finds it at an address. */
const servingAt = (address: string): ServingNow<Writer> => {
  const serving = new ServingNow<Writer>()
  serving.look(writerAt(address, 1n))
  return serving
}

const feedOf = Effect.fnUntraced(function* (server: TestServer, followers: Followers) {
  const scope = yield* Scope.make()
  yield* server.run(Layer.buildWithScope(FollowerFeed.layerOf(followers), scope))
  return scope
})

/**
 * One node that writes and one that does not, in this process, on one database, with further settings.
 *
 * @param via - where the other node reaches the one that writes, by its address: there, unless told
 * @param urlOf - where the other node finds their database
 */
export const twoNodesWith = Effect.fnUntraced(function* (
  own: Variables,
  via: (address: string) => Effect.Effect<string, never, Scope.Scope> = Effect.succeed,
  urlOf: (database: TestDatabase) => Effect.Effect<string, never, Scope.Scope> = ({ url }) => Effect.succeed(url)
) {
  const database = yield* Effect.orDie(testDatabase)
  const [writes, other] = [`127.0.0.1:${yield* freePort}`, `127.0.0.1:${yield* freePort}`]
  const nodeOf = (address: string, serving: ServingNow<Writer>, databaseUrl: string) =>
    Layer.build(
      Layer.fresh(NodeServer.layer).pipe(
        Layer.provideMerge(Layer.fresh(Layer.merge(EdgeStream.layer, EdgeReads.layer))),
        Layer.provideMerge(Layer.fresh(Forwarding.layer)),
        Layer.provide(nodesOf(serving)),
        Layer.provide(Layer.succeed(LeaveNotice, 0)),
        Layer.provide(
          Layer.merge(TestRuntime.layer, Settings.layerOf({ ...variablesOf(address, databaseUrl), ...own }))
        )
      )
    )
  const writer = Context.get(yield* Effect.orDie(nodeOf(writes, servingAt(writes), database.url)), NodeServer)
  let listening = writer
  const runtime = Layer.merge(
    TestRuntime.layer,
    Layer.succeed(ServerRuntime, ServerRuntime.of({ listen: (options) => listening.app.listen(options) }))
  )
  const variables = { ...SHORT_SLOTS, ...variablesOf(writes, database.url), ...own }
  const server = yield* TestServer.makeOn(database, variables, runtime)
  let feed = yield* feedOf(server, writer.followers)
  yield* Effect.addFinalizer(() => Scope.close(feed, Exit.void))
  const found = servingAt(yield* via(writes))
  const edge = yield* Effect.orDie(nodeOf(other, found, yield* urlOf(database)))
  return {
    server,
    /** Of the node that writes, and of the other one, for callers. */
    urls: [writer.url, Context.get(edge, NodeServer).url] as const,
    edge: Context.get(edge, EdgeStream),
    /** Requests that the other node forwards, and that have no answer yet. */
    forwarding: Effect.sync(() => Context.get(edge, Forwarding).pending()),
    /** The other node goes away, as far as callers see it whose connections lead through it. */
    leave: Effect.sync(() => Context.get(edge, Forwarding).loseSockets("The node is shutting down.")),
    /** From now on the followers are told of nothing. */
    silence: Effect.suspend(() => Scope.close(feed, Exit.void)),
    /** The other node is elected: the app ends where it was, and begins there. */
    elect: Effect.gen(function* () {
      yield* Scope.close(feed, Exit.void)
      listening = Context.get(edge, NodeServer)
      found.look(undefined)
      yield* server.restart({ ...variables, ...variablesOf(other, database.url), ...own })
      feed = yield* feedOf(server, listening.followers)
      found.look(writerAt(other, 2n))
    }),
    /** Another app takes over on the node that writes. */
    restart: Effect.gen(function* () {
      yield* Scope.close(feed, Exit.void)
      yield* server.restart()
      feed = yield* feedOf(server, writer.followers)
    })
  }
})

/** The same with the usual ones. */
export const twoNodes = Effect.suspend(() => twoNodesWith({}))
