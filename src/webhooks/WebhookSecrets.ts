import { Clock, Context, Effect, Layer, Redacted } from "effect"
import { SecureRandom } from "effect/crypto/SecureRandom"
import type { Unavailable } from "../database/DatabaseError.ts"
import { Secrets } from "../identity/secrets/Secrets.ts"
import { secretKey, secretPurpose, WebhookSecretRepository } from "./WebhookSecretRepository.ts"

/** Random bytes of a secret; Standard Webhooks asks for 24 to 64. */
export const SECRET_BYTES = 32

/** A new secret: `whsec_` and its bytes in base64. */
export const newSecret = Effect.fnUntraced(function* () {
  const bytes = yield* (yield* SecureRandom).randomBytes(SECRET_BYTES)
  return Redacted.make(`whsec_${Buffer.from(bytes).toString("base64")}`)
})

/** Makes the secrets that sign deliveries. In the database only `SECRET_KEY` decrypts them. */
export class WebhookSecrets extends Context.Service<
  WebhookSecrets,
  {
    /** Makes the secret of a number and keeps it, for the event that will put it in use. One writer a webhook at a time. */
    readonly make: (webhookId: string, number: number) => Effect.Effect<Redacted.Redacted, Unavailable>
    /** Removes those below a number. */
    readonly removeBelow: (webhookId: string, number: number) => Effect.Effect<void, Unavailable>
  }
>()("emporion/webhooks/WebhookSecrets") {
  static readonly layer: Layer.Layer<WebhookSecrets, never, Secrets | SecureRandom | WebhookSecretRepository> =
    Layer.effect(
      this,
      Effect.gen(function* () {
        const secrets = yield* Secrets
        const repository = yield* WebhookSecretRepository
        const random = yield* SecureRandom
        return WebhookSecrets.of({
          make: Effect.fn("WebhookSecrets.make")(function* (webhookId, number) {
            const secret = yield* Effect.provideService(newSecret(), SecureRandom, random)
            const purpose = secretPurpose(secretKey(webhookId, number))
            const sealed = yield* secrets.seal(purpose, Buffer.from(Redacted.value(secret)))
            yield* repository.put({ webhookId, number, sealed, createdAt: yield* Clock.currentTimeMillis })
            return secret
          }),
          removeBelow: repository.removeBelow
        })
      })
    )
}
