import { describe, expect } from "bun:test"
import { Effect, Layer, Redacted } from "effect"
import { layerWebCrypto } from "effect/crypto/SecureRandom"
import { Passwords } from "../../../../src/identity/sessions/Passwords.ts"
import { itLive } from "../../../lib/Effects.ts"

const passwords = <A, E>(body: (passwords: Passwords["Service"]) => Effect.Effect<A, E>) =>
  Effect.flatMap(Passwords, body).pipe(Effect.provide(Layer.provide(Passwords.layer, layerWebCrypto)))

const secret = Redacted.make("correct horse battery")

describe("Passwords", () => {
  itLive("hashes with argon2id at the stated cost, with a salt", () =>
    passwords((passwords) =>
      Effect.gen(function* () {
        const [first, second] = yield* Effect.all([passwords.hash(secret), passwords.hash(secret)])
        expect(first).toStartWith("$argon2id$v=19$m=19456,t=2,p=1$")
        expect(first).not.toBe(second)
      })
    )
  )

  itLive("verifies the right password alone", () =>
    passwords((passwords) =>
      Effect.gen(function* () {
        const hash = yield* passwords.hash(secret)
        expect(yield* passwords.verify(hash, secret)).toBe(true)
        expect(yield* passwords.verify(hash, Redacted.make("correct horse batterx"))).toBe(false)
        expect(yield* passwords.verify(undefined, secret)).toBe(false)
      })
    )
  )

  itLive("refuses more than it can queue, and serves again afterwards", () =>
    passwords((passwords) =>
      Effect.gen(function* () {
        const outcomes = yield* Effect.all(
          Array.from({ length: 70 }, () => Effect.exit(passwords.verify(undefined, secret))),
          { concurrency: "unbounded" }
        )
        expect(outcomes.filter(({ _tag }) => _tag === "Failure")).toHaveLength(6)
        expect(yield* passwords.verify(undefined, secret)).toBe(false)
      })
    )
  )
})
