import { describe, expect } from "bun:test"
import { Effect, Layer } from "effect"
import { Settings } from "../../../src/Config.ts"
import { KycRecords } from "../../../src/identity/KycRecords.ts"
import { itEffect } from "../../lib/Effects.ts"

const toldIn = (variables: Readonly<Record<string, string>>) =>
  Effect.flatMap(KycRecords, ({ exists, isVerified }) =>
    Effect.all([exists("usr_anybody"), isVerified("usr_anybody")])
  ).pipe(Effect.provide(KycRecords.layer.pipe(Layer.provide(Settings.layerOf(variables)))))

describe("KYC records, while nobody keeps them", () => {
  itEffect("are not asked for in the sandbox, and missing in production", () =>
    Effect.gen(function* () {
      expect(yield* toldIn({})).toEqual([true, true])
      expect(yield* toldIn({ APP_MODE: "production" })).toEqual([false, false])
    })
  )
})
