import { describe, expect } from "bun:test"
import { Effect, Layer, Redacted } from "effect"
import { layerWebCrypto } from "effect/crypto/SecureRandom"
import { Settings } from "../../../src/Config.ts"
import { Secrets } from "../../../src/identity/secrets/Secrets.ts"
import {
  secretPurpose,
  type NewSecret,
  WebhookSecretRepository
} from "../../../src/webhooks/WebhookSecretRepository.ts"
import { SECRET_BYTES, WebhookSecrets } from "../../../src/webhooks/WebhookSecrets.ts"
import { itEffect } from "../../lib/Effects.ts"

/** The rows that were put, and the layer that puts them. */
const keeping = () => {
  const rows: Array<NewSecret> = []
  const repository = Layer.mock(WebhookSecretRepository, {
    put: (secret) => Effect.sync(() => void rows.push(secret))
  })
  const layer = WebhookSecrets.layer.pipe(
    Layer.provide(repository),
    Layer.provideMerge(Secrets.layer),
    Layer.provide(Layer.mergeAll(Settings.layerOf({}), layerWebCrypto))
  )
  return { rows, layer }
}

describe("WebhookSecrets", () => {
  itEffect("makes a secret of 32 random bytes, and keeps it sealed for its webhook and number alone", () => {
    const { layer, rows } = keeping()
    return Effect.gen(function* () {
      const { make } = yield* WebhookSecrets
      const { open } = yield* Secrets
      const [first, second] = [yield* make("whk_1", 1), yield* make("whk_1", 2)].map(Redacted.value)
      expect(first).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/)
      expect(Buffer.from(first?.slice(6) ?? "", "base64")).toHaveLength(SECRET_BYTES)
      expect(second).not.toBe(first)
      const box = rows[0]?.sealed ?? new Uint8Array()
      expect(Buffer.from(yield* open(secretPurpose("whk_1/1"), box)).toString()).toBe(first as string)
      expect(yield* Effect.flip(open(secretPurpose("whk_2/1"), box))).toMatchObject({ _tag: "Unsealable" })
      expect(rows).toMatchObject([
        { webhookId: "whk_1", number: 1, createdAt: 0 },
        { webhookId: "whk_1", number: 2 }
      ])
    }).pipe(Effect.provide(layer))
  })
})
