import { describe, expect } from "bun:test"
import { Effect, Layer } from "effect"
import { IdempotencyRepository, RETENTION } from "../../../src/http/IdempotencyRepository.ts"
import { withLayer } from "../../lib/Effects.ts"
import * as TestDatabase from "../../lib/TestDatabase.ts"

const it = withLayer(IdempotencyRepository.layer.pipe(Layer.provide(TestDatabase.layer)))

const NOW = 4_000_000_000_000
const first = { fingerprint: "f1", status: 200, body: '{"id":1}' }
const second = { fingerprint: "f2", status: 404, body: "{}" }

describe("IdempotencyRepository", () => {
  it("keeps the first answer for 24 hours, then the next", () =>
    Effect.gen(function* () {
      const repository = yield* IdempotencyRepository
      expect(yield* repository.find("a", NOW)).toBeUndefined()
      yield* repository.keep("a", first, NOW)
      yield* repository.keep("a", second, NOW + 1)
      expect(yield* repository.find("a", NOW + RETENTION - 1)).toEqual(first)
      expect(yield* repository.find("a", NOW + RETENTION)).toBeUndefined()
      yield* repository.keep("a", second, NOW + RETENTION)
      expect(yield* repository.find("a", NOW + RETENTION)).toEqual(second)
    }))

  it("prunes what is past the retention", () =>
    Effect.gen(function* () {
      const repository = yield* IdempotencyRepository
      yield* repository.keep("old", first, NOW - 10)
      yield* repository.keep("new", first, NOW)
      expect(yield* repository.prune(NOW - 10 + RETENTION)).toBe(1)
      expect(yield* repository.find("new", NOW)).toEqual(first)
    }))
})
