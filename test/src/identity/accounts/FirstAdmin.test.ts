import { describe, expect } from "bun:test"
import { Effect, Layer, Redacted } from "effect"
import { layerWebCrypto } from "effect/crypto/SecureRandom"
import { Settings } from "../../../../src/Config.ts"
import { FirstAdmin } from "../../../../src/identity/accounts/FirstAdmin.ts"
import { Users } from "../../../../src/identity/users/Users.ts"
import { itLive } from "../../../lib/Effects.ts"
import { layerOf } from "../../../lib/TestIdentity.ts"

/** What a start with these variables makes. */
const start = (variables: Readonly<Record<string, string>>) =>
  Effect.map(FirstAdmin, ({ made }) => made).pipe(
    Effect.provide(Layer.fresh(FirstAdmin.layer).pipe(Layer.provide([Settings.layerOf(variables), layerWebCrypto])))
  )

const isAdmin = (email: string, password: Redacted.Redacted) =>
  Effect.flatMap(Users, ({ login }) => login(email, password, "1")).pipe(
    Effect.map(({ role, status }) => role === "admin" && status === "active")
  )

describe("FirstAdmin", () => {
  itLive("is made in the sandbox with a password that is shown once", () =>
    Effect.gen(function* () {
      const made = yield* start({})
      expect(made?.email).toBe("admin@emporion.local")
      expect(yield* isAdmin("admin@emporion.local", made?.password ?? Redacted.make(""))).toBe(true)
      expect(yield* start({})).toBeUndefined()
      expect(yield* start({ ADMIN_EMAIL: "other@example.com", ADMIN_PASSWORD: "another password" })).toBeUndefined()
    }).pipe(Effect.provide(layerOf()))
  )

  itLive("has the email and password of the settings, which are not shown", () =>
    Effect.gen(function* () {
      const made = yield* start({ ADMIN_EMAIL: "root@example.com", ADMIN_PASSWORD: "a given password" })
      expect(made).toEqual({ email: "root@example.com", password: undefined })
      expect(yield* isAdmin("root@example.com", Redacted.make("a given password"))).toBe(true)
    }).pipe(Effect.provide(layerOf()))
  )

  itLive("is not made in production without an email", () =>
    Effect.gen(function* () {
      expect(yield* start({ APP_MODE: "production", PUBLIC_URL: "https://emporion.example" })).toBeUndefined()
    }).pipe(Effect.provide(layerOf()))
  )
})
