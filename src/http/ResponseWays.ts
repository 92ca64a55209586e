/** The ways from a request to its response, from the shortest to the router. */

import { Effect } from "effect"
import type { HttpApiEndpoint } from "effect/http-api"
import { refusalOf } from "./Authorizing.ts"
import type { AnswerSource } from "./CachedResponses.ts"
import type { EndpointTable } from "./EndpointTable.ts"
import type { Exchange } from "./Exchange.ts"
import type { Answering, DirectAnswering, FastEndpoint } from "./FastEndpoints.ts"
import { JSON_TYPE, ofJson, type PlainResponse } from "./PlainResponse.ts"
import { lengthOf } from "./RequestRules.ts"
import * as RouterPath from "./RouterPath.ts"

/** A response, or what makes one. */
export type Outcome = PlainResponse | Answering | DirectAnswering

export const isPending = (outcome: Outcome): outcome is Answering => Effect.isEffect(outcome)

export const isDirect = (outcome: PlainResponse | DirectAnswering): outcome is DirectAnswering => "begin" in outcome

/** The same in a fiber. */
export const toPending = (outcome: Outcome): Answering => {
  if (isPending(outcome)) return outcome
  return isDirect(outcome) ? outcome.answering : Effect.succeed(outcome)
}

/** A way to the response of a request whose caller may ask. */
export type Inner = (exchange: Exchange) => Outcome

/** The ways there are. */
export interface Ways {
  /** Answers from bytes in memory; undefined if there are none. */
  readonly kept: (exchange: Exchange) => PlainResponse | undefined
  /** Answers with the endpoint's handler alone; undefined if the request needs the router. */
  readonly fast: (exchange: Exchange) => Outcome | undefined
  readonly routed: Inner
  /** The first of them that has a response. */
  readonly first: Inner
  /** The endpoint that may serve a request without the router. */
  readonly fastOf: (exchange: Exchange) => FastEndpoint | undefined
}

const isAdmitted = ({ facts: { principal } }: Exchange, { access }: Pick<FastEndpoint, "access">): boolean =>
  principal !== undefined && refusalOf(access, principal) === undefined

/** Whether a body has the form that a fast endpoint takes. */
const isPlain = ({ facts, request, target }: Exchange): boolean =>
  request.headers.get("content-type") === JSON_TYPE &&
  lengthOf(request) !== undefined &&
  target.length === facts.path.length

/** The ways of a server, from the shortest to the router, which takes everything. */
export const waysOf = (
  table: EndpointTable,
  answers: AnswerSource,
  endpoints: ReadonlyMap<HttpApiEndpoint.Top, FastEndpoint>,
  router: RouterPath.RouterEffect
): Ways => {
  const throughRouter = RouterPath.make(router, table)
  const routed: Inner = () => throughRouter

  const kept: Ways["kept"] = (exchange) => {
    const { facts, now, request, target } = exchange
    const found = request.method === "GET" ? answers.find(target, now) : undefined
    if (found === undefined || !isAdmitted(exchange, found)) return undefined
    facts.route = found.route
    return ofJson(200, found.answer.body, found.answer.headers)
  }

  const fastOf: Ways["fastOf"] = (exchange) => {
    const endpoint = exchange.match?.entry.endpoint
    const found = endpoint === undefined ? undefined : endpoints.get(endpoint)
    if (found === undefined || !isAdmitted(exchange, found)) return undefined
    return found.takesBody && !isPlain(exchange) ? undefined : found
  }

  const fast: Ways["fast"] = ({ facts, fast: endpoint, keyed, match, server, text }) =>
    endpoint === undefined || match === undefined || facts.principal === undefined
      ? undefined
      : endpoint.prepare({ facts, principal: facts.principal, keyed, request: server, params: match.params, text })

  return { kept, fast, routed, fastOf, first: (exchange) => kept(exchange) ?? fast(exchange) ?? throughRouter }
}
