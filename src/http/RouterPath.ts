import { Context, Effect } from "effect"
import type { Scope, Types } from "effect"
import { HttpEffect, HttpMiddleware, HttpServerRequest, HttpServerResponse } from "effect/http"
import type { EndpointTable } from "./EndpointTable.ts"
import * as ErrorResponse from "./ErrorResponse.ts"
import { ofRouted, type PlainResponse, toRouted } from "./PlainResponse.ts"
import { type RequestFacts, RequestState } from "../RequestState.ts"

type Routed = HttpServerResponse.HttpServerResponse

/** What every handler finds of its request. */
export type RequestServices = HttpServerRequest.HttpServerRequest | RequestState

/** The router's own effect. It finds everything else that it needs in the server's context. */
export type RouterEffect = Effect.Effect<Routed, Types.unhandled, RequestServices | Scope.Scope>

/** The router refuses a content type in plain text, without those that the operation takes. */
const named = (
  facts: RequestFacts,
  response: Routed,
  find: EndpointTable["find"]
): Effect.Effect<Routed, never, RequestServices> =>
  response.status === 415
    ? Effect.map(HttpServerRequest.HttpServerRequest, ({ method }) =>
        toRouted(ErrorResponse.otherMedia(facts, find(method, facts.path)?.entry.media ?? []))
      )
    : Effect.succeed(response)

/** The way through the router. It never fails: a failure behind it is a response. */
export const make = (
  router: RouterEffect,
  { allowed, find }: EndpointTable
): Effect.Effect<PlainResponse, never, RequestServices> => {
  const responses = new WeakMap<object, Routed>()
  const told = Effect.flatMap(RequestState, (facts) =>
    Effect.matchCauseEffect(router, {
      onSuccess: (response) => named(facts, response, find),
      onFailure: (cause) => Effect.map(ErrorResponse.ofCause(facts, cause, allowed), toRouted)
    })
  )
  // Work that precedes sending a response, such as setting a cookie, ends here. A stream keeps its request's scope.
  const handled = HttpEffect.toHandled(told, (request, response) => {
    const isEmpty = HttpServerResponse.omitsBody(response, request.method === "HEAD")
    responses.set(request, isEmpty ? response : HttpEffect.scopeTransferToStream(response))
    return Effect.void
  })
  const once = Effect.provideService(handled, HttpMiddleware.TracerDisabledWhen, () => true)
  return Effect.withFiber((fiber) => {
    const request = Context.getUnsafe(
      fiber.context as Context.Context<RequestServices>,
      HttpServerRequest.HttpServerRequest
    )
    return Effect.map(once, () => ofRouted(responses.get(request) ?? HttpServerResponse.empty({ status: 500 })))
  })
}
