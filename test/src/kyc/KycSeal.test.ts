import { describe, expect } from "bun:test"
import { Effect, Exit, Layer, Redacted } from "effect"
import { layerWebCrypto } from "effect/crypto/SecureRandom"
import fc from "fast-check"
import { Settings } from "../../../src/Config.ts"
import { Secrets } from "../../../src/identity/secrets/Secrets.ts"
import { openFacts, sealFacts } from "../../../src/kyc/KycSeal.ts"
import { withLayer } from "../../lib/Effects.ts"
import { property } from "../../lib/Property.ts"

const it = withLayer(
  Secrets.layer.pipe(
    Layer.provide(Settings.layerOf({ SECRET_KEY: "1f".repeat(32) })),
    Layer.provideMerge(layerWebCrypto)
  )
)

const other = Layer.fresh(Secrets.layer).pipe(
  Layer.provide(Settings.layerOf({ SECRET_KEY: "2f".repeat(32) })),
  Layer.provide(layerWebCrypto)
)

const facts = fc.record({
  phoneNumber: fc.string({ maxLength: 40, unit: "binary" }).filter((text) => text.isWellFormed()),
  identityId: fc.string({ maxLength: 64, unit: "binary" }).filter((text) => text.isWellFormed())
})

type Personal = Readonly<Record<"phoneNumber" | "identityId", string>>

const sealed = (id: string, { identityId, phoneNumber }: Personal) =>
  sealFacts(id, { identityId: Redacted.make(identityId), phoneNumber: Redacted.make(phoneNumber) })

describe("What identifies a person", () => {
  it("opens as it was sealed", () =>
    Effect.gen(function* () {
      const context = yield* Effect.context<Secrets | Layer.Success<typeof layerWebCrypto>>()
      yield* Effect.promise(() =>
        fc.assert(
          fc.asyncProperty(facts, (given) =>
            Effect.gen(function* () {
              const opened = yield* openFacts("kyc_1", yield* sealed("kyc_1", given))
              expect(Redacted.value(opened.phoneNumber)).toBe(given.phoneNumber)
              expect(Redacted.value(opened.identityId)).toBe(given.identityId)
            }).pipe(Effect.provideContext(context), Effect.runPromise)
          ),
          property()
        )
      )
    }))

  it("opens for no other record, with no other key, and in no other place", () =>
    Effect.gen(function* () {
      const box = yield* sealed("kyc_1", { phoneNumber: "+32 470 12 34 56", identityId: "BE-592" })
      const fails = <E, R>(effect: Effect.Effect<unknown, E, R>) => Effect.map(Effect.exit(effect), Exit.isFailure)
      expect(yield* fails(openFacts("kyc_2", box))).toBe(true)
      expect(
        yield* fails(openFacts("kyc_1", { ...box, phoneNumber: box.identityId, identityId: box.phoneNumber }))
      ).toBe(true)
      expect(yield* fails(Effect.provide(openFacts("kyc_1", box), other))).toBe(true)
      expect(yield* fails(openFacts("kyc_1", box))).toBe(false)
    }))

  it("is never sealed twice alike", () =>
    Effect.gen(function* () {
      const given = { phoneNumber: "+32 470 12 34 56", identityId: "BE-592" }
      const [one, two] = [yield* sealed("kyc_1", given), yield* sealed("kyc_1", given)]
      for (const field of ["key", "phoneNumber", "identityId"] as const) expect(one[field]).not.toEqual(two[field])
    }))
})
