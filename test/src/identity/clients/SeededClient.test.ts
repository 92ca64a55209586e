import { describe, expect } from "bun:test"
import { Effect, Layer, Redacted } from "effect"
import { layerWebCrypto } from "effect/crypto/SecureRandom"
import { SCOPES } from "../../../../src/api/Authorization.ts"
import { Settings } from "../../../../src/Config.ts"
import { ApiClients } from "../../../../src/identity/clients/ApiClients.ts"
import { Secrets } from "../../../../src/identity/secrets/Secrets.ts"
import { SeededClient } from "../../../../src/identity/clients/SeededClient.ts"
import { itLive } from "../../../lib/Effects.ts"
import { layerOf } from "../../../lib/TestIdentity.ts"

const start = (variables: Readonly<Record<string, string>> = {}) =>
  Effect.map(SeededClient, ({ credentials }) => credentials).pipe(
    Effect.provide(
      Layer.fresh(SeededClient.layer).pipe(
        Layer.provide(Layer.fresh(Secrets.layer)),
        Layer.provide([Settings.layerOf(variables), layerWebCrypto])
      )
    )
  )

const authenticated = Effect.fnUntraced(function* (variables?: Readonly<Record<string, string>>) {
  const { authenticate } = yield* ApiClients
  const { clientId = "", secret = Redacted.make("") } = (yield* start(variables)) ?? {}
  return yield* authenticate(clientId, secret)
})

describe("SeededClient", () => {
  itLive("is the same at every start, and follows the secret key", () =>
    Effect.gen(function* () {
      const first = yield* authenticated()
      expect(first).toMatchObject({ clientId: "sandbox-client", scopes: [...SCOPES] })
      expect(yield* authenticated()).toEqual(first)
      expect(yield* authenticated({ SECRET_KEY: "11".repeat(32) })).toEqual(first)
    }).pipe(Effect.provide(layerOf()))
  )

  itLive("is not there in production", () =>
    Effect.gen(function* () {
      expect(yield* start({ APP_MODE: "production", PUBLIC_URL: "https://emporion.example" })).toBeUndefined()
    }).pipe(Effect.provide(layerOf()))
  )
})
