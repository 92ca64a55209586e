import { Clock, Context, Effect, Layer } from "effect"
import { ANSWER_TIMEOUT } from "../../engine/webhook/DeliverySchedule.ts"
import { Settings } from "../Config.ts"
import { addressGuard, within } from "./AddressGuard.ts"
import { refusedLiteral } from "./GuardedLookup.ts"
import { NameResolver } from "./NameResolver.ts"
import { SendingAgents, TrustedAuthorities } from "./SendingAgents.ts"
import { failureText } from "./SendFailure.ts"
import { type Answered, HttpExchange } from "./HttpExchange.ts"
import { webhookUrl } from "./WebhookUrl.ts"

/** A POST to an endpoint. */
export interface WebhookRequest {
  readonly url: string
  /** All but `content-length` and `host`. */
  readonly headers: Readonly<Record<string, string>>
  /** Sent byte for byte, as UTF-8. */
  readonly body: string
}

/** What came of it. Times are milliseconds since 1970. */
export interface SendOutcome {
  readonly startedAt: number
  readonly durationMs: number
  /** The HTTP status; null where no answer came. */
  readonly status: number | null
  /** Why no answer came, or why the one that came is none that counts, for a person; null where all is well. */
  readonly error: string | null
  /** The beginning of the answer's body; null where no answer came. */
  readonly answer: string | null
}

const unsent = (error: string): Answered => ({ status: null, error, answer: null })

/**
 * Sends to the endpoints of strangers: within {@link ANSWER_TIMEOUT} in all, only to addresses that the guard lets through
 * (it judges the address that is connected to), and without following redirects. Never fails: an outcome says why.
 */
export class WebhookSender extends Context.Service<
  WebhookSender,
  { readonly send: (request: WebhookRequest) => Effect.Effect<SendOutcome> }
>()("emporion/webhooks/WebhookSender") {
  static readonly layerWithout = Layer.effect(
    this,
    Effect.gen(function* () {
      const settings = yield* Settings
      const { resolve } = yield* NameResolver
      const authorities = yield* TrustedAuthorities
      const { allowedNetworks } = settings.webhooks
      const isNamed = within(allowedNetworks)
      const guards = {
        secure: addressGuard(allowedNetworks),
        plain: (address: string) =>
          isNamed(address) ? undefined : "not in WEBHOOK_ALLOWED_NETWORKS, to which alone plain http is sent"
      }
      const agents = yield* SendingAgents.make(resolve, guards, authorities)

      const answered = (request: WebhookRequest): Effect.Effect<Answered> => {
        const read = webhookUrl(request.url, settings)
        if (read._tag === "Failure") return Effect.succeed(unsent(read.failure))
        const url = read.success
        const isPlain = url.protocol === "http:"
        const refused = refusedLiteral(url, isPlain ? guards.plain : guards.secure)
        if (refused !== undefined) return Effect.succeed(unsent(failureText(refused)))
        return new HttpExchange(url, request, agents).within(ANSWER_TIMEOUT)
      }

      const send = Effect.fnUntraced(function* (request: WebhookRequest) {
        const startedAt = yield* Clock.currentTimeMillis
        const outcome = yield* answered(request)
        return { ...outcome, startedAt, durationMs: (yield* Clock.currentTimeMillis) - startedAt }
      })
      return { send }
    })
  )

  /** Resolves names by the system. Needs the settings. */
  static readonly layer = this.layerWithout.pipe(
    Layer.provide(Layer.succeed(NameResolver, NameResolver.system)),
    Layer.provide(Layer.succeed(TrustedAuthorities, { certificates: [] }))
  )
}
