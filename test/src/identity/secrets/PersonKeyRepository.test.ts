import { describe, expect } from "bun:test"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { PersonKeyRepository } from "../../../../src/identity/secrets/PersonKeyRepository.ts"
import { withLayer } from "../../../lib/Effects.ts"
import * as TestDatabase from "../../../lib/TestDatabase.ts"

const it = withLayer(PersonKeyRepository.layer.pipe(Layer.provideMerge(TestDatabase.layer)))

const ID = `cmp_${"a".repeat(24)}`

describe("PersonKeyRepository", () => {
  it("keeps the first key of each, and answers it to whoever adds another", () =>
    Effect.gen(function* () {
      const { add, find } = yield* PersonKeyRepository
      const first = { id: ID, box: Uint8Array.of(1, 2) }
      for (const box of [first.box, Uint8Array.of(3)]) {
        const { box: kept, id, isKept } = yield* add({ id: ID, box })
        expect([id, isKept, ...kept]).toEqual([ID, true, 1, 2])
      }
      expect((yield* find([ID, "usr_nobody"])).map(({ id }) => id)).toEqual([ID])
    }))

  it("keeps none of who was erased, also one that was entered beside the erasure", () =>
    Effect.gen(function* () {
      const { add, find } = yield* PersonKeyRepository
      const sql = yield* SqlClient
      const gone = { id: `cmp_${"b".repeat(24)}`, box: Uint8Array.of(4) }
      yield* sql`INSERT INTO erasures (id, company_id, at, erased_by) VALUES (${gone.id}, ${gone.id}, 1, 'usr_1')`
      yield* sql`INSERT INTO person_keys (id, sealed_key) VALUES (${gone.id}, ${Uint8Array.of(5)})`
      expect(yield* add(gone)).toEqual({ ...gone, isKept: false })
      expect(yield* find([gone.id])).toEqual([])
    }))
})
