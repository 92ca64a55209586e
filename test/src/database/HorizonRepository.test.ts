import { describe, expect } from "bun:test"
import { Effect, Layer } from "effect"
import { HorizonRepository } from "../../../src/database/HorizonRepository.ts"
import { withLayer } from "../../lib/Effects.ts"
import * as TestDatabase from "../../lib/TestDatabase.ts"

const it = withLayer(HorizonRepository.layer.pipe(Layer.provide(TestDatabase.layer)))

describe("HorizonRepository", () => {
  it("knows the latest horizon of each class", () =>
    Effect.gen(function* () {
      const { advance } = yield* HorizonRepository
      expect(yield* advance("a", 20)).toBe(20)
      expect(yield* advance("b", 5)).toBe(5)
      expect(yield* advance("a", 10)).toBe(20)
      expect(yield* advance("a", 30)).toBe(30)
    }))
})
