/** Which requests a trace is made of, and the span of one. */

import { Effect, Option } from "effect"
import { HttpMiddleware, HttpServerResponse } from "effect/http"
import type { RequestFacts } from "../RequestState.ts"
import type { PlainResponse } from "./PlainResponse.ts"
import type { RequestServices } from "./RouterPath.ts"

/** Switching protocols. RFC 9110, section 15.2.2. */
const UPGRADED = 101

type Told<Sent> = Effect.Effect<Sent, never, RequestServices>

/** W3C Trace Context, 3.2: version, trace, span, flags. */
const PARENT = /^[0-9a-f]{2}-([0-9a-f]{32})-[0-9a-f]{16}-([0-9a-f]{2})/

const SAMPLED = 1

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
  (traceparent: string | null): boolean => {
    const [, trace, flags] = traceparent === null ? [] : (PARENT.exec(traceparent) ?? [])
    if (trace === undefined || flags === undefined) return share >= 1 || random() < share
    if ((Number.parseInt(flags, 16) & SAMPLED) === 0) return false
    return Number.parseInt(trace.slice(-DIGITS), 16) / 16 ** DIGITS < share
  }

/** A span for the request, whichever way it takes. */
export const traced = (facts: RequestFacts, effect: Told<PlainResponse | undefined>): Told<PlainResponse | undefined> =>
  Effect.suspend(() => {
    let sent: PlainResponse | undefined
    const told = Effect.flatMap(Effect.option(Effect.currentSpan), (span) => {
      facts.traceId = Option.getOrUndefined(span)?.traceId
      return Effect.map(effect, (response) => {
        sent = response
        return response?.routed ?? HttpServerResponse.empty({ status: response?.status ?? UPGRADED })
      })
    })
    return Effect.map(HttpMiddleware.tracer(told), () => sent)
  })
