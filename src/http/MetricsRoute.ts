import { Context, Effect, Layer, Metric } from "effect"
import { HttpRouter, HttpServerRequest, HttpServerResponse } from "effect/http"
import { PrometheusMetrics } from "effect/observability"
import { Settings } from "../Config.ts"
import type { ServerSettings } from "../Config.ts"
import * as ClientAddress from "./ClientAddress.ts"
import type { ExtraRoute } from "./EndpointTable.ts"
import * as ErrorResponse from "./ErrorResponse.ts"
import * as OpenMetrics from "./OpenMetrics.ts"
import { within } from "../Network.ts"
import { toRouted } from "./PlainResponse.ts"
import { RequestState } from "../RequestState.ts"
import type { RequestFacts } from "../RequestState.ts"

const PATH = "/metrics"

export const routes: ReadonlyArray<ExtraRoute> = [{ method: "GET", path: PATH }]

/** Names under which a caller on this machine reaches it. */
const LOCAL_HOST = /^(localhost|127(\.\d{1,3}){3}|\[::1\])(:\d{1,5})?$/i

/**
 * The headers that a scraper, a command line or a browser sends by itself, and the position that another node adds. Any
 * other header betrays a proxy: there are more names for the forwarded address than a list could hold.
 */
const OWN_HEADERS =
  /^(host|connection|keep-alive|user-agent|accept(-encoding|-language|-charset)?|cache-control|pragma|cookie|dnt|priority|upgrade-insecure-requests|sec-[a-z-]+|traceparent|tracestate|x-request-id|x-prometheus-scrape-timeout-seconds|emporion-position)$/

const isOwnCall = (headers: Readonly<Record<string, string | undefined>>): boolean =>
  LOCAL_HOST.test(headers["host"] ?? "") && Object.keys(headers).every((name) => OWN_HEADERS.test(name))

/**
 * Whether a request from this machine may come from a proxy: one is named there, or the callers' https ends elsewhere.
 */
const proxiedFrom = ({ publicUrl, tls, trustedProxies }: ServerSettings): ((peer: string) => boolean) => {
  const isProxy = within(trustedProxies)
  const endsElsewhere = tls === undefined && publicUrl?.protocol === "https:"
  return (peer) => endsElsewhere || isProxy(peer)
}

/** A local caller without a proxy in between, or an administrator. */
const refusalOf = (state: RequestFacts, isLocal: boolean) => {
  if (state.identity._tag === "Verified") {
    return state.identity.principal.role === "admin" ? undefined : ErrorResponse.make(state, "access_denied")
  }
  if (state.identity._tag === "Anonymous" && isLocal) return undefined
  return ErrorResponse.make(state, "unauthorized", state.unauthorizedReason)
}

/** Every metric in Prometheus' text format. Counters end in `_total`, as its conventions ask. */
export const render = (context: Context.Context<never>): string => {
  const counters = new Set(
    Metric.snapshotUnsafe(context).flatMap(({ id, type }) => (type === "Counter" || type === "Frequency" ? [id] : []))
  )
  return PrometheusMetrics.formatUnsafe(context, {
    metricNameMapper: (id) => (counters.has(id) && !id.endsWith("_total") ? `${id}_total` : id)
  })
}

/** Every metric in the format that an `Accept` asks for: OpenMetrics, else Prometheus' text format. */
export const metricsFor = (accept: string | null | undefined, context: Context.Context<never>) =>
  OpenMetrics.wantsOpenMetrics(accept)
    ? { contentType: OpenMetrics.OPEN_METRICS, text: OpenMetrics.render(context) }
    : { contentType: OpenMetrics.PLAIN, text: render(context) }

const metrics = (isProxied: (peer: string) => boolean) =>
  Effect.withFiber<HttpServerResponse.HttpServerResponse>((fiber) => {
    const state = Context.getUnsafe(fiber.context, RequestState)
    const { headers } = Context.getUnsafe(fiber.context, HttpServerRequest.HttpServerRequest)
    state.route = PATH
    const isLocal = ClientAddress.isLoopback(state.peer) && !isProxied(state.peer) && isOwnCall(headers)
    const refusal = refusalOf(state, isLocal)
    if (refusal !== undefined) return Effect.succeed(toRouted(refusal))
    const { contentType, text } = metricsFor(headers["accept"], fiber.context)
    return Effect.succeed(HttpServerResponse.text(text, { contentType }))
  })

/** `GET /metrics` in Prometheus' text format or as OpenMetrics, for callers on this machine or with an administrator's token. */
export const layer = Layer.unwrap(
  Effect.map(Settings, ({ server }) => HttpRouter.add("GET", PATH, metrics(proxiedFrom(server))))
)
