import { Clock, Effect, Layer, Ref, Schedule } from "effect"
import type { Scope } from "effect"
import { CircuitBreaker } from "effect/persistence"
import { TimeLead } from "../../engine/journal/TimeLead.ts"
import { SOURCE_FRESH_MILLIS } from "../../engine/arena/PriceBand.ts"
import type { RequestFailed } from "./BoundedJson.ts"
import { type PriceSource, type Quote, SourceUnavailable } from "./PriceSource.ts"

/** How often a source is asked. */
export const REFRESH_MILLIS = 30_000

/** How many requests in a row may fail before the source is left alone. */
export const BREAKER_FAILURES = 3

/** How long it is left alone; then one request probes it. */
export const BREAKER_OPEN_MILLIS = 60_000

/** How old an answer may be: a few failed requests are bridged. */
export const STALE_AFTER_MILLIS = SOURCE_FRESH_MILLIS

/** A source that is asked over the network in the background; its quotes are those of the last good answer. */
export interface PolledSource extends PriceSource {
  /** Asks once, now. */
  readonly refresh: Effect.Effect<void, SourceUnavailable>
}

const rejected = (error: CircuitBreaker.CircuitBreakerError): string =>
  error.reason._tag === "CircuitHalfOpen"
    ? "a probe is under way"
    : `left alone after ${BREAKER_FAILURES} failures in a row`

/** A source with a breaker of its own round `fetch`, which must end by itself and says when by the machine's clock. */
export const make = Effect.fnUntraced(function* (
  name: string,
  fetch: Effect.Effect<ReadonlyArray<Quote>, RequestFailed>
): Effect.fn.Return<PolledSource, never, Scope.Scope> {
  const store = yield* Layer.build(CircuitBreaker.layerStoreMemory())
  const breaker = yield* CircuitBreaker.make({
    tripPolicy: CircuitBreaker.consecutive(BREAKER_FAILURES),
    openDuration: BREAKER_OPEN_MILLIS
  }).pipe(Effect.provideContext(store))
  const unavailable = (reason: string) => new SourceUnavailable({ source: name, reason })
  const latest = yield* Ref.make<ReadonlyArray<Quote>>([])
  const refresh = fetch.pipe(
    breaker.execute({ key: name }),
    Effect.flatMap((quotes) =>
      Effect.flatMap(TimeLead, ({ millis }) =>
        Ref.set(
          latest,
          quotes.map((quote) => ({ ...quote, observedAt: quote.observedAt + millis }))
        )
      )
    ),
    Effect.catchTags({
      RequestFailed: ({ reason }) => Effect.fail(unavailable(reason)),
      CircuitBreakerError: (error) => Effect.fail(unavailable(rejected(error)))
    }),
    Effect.withSpan("PolledSource.refresh", { attributes: { source: name } })
  )
  const quotes = Effect.gen(function* () {
    const now = yield* Clock.currentTimeMillis
    const fresh = (yield* Ref.get(latest)).filter(({ observedAt }) => now - observedAt <= STALE_AFTER_MILLIS)
    return fresh.length === 0 ? yield* unavailable("no answer lately") : fresh
  })
  return { name, staleAfterMillis: STALE_AFTER_MILLIS, quotes, refresh }
})

/** Asks now and every {@link REFRESH_MILLIS}, as long as the scope lives. A failure is logged and asked again. */
export const poll = (source: PolledSource): Effect.Effect<void, never, Scope.Scope> =>
  source.refresh.pipe(
    Effect.catch((error) => Effect.logWarning(error.message)),
    Effect.repeat(Schedule.spaced(REFRESH_MILLIS)),
    Effect.forkScoped,
    Effect.asVoid
  )
