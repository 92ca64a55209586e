import { Context, Effect, Exit, Layer, Metric, Request as Asked, RequestResolver } from "effect"
import { HttpServerRequest } from "effect/http"
import type { SqlError } from "effect/sql/SqlError"
import { isBehind, type Position, POSITION_WAIT, positionOf, positionText } from "../../engine/cluster/Position.ts"
import { Api } from "../api/Api.ts"
import { arenaReads } from "../arena/ArenaReads.ts"
import { CommitmentRepository } from "../arena/CommitmentRepository.ts"
import { OrderRepository } from "../arena/OrderRepository.ts"
import { productReads } from "../commerce/ProductReads.ts"
import { ProductRepository } from "../commerce/ProductRepository.ts"
import { Settings } from "../Config.ts"
import { Direct, directly } from "../database/BoundedClient.ts"
import * as Database from "../database/Database.ts"
import { type Projected, projectedNow } from "../database/NodeRepository.ts"
import { POSITION } from "../http/AnswerPosition.ts"
import type { Match } from "../http/EndpointTable.ts"
import { type FastEndpoint, type Handler, withHandlers } from "../http/FastEndpoints.ts"
import type { AdmittedRead } from "../http/HttpConventions.ts"
import { pathOf } from "../http/RequestRules.ts"
import { RequestFacts, RequestState } from "../RequestState.ts"
import type { Peer } from "../runtime/ServerRuntime.ts"
import { makeReadAdmission } from "./AskedReads.ts"
import { table } from "./ContractTable.ts"
import { Forwarding } from "./Forwarding.ts"
import { make as makeCredential } from "./NodeCredential.ts"
import { Nodes } from "./Nodes.ts"

/** The pause between two looks at the tables that a read waits for. */
const LOOK = "5 millis"

/** How long this node tries, before the node that writes is to answer. */
const LIMIT = "1 second"

const OK = 200

const answeredReads = Metric.counter("emporion_edge_reads", {
  description: "Reads that this node, which does not write, answered itself",
  incremental: true
})

/**
 * What a node answers itself, by the group of the contract and the endpoint's name. Only what reads tables alone may stand
 * here: nothing in the memory of the node that writes, and no answers that were kept.
 */
const reads = Effect.zipWith(
  arenaReads,
  productReads,
  (arena, products): Readonly<Record<string, Readonly<Record<string, unknown>>>> => ({ arena, products })
)

const repositories = Layer.mergeAll(OrderRepository.layer, CommitmentRepository.layer, ProductRepository.layer).pipe(
  Layer.provide(directly)
)

/** Reads of a node that does not write, answered from the tables. */
export class EdgeReads extends Context.Service<
  EdgeReads,
  {
    /**
     * The response, if the node can give it itself, as new as one of the node that writes; else undefined: that one has to
     * be asked. At once where it is no such read.
     */
    readonly answer: (request: Request, peer: Peer) => Promise<Response | undefined> | undefined
    /** Reads that have no answer yet. */
    readonly pending: () => number
  }
>()("emporion/cluster/EdgeReads") {
  static readonly layer = Layer.effect(
    this,
    Effect.suspend(() => make)
  ).pipe(Layer.provide(Database.layer))
}

class Look extends Asked.TaggedClass("Look")<Record<never, never>, Projected, SqlError> {}

/** How far the tables are from now on: those who ask at once share a look. */
const makeLook = Effect.map(Direct, (sql): Effect.Effect<Projected, SqlError> => {
  const resolver = RequestResolver.make<Look>((entries) =>
    Effect.map(
      Effect.exit(Effect.provideService(projectedNow, Direct, sql)),
      (exit: Exit.Exit<Projected, SqlError>) => {
        for (const entry of entries) entry.completeUnsafe(exit)
      }
    )
  )
  return Effect.request(new Look(), resolver)
})

/**
 * Waits until the tables have all up to an event. Answers whether they have it in time, and the node that admitted the read
 * was still the last that may write: then nobody was acknowledged more before the read began.
 */
const reached = (look: Effect.Effect<Projected, SqlError>, seq: number, term: bigint) =>
  Effect.gen(function* () {
    let now = yield* look
    while (now.seq < seq && now.term === term) {
      yield* Effect.sleep(LOOK)
      now = yield* look
    }
    return now.term === term
  }).pipe(Effect.timeoutOrElse({ duration: POSITION_WAIT, orElse: () => Effect.succeed(false) }))

