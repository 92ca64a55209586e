import { Clock, Context, Effect, Layer, Redacted } from "effect"
import { SecureRandom } from "effect/crypto/SecureRandom"
import { machineTime } from "../../engine/journal/TimeLead.ts"
import { isSuccess } from "../../engine/webhooks/Delivery.ts"
import type { SigningSecrets } from "../../engine/webhooks/SigningSecrets.ts"
import { exampleOf } from "../../engine/webhooks/WebhookExample.ts"
import type { WebhookEventType } from "../../engine/webhooks/WebhookEventType.ts"
import { bodyOf } from "../../engine/webhooks/WebhookMessage.ts"
import { Settings } from "../Config.ts"
import type { Unavailable } from "../database/DatabaseError.ts"
import * as Identifier from "../Identifier.ts"
import { deliveryHeaders } from "./DeliveryHeaders.ts"
import { Endpoints } from "./Endpoints.ts"
import { UnusableUrl } from "./WebhookError.ts"
import { type Caller, Webhooks } from "./Webhooks.ts"
import { newSecret } from "./WebhookSecrets.ts"
import { type SendOutcome, WebhookSender } from "./WebhookSender.ts"
import { webhookUrl } from "./WebhookUrl.ts"

/** The outcome of a test. */
export interface TestOutcome extends Pick<SendOutcome, "status" | "durationMs" | "answer" | "error"> {
  readonly isDelivered: boolean
  /** What was sent. */
  readonly body: string
  /** The secret that signed it, if it was made for this test. */
  readonly secret: Redacted.Redacted | undefined
}

/** Posts an example of an event to an endpoint like a delivery: with the same guard and the same signature. */
export class EndpointTest extends Context.Service<
  EndpointTest,
  {
    /** Signs as the company's webhook at this URL does, else with a secret made for the test. Nothing is kept of it. */
    readonly run: (
      caller: Caller,
      endpoint: string,
      type: WebhookEventType
    ) => Effect.Effect<TestOutcome, UnusableUrl | Unavailable>
  }
>()("emporion/webhooks/EndpointTest") {
  static readonly layer: Layer.Layer<
    EndpointTest,
    never,
    Endpoints | SecureRandom | Settings | WebhookSender | Webhooks
  > = Layer.effect(
    this,
    Effect.gen(function* () {
      const { find } = yield* Endpoints
      const random = yield* SecureRandom
      const settings = yield* Settings
      const { send } = yield* WebhookSender
      const { byUrl } = yield* Webhooks

      const own = Effect.fnUntraced(function* (companyId: string, url: string) {
        const webhook = yield* byUrl(companyId, url)
        const endpoint = webhook === undefined ? undefined : yield* find(webhook.state.webhookId)
        return endpoint?.isEnabled === true ? endpoint.secrets : undefined
      })

      const secretsFor = Effect.fnUntraced(
        function* (companyId: string, url: string) {
          const secrets = yield* own(companyId, url)
          if (secrets !== undefined) return { secrets, made: undefined }
          const made = yield* newSecret()
          const fresh: SigningSecrets = { current: Redacted.value(made), previous: [] }
          return { secrets: fresh, made }
        },
        Effect.provideService(SecureRandom, random)
      )

      const run = Effect.fnUntraced(function* ({ companyId }: Caller, url: string, type: WebhookEventType) {
        yield* Effect.mapError(
          Effect.fromResult(webhookUrl(url, settings)),
          (expected) => new UnusableUrl({ field: "endpoint", expected })
        )
        const { made, secrets } = yield* secretsFor(companyId, url)
        const at = yield* Clock.currentTimeMillis
        const eventId = yield* Effect.provideService(Identifier.make("evt"), SecureRandom, random)
        const body = bodyOf(exampleOf(type, eventId, at))
        const sent = yield* send({
          url,
          body,
          headers: deliveryHeaders(secrets, { eventId, body, at: yield* machineTime })
        })
        const isDelivered = isSuccess({ startedAt: at, endedAt: at + sent.durationMs, status: sent.status })
        return { ...sent, isDelivered, body, secret: made }
      })

      return EndpointTest.of({ run: Effect.fn("EndpointTest.run")(run) })
    })
  )
}
