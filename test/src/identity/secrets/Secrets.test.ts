import { describe, expect } from "bun:test"
import { Effect, Layer } from "effect"
import { layerWebCrypto } from "effect/crypto/SecureRandom"
import { Settings } from "../../../../src/Config.ts"
import { Secrets } from "../../../../src/identity/secrets/Secrets.ts"
import { itEffect } from "../../../lib/Effects.ts"

const secretsOf = (secretKey: string) =>
  Secrets.layer.pipe(Layer.provide([Settings.layerOf({ SECRET_KEY: secretKey }), layerWebCrypto]))

const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString("hex")

describe("Secrets", () => {
  itEffect("derives HMAC-SHA-256 of the label under the secret key", () =>
    Effect.gen(function* () {
      const { derive } = yield* Secrets
      expect(hex(derive(""))).toBe("b613679a0814d9ec772f95d778c35fc5ff1697c493715653c6c712144292c5ad")
      expect(derive("a")).toEqual(derive("a"))
      expect(derive("a")).not.toEqual(derive("b"))
    }).pipe(Effect.provide(secretsOf("00".repeat(32))))
  )

  itEffect("opens its own boxes, never equal, for their purpose alone", () =>
    Effect.gen(function* () {
      const secrets = yield* Secrets
      const plain = new TextEncoder().encode("a secret")
      const box = yield* secrets.seal("a", plain)
      expect(yield* secrets.open("a", box)).toEqual(plain)
      expect(yield* secrets.seal("a", plain)).not.toEqual(box)
      expect(yield* Effect.flip(secrets.open("b", box))).toMatchObject({ _tag: "Unsealable", purpose: "b" })
    }).pipe(Effect.provide(secretsOf("00".repeat(32))))
  )

  itEffect("opens nothing of another secret key", () =>
    Effect.gen(function* () {
      const box = yield* Effect.flatMap(Secrets, ({ seal }) => seal("a", new Uint8Array(8))).pipe(
        Effect.provide(secretsOf("00".repeat(32)))
      )
      const other = Effect.flatMap(Secrets, ({ open }) => open("a", box)).pipe(
        Effect.provide(secretsOf("11".repeat(32)))
      )
      expect(yield* Effect.flip(other)).toMatchObject({ _tag: "Unsealable" })
    })
  )
})
