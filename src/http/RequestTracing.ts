/** Which requests a trace is made of, and the span of one. */

import { Effect, Option, type Tracer } from "effect"
import { Headers as EffectHeaders, HttpMiddleware, HttpServerResponse, HttpTraceContext } from "effect/http"
import type { RequestFacts } from "../RequestState.ts"
import type { ArrivedRequest } from "../runtime/ServerRuntime.ts"
import type { PlainResponse } from "./PlainResponse.ts"
import type { RequestServices } from "./RouterPath.ts"

/** Switching protocols. RFC 9110, section 15.2.2. */
const UPGRADED = 101

type Told<Sent> = Effect.Effect<Sent, never, RequestServices>

/** What names a caller's trace, first in order: W3C Trace Context, 3.2, and both forms of B3. */
const NAMING = ["traceparent", "b3", "x-b3-traceid"]

const MORE = ["x-b3-spanid", "x-b3-sampled", "x-b3-flags"]

const NOTHING = /^0+$/

/** The caller's span, read as where the request's own is made below it; a trace of zeros alone is none. */
export const parentOf = (headers: ArrivedRequest["headers"]): Option.Option<Tracer.ExternalSpan> => {
  if (NAMING.every((name) => headers.get(name) === null)) return Option.none()
  const given = [...NAMING, ...MORE].flatMap((name) => {
    const value = headers.get(name)
    return value === null ? [] : [[name, value] as const]
  })
  const parent = HttpTraceContext.fromHeaders(EffectHeaders.fromRecordUnsafe(Object.fromEntries(given)))
  return Option.filter(parent, ({ traceId }) => !NOTHING.test(traceId))
}

const TRACE_DIGITS = 32

const TRACE = /^[0-9a-f]{32}$/

/** A trace's id as it is exported: callers may name shorter ones, which are padded. Undefined where it is no id. */
export const exportedTrace = (traceId: string | undefined): string | undefined => {
  const whole = traceId?.toLowerCase().padStart(TRACE_DIGITS, "0")
  return whole !== undefined && TRACE.test(whole) ? whole : undefined
}

/** Digits of a trace's id that count, which are random (W3C Trace Context, level 2). */
const DIGITS = 8

/**
 * Chooses a share of the requests by chance. Of those that belong to a caller's trace, its id decides, so that every
 * server that is asked for the same share chooses the same traces, and the caller may leave its own out.
 *
 * @param share - from 0 to 1
 * @param random - the next number from 0 up to 1
 */
export const sampling =
  (share: number, random: () => number) =>
  (headers: ArrivedRequest["headers"]): boolean => {
    const parent = Option.getOrUndefined(parentOf(headers))
    if (parent === undefined) return share >= 1 || random() < share
    if (!parent.sampled) return false
    return Number.parseInt(parent.traceId.slice(-DIGITS), 16) / 16 ** DIGITS < share
  }

/** A span for the request, whichever way it takes. */
export const traced = (facts: RequestFacts, effect: Told<PlainResponse | undefined>): Told<PlainResponse | undefined> =>
  Effect.suspend(() => {
    let sent: PlainResponse | undefined
    const told = Effect.flatMap(Effect.option(Effect.currentSpan), (span) => {
      // Of others nothing is sent.
      facts.traceId = Option.getOrUndefined(Option.filter(span, ({ sampled }) => sampled))?.traceId
      return Effect.map(effect, (response) => {
        sent = response
        return response?.routed ?? HttpServerResponse.empty({ status: response?.status ?? UPGRADED })
      })
    })
    return Effect.map(HttpMiddleware.tracer(told), () => sent)
  })
