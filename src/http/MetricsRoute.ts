import { Context, Effect, Metric } from "effect"
import { HttpRouter, HttpServerRequest, HttpServerResponse } from "effect/http"
import * as ClientAddress from "./ClientAddress.ts"
import type { ExtraRoute } from "./EndpointTable.ts"
import * as ErrorResponse from "./ErrorResponse.ts"
import * as Prometheus from "./Prometheus.ts"
import { RequestState } from "./RequestState.ts"
import type { RequestFacts } from "./RequestState.ts"

const PATH = "/metrics"

export const routes: ReadonlyArray<ExtraRoute> = [{ method: "GET", path: PATH }]

/** A local caller without a proxy between, or an administrator. */
const refusalOf = (state: RequestFacts, forwarded: boolean) => {
  if (state.identity._tag === "Verified") {
    return state.identity.principal.role === "admin" ? undefined : ErrorResponse.make(state, "access_denied")
  }
  if (state.identity._tag === "Anonymous" && !forwarded && ClientAddress.isLoopback(state.peer)) return undefined
  return ErrorResponse.make(state, "unauthorized", state.unauthorizedReason)
}

const metrics = Effect.withFiber<HttpServerResponse.HttpServerResponse>((fiber) => {
  const state = Context.getUnsafe(fiber.context, RequestState)
  const request = Context.getUnsafe(fiber.context, HttpServerRequest.HttpServerRequest)
  state.route = PATH
  const refusal = refusalOf(state, request.headers["x-forwarded-for"] !== undefined)
  if (refusal !== undefined) return Effect.succeed(refusal)
  const text = Prometheus.render(Metric.snapshotUnsafe(fiber.context))
  return Effect.succeed(HttpServerResponse.text(text, { contentType: "text/plain; version=0.0.4; charset=utf-8" }))
})

/** `GET /metrics` in Prometheus' text format, for callers on this machine or with an administrator's token. */
export const layer = HttpRouter.add("GET", PATH, metrics)
