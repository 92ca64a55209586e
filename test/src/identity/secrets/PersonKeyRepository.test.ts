import { describe, expect } from "bun:test"
import { Effect, Layer } from "effect"
import { PersonKeyRepository } from "../../../../src/identity/secrets/PersonKeyRepository.ts"
import { withLayer } from "../../../lib/Effects.ts"
import * as TestDatabase from "../../../lib/TestDatabase.ts"

const it = withLayer(PersonKeyRepository.layer.pipe(Layer.provide(TestDatabase.layer)))

const ID = `cmp_${"a".repeat(24)}`

describe("PersonKeyRepository", () => {
  it("keeps the first key of each, and answers it to whoever adds another", () =>
    Effect.gen(function* () {
      const { add, find } = yield* PersonKeyRepository
      const first = { id: ID, box: Uint8Array.of(1, 2) }
      for (const box of [first.box, Uint8Array.of(3)]) {
        const { box: kept, id } = yield* add({ id: ID, box })
        expect([id, ...kept]).toEqual([ID, 1, 2])
      }
      expect((yield* find([ID, "usr_nobody"])).map(({ id }) => id)).toEqual([ID])
    }))
})
