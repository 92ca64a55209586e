import { Clock, Context, Effect, Layer } from "effect"
import { ANSWER_TIMEOUT } from "../../engine/webhooks/DeliverySchedule.ts"
import { Settings } from "../Config.ts"
import { addressGuard, namedGuard } from "./AddressGuard.ts"
import { ResponseDeadlines } from "./ResponseDeadlines.ts"
import { type Answered, type ExchangeTarget, exchangeTarget, HttpExchange } from "./HttpExchange.ts"
import { NameResolver } from "./NameResolver.ts"
import { SendingConnections, TrustedAuthorities } from "./SendingConnections.ts"
import { webhookUrl, type WebhookUrlRules } from "./WebhookUrl.ts"

/** A POST to an endpoint. */
export interface WebhookRequest {
  readonly url: string
  /** All but `content-length` and `host`. */
  readonly headers: Readonly<Record<string, string>>
  /** Sent byte for byte, as UTF-8. */
  readonly body: string
}

/** The outcome. Times are milliseconds since 1970. */
export interface SendOutcome {
  readonly startedAt: number
  readonly durationMs: number
  /** The HTTP status; null where no answer came. */
  readonly status: number | null
  /** Why no answer came, or why the answer does not count, for a person; null if all is well. */
  readonly error: string | null
  /** The beginning of the answer's body; null where no answer came. */
  readonly answer: string | null
}

const unsent = (error: string): Answered => ({ status: null, error, answer: null })

/** Endpoints whose URLs are remembered as they were read and judged. */
const MAX_TARGETS = 10_000

/** Where a URL's requests go, or why none may be sent. It follows from the URL and the settings alone. */
const targetOf = (
  text: string,
  settings: WebhookUrlRules,
  connections: SendingConnections
): ExchangeTarget | Answered => {
  const read = webhookUrl(text, settings)
  if (read._tag === "Failure") return unsent(read.failure)
  return exchangeTarget(read.success, connections)
}

/** Connections, and the exchanges under way on them, which are cut off with the scope. */
const makeExchanges = Effect.gen(function* () {
  const settings = yield* Settings
  const { resolve } = yield* NameResolver
  const { allowedNetworks } = settings.webhooks
  const guards = { secure: addressGuard(allowedNetworks), plain: namedGuard(allowedNetworks) }
  const connections = yield* SendingConnections.make(resolve, guards, yield* TrustedAuthorities)
  const targets = new Map<string, ExchangeTarget | Answered>()
  const deadlines = new ResponseDeadlines<HttpExchange>(yield* Clock.Clock, ANSWER_TIMEOUT)
  yield* Effect.forkScoped(deadlines.watch((late) => late.giveUp(ANSWER_TIMEOUT)))
  yield* Effect.addFinalizer(() =>
    Effect.sync(() => {
      for (const exchange of deadlines.open) exchange.stop()
    })
  )

  const target = (url: string): ExchangeTarget | Answered => {
    const known = targets.get(url)
    if (known !== undefined) return known
    if (targets.size >= MAX_TARGETS) targets.clear()
    const made = targetOf(url, settings, connections)
    targets.set(url, made)
    return made
  }
  return { deadlines, target }
})

/**
 * Sends to the endpoints of strangers: within {@link ANSWER_TIMEOUT} in all, only to addresses that the guard lets through
 * (it judges the address that is connected to), and without following redirects. Never fails: an outcome says why.
 */
export class WebhookSender extends Context.Service<
  WebhookSender,
  {
    readonly send: (request: WebhookRequest) => Effect.Effect<SendOutcome>
    /** The same without a fiber: reports the outcome once, and returns a function that cuts it off silently. */
    readonly begin: (request: WebhookRequest, done: (outcome: SendOutcome) => void) => () => void
  }
>()("emporion/webhooks/WebhookSender") {
  static readonly layerWithout = Layer.effect(
    this,
    Effect.gen(function* () {
      const clock = yield* Clock.Clock
      const { deadlines, target } = yield* makeExchanges

      const begin = (request: WebhookRequest, done: (outcome: SendOutcome) => void): (() => void) => {
        const startedAt = clock.currentTimeMillisUnsafe()
        const begun = clock.monotonicTimeNanosUnsafe()
        /** By how much the clock was set forward meanwhile is no part of it. */
        const took = () =>
          Math.min(
            clock.currentTimeMillisUnsafe() - startedAt,
            Number((clock.monotonicTimeNanosUnsafe() - begun) / 1_000_000n)
          )
        const found = target(request.url)
        const tell = ({ answer, error, status }: Answered) =>
          done({ startedAt, durationMs: took(), status, error, answer })
        if (!("origin" in found)) {
          tell(found)
          return () => undefined
        }
        const exchange = new HttpExchange(found, request)
        deadlines.enter(exchange)
        exchange.begin((answered) => {
          deadlines.leave(exchange)
          tell(answered)
        })
        return () => {
          deadlines.leave(exchange)
          exchange.stop()
        }
      }

      return {
        begin,
        send: (request) =>
          Effect.callback((resume) => {
            const stop = begin(request, (outcome) => resume(Effect.succeed(outcome)))
            return Effect.sync(stop)
          })
      }
    })
  )

  /** Resolves names by the system. Needs the settings. */
  static readonly layer = this.layerWithout.pipe(
    Layer.provide(Layer.succeed(NameResolver, NameResolver.system)),
    Layer.provide(Layer.succeed(TrustedAuthorities, { certificates: [] }))
  )
}