/** A read, and what answers it. */
interface Read {
  readonly request: Request
  readonly server: HttpServerRequest.HttpServerRequest
  readonly peer: Peer
  readonly match: Match
  readonly endpoint: FastEndpoint
}

/** What an admitted read answers by its handler; undefined where that is not 200. */
const handled = Effect.fnUntraced(function* ({ endpoint, match, peer, server }: Read, { principal }: AdmittedRead) {
  const facts = new RequestFacts(peer.address)
  facts.path = pathOf(server.url)
  facts.identity = { _tag: "Verified", principal }
  const call = { facts, principal, keyed: undefined, request: server, params: match.params, text: undefined }
  const prepared = endpoint.prepare(call)
  if (prepared === undefined) return undefined
  const answering = "answering" in prepared ? prepared.answering : prepared
  const { body, headers, status } = yield* answering.pipe(
    Effect.provideService(RequestState, facts),
    Effect.provideService(HttpServerRequest.HttpServerRequest, server)
  )
  if (status !== OK || body === undefined) return undefined
  return { body, headers: facts.link === undefined ? headers : { ...headers, link: facts.link } }
})

/** What the answer must not be older than: what the node that writes had, and what the caller and this node know of. */
const requiredOf = (shown: Position, required: Position | undefined): Position | undefined => {
  if (required === undefined) return shown
  if (required.epoch !== shown.epoch) return undefined
  return isBehind(shown, required) ? required : shown
}

const endpointsOf = Effect.map(reads, (groups) =>
  withHandlers(Api, ({ identifier: group }, { identifier }) => groups[group]?.[identifier] as Handler | undefined)
)

const make = Effect.gen(function* () {
  const { cluster } = yield* Settings
  if (cluster === undefined) return yield* Effect.die(new Error("CLUSTER is off"))
  const nodes = yield* Nodes
  const { acknowledged } = yield* Forwarding
  const look = yield* makeLook
  const context = yield* Effect.context<never>()
  const run = Effect.runPromiseWith(context)
  const admission = makeReadAdmission(nodes, makeCredential(cluster.secret))
  const services = yield* Layer.buildWithScope(Layer.fresh(repositories), yield* Effect.scope)
  const endpoints = yield* Effect.provideContext(endpointsOf, services)

  const answered = Effect.fnUntraced(function* (read: Read) {
    const { peer, request, server } = read
    const given = request.headers.get(POSITION)
    const asked = given === null ? undefined : positionOf(given)
    if (given !== null && asked === undefined) return undefined
    const before = acknowledged.required(asked)
    const admitted = yield* admission(request, server.url, peer.address)
    const shown = positionOf(admitted?.headers[POSITION] ?? "")
    const required = shown === undefined ? undefined : requiredOf(shown, before)
    if (admitted === undefined || required === undefined) return undefined
    if (!(yield* reached(look, required.seq, admitted.term))) return undefined
    const answer = yield* handled(read, admitted)
    if (answer === undefined) return undefined
    // Whatever the answer shows was there by now.
    const position = { epoch: required.epoch, seq: Math.max(required.seq, (yield* look).seq) }
    acknowledged.note(position)
    answeredReads.updateUnsafe(1, context)
    const headers = { ...admitted.headers, ...answer.headers, [POSITION]: positionText(position) }
    return new Response(answer.body, { headers })
  })

  let pending = 0
  return EdgeReads.of({
    pending: () => pending,
    answer: (request, peer) => {
      if (request.method !== "GET" || nodes.writer()?.isServing !== true) return undefined
      const server = HttpServerRequest.fromWeb(request)
      const match = table.find("GET", pathOf(server.url))
      const endpoint = match?.entry.endpoint === undefined ? undefined : endpoints.get(match.entry.endpoint)
      if (match === undefined || endpoint === undefined) return undefined
      pending += 1
      return run(
        answered({ request, server, peer, match, endpoint }).pipe(
          Effect.timeoutOrElse({ duration: LIMIT, orElse: () => Effect.undefined }),
          Effect.catchCause((cause) =>
            Effect.as(Effect.logDebug("A read is answered where somebody writes", cause), undefined)
          )
        )
      ).finally(() => {
        pending -= 1
      })
    }
  })
})
