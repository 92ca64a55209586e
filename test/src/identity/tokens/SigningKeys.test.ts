import { describe, expect } from "bun:test"
import { Effect, Exit, Layer } from "effect"
import { layerWebCrypto } from "effect/crypto/SecureRandom"
import { SqlClient } from "effect/sql/SqlClient"
import { Settings } from "../../../../src/Config.ts"
import { Secrets } from "../../../../src/identity/secrets/Secrets.ts"
import { SigningKeyRepository } from "../../../../src/identity/tokens/SigningKeyRepository.ts"
import { SigningKeys } from "../../../../src/identity/tokens/SigningKeys.ts"
import { withLayer } from "../../../lib/Effects.ts"
import * as TestDatabase from "../../../lib/TestDatabase.ts"
import { later } from "../../../lib/TestIdentity.ts"

const keysUnder = (secretKey: string) =>
  Layer.fresh(SigningKeys.layer).pipe(
    Layer.provide([SigningKeyRepository.layer, Layer.fresh(Secrets.layer)]),
    Layer.provide([Settings.layerOf({ SECRET_KEY: secretKey }), layerWebCrypto])
  )

const SECRET_KEY = "00".repeat(32)
const ANOTHER = "11".repeat(32)
const keys = <A, E, R>(body: (keys: SigningKeys["Service"]) => Effect.Effect<A, E, R>, secretKey = SECRET_KEY) =>
  Effect.flatMap(SigningKeys, body).pipe(Effect.provide(keysUnder(secretKey)))

describe("SigningKeys", () => {
  const it = withLayer(TestDatabase.layer)

  it("makes one key, and finds it again at the next start", () =>
    Effect.gen(function* () {
      const kid = (keys: SigningKeys["Service"]) => Effect.map(keys.current, ({ kid }) => kid)
      const all = yield* Effect.all([keys(kid), keys(kid), keys(kid)], { concurrency: "unbounded" })
      expect(new Set(all).size).toBe(1)
      expect(yield* keys(kid)).toBe(all[0])
    }))

  it("publishes the public part alone, and keeps the private one sealed", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const [published] = yield* keys(({ published }) => published)
      expect(Object.keys(published ?? {}).toSorted()).toEqual(["alg", "crv", "kid", "kty", "use", "x"])
      const [row] = yield* sql<{ sealed_private_key: Uint8Array }>`SELECT sealed_private_key FROM signing_keys`
      expect(row?.sealed_private_key).toHaveLength(1 + 12 + 32 + 16)
    }))

  it("says what is wrong when the secret key is another one", () =>
    Effect.gen(function* () {
      yield* keys(({ current }) => current)
      const error = yield* Effect.flip(keys(({ current }) => current, ANOTHER))
      expect(error).toMatchObject({ _tag: "SettingRefused", variable: "SECRET_KEY" })
    }))

  it("trusts a retired key for an hour", () =>
    keys((keys) =>
      Effect.gen(function* () {
        const old = yield* keys.current
        yield* keys.rotate
        const now = yield* keys.current
        expect(now.kid).not.toBe(old.kid)
        expect(yield* keys.trusted(old.kid)).toBeDefined()
        expect(yield* keys.trusted(now.kid)).toBeDefined()
        expect((yield* keys.published).map(({ kid }) => kid)).toContain(old.kid)
        yield* later(3_700_000)(keys.rotate)
        expect(yield* keys.trusted(old.kid)).toBeUndefined()
      })
    ))

  it("finds a key that another process made, within five seconds", () =>
    keys((here) =>
      Effect.gen(function* () {
        yield* keys(({ rotate }) => rotate)
        const { kid } = yield* keys(({ current }) => current)
        expect(yield* here.trusted(kid)).toBeUndefined()
        expect(yield* later(6_000)(here.trusted(kid))).toBeDefined()
      })
    ))

  it("has one current key at a time", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      yield* keys(({ current }) => current)
      const second = sql`
        INSERT INTO signing_keys (kid, public_jwk, sealed_private_key, created_at)
        VALUES (${`key_${"0".repeat(24)}`}, '{"x": "a"}', '\\x00', 0)`
      expect(Exit.isFailure(yield* Effect.exit(second))).toBe(true)
    }))
})
