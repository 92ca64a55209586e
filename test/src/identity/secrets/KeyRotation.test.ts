import { describe, expect } from "bun:test"
import { Effect, Exit, Layer, Redacted } from "effect"
import { layerWebCrypto } from "effect/crypto/SecureRandom"
import { SqlClient } from "effect/sql/SqlClient"
import fc from "fast-check"
import { keyName, rotateSecret } from "../../../../src/identity/secrets/KeyRotation.ts"
import { SealedBoxRepository } from "../../../../src/identity/secrets/SealedBoxRepository.ts"
import type { SealedColumn } from "../../../../src/database/SealedColumn.ts"
import { Secrets } from "../../../../src/identity/secrets/Secrets.ts"
import { withLayer } from "../../../lib/Effects.ts"
import { property } from "../../../lib/Property.ts"
import * as TestDatabase from "../../../lib/TestDatabase.ts"

const it = withLayer(SealedBoxRepository.layer.pipe(Layer.provideMerge(TestDatabase.layer)))

const keyOf = (fill: number) =>
  Effect.runSync(Effect.provide(Secrets.under(Redacted.make(new Uint8Array(32).fill(fill))), layerWebCrypto))

const [old, next, lost] = [keyOf(1), keyOf(2), keyOf(3)]

type Key = Secrets["Service"]

const columns: ReadonlyArray<SealedColumn> = [
  { table: "one_sealed", key: "id", column: "box", purpose: (id) => `one/${id}` },
  { table: "two_sealed", key: "name", column: "number_box", purpose: () => "two" }
]

/** The text of each box, by the column's place and the row's key. */
type Contents = ReadonlyArray<Readonly<Record<string, string>>>

const fill = Effect.fnUntraced(function* (contents: Contents, under: Key) {
  const sql = yield* SqlClient
  for (const [at, { column, key, purpose, table }] of columns.entries()) {
    yield* sql`DROP TABLE IF EXISTS ${sql(table)}`
    yield* sql`CREATE TABLE ${sql(table)} (${sql(key)} text PRIMARY KEY, ${sql(column)} bytea)`
    yield* sql`INSERT INTO ${sql(table)} VALUES ('nothing here', NULL)`
    for (const [id, plain] of Object.entries(contents[at] ?? {})) {
      yield* sql`INSERT INTO ${sql(table)} VALUES (${id}, ${yield* under.seal(purpose(id), Buffer.from(plain))})`
    }
  }
})

/** What opens under a key, and how many boxes do not. */
const opened = Effect.fnUntraced(function* (under: Key) {
  const sql = yield* SqlClient
  let closed = 0
  const found: Array<Record<string, string>> = []
  for (const { column, key, purpose, table } of columns) {
    const texts: Record<string, string> = {}
    const rows = yield* sql<{ readonly key: string; readonly box: Uint8Array }>`
      SELECT ${sql(key)} AS key, ${sql(column)} AS box FROM ${sql(table)} WHERE ${sql(column)} IS NOT NULL`
    for (const row of rows) {
      const plain = yield* Effect.exit(under.open(purpose(row.key), row.box))
      if (Exit.isSuccess(plain)) texts[row.key] = Buffer.from(plain.value).toString()
      else closed += 1
    }
    found.push(texts)
  }
  return { found, closed }
})

const rotate = (from: Key, to: Key) =>
  Effect.flatMap(SealedBoxRepository, ({ transaction }) => transaction(rotateSecret(columns, from, to)))

const refusalOf = (from: Key, to: Key) => Effect.map(Effect.flip(rotate(from, to)), ({ message }) => message)

const CONTENTS: Contents = [{ a: "first", b: "" }, { c: "BE68 5390 0754 7034" }]

/** Only this many boxes are sealed; then the process is as if it were gone. */
const dying = (key: Key, after: number): Key => {
  let sealed = 0
  return {
    ...key,
    seal: (purpose, plain) => ((sealed += 1) > after ? Effect.die("killed") : key.seal(purpose, plain))
  }
}

describe("Sealing again", () => {
  it("leaves everything as it was, under the new key alone", () =>
    Effect.gen(function* () {
      yield* fill(CONTENTS, old)
      expect(yield* rotate(old, next)).toEqual({
        before: false,
        boxes: [
          { table: "one_sealed", column: "box", count: 2 },
          { table: "two_sealed", column: "number_box", count: 1 }
        ]
      })
      expect(yield* opened(next)).toEqual({ found: CONTENTS.map((one) => ({ ...one })), closed: 0 })
      expect(yield* opened(old)).toEqual({ found: [{}, {}], closed: 3 })
    }))

  it("says what was done before, and does nothing then", () =>
    Effect.gen(function* () {
      yield* fill(CONTENTS, next)
      expect(yield* rotate(old, next)).toMatchObject({ before: true, boxes: [{ count: 2 }, { count: 1 }] })
      expect((yield* opened(next)).closed).toBe(0)
    }))

  it("takes an empty database, and one of many pages", () =>
    Effect.gen(function* () {
      yield* fill([], old)
      expect(yield* rotate(old, next)).toMatchObject({ before: false, boxes: [{ count: 0 }, { count: 0 }] })
      const many = Object.fromEntries(Array.from({ length: 1_001 }, (_, at) => [`key ${at}`, `text ${at}`]))
      yield* fill([many], old)
      expect(yield* rotate(old, next)).toMatchObject({ boxes: [{ count: 1_001 }, { count: 0 }] })
      expect((yield* opened(next)).found[0]).toEqual(many)
    }))

  const wrong = [
    ["another key than the boxes are under", lost, next, "one_sealed.box of a opens under neither key"],
    ["keys of which none opens", next, lost, "one_sealed.box of a opens under neither key"]
  ] as const
  for (const [what, from, to, message] of wrong) {
    it(`refuses ${what}, and changes nothing`, () =>
      Effect.gen(function* () {
        yield* fill(CONTENTS, old)
        expect(yield* refusalOf(from, to)).toContain(message)
        expect((yield* opened(old)).closed).toBe(0)
      }))
  }

  it("refuses a mix of keys, a changed box, and one of another row", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      yield* fill(CONTENTS, old)
      yield* sql`UPDATE two_sealed SET number_box = ${yield* next.seal("two", Buffer.from("x"))} WHERE name = 'c'`
      expect(yield* refusalOf(old, next)).toContain(
        "two_sealed.number_box of c opens under another key than those before"
      )
      yield* fill(CONTENTS, old)
      yield* sql`UPDATE one_sealed SET box = set_byte(box, 20, get_byte(box, 20) # 1) WHERE id = 'a'`
      expect(yield* refusalOf(old, next)).toContain("one_sealed.box of a opens under neither key")
      yield* fill(CONTENTS, old)
      yield* sql`UPDATE one_sealed SET box = (SELECT box FROM one_sealed WHERE id = 'a') WHERE id = 'b'`
      expect(yield* refusalOf(old, next)).toContain("one_sealed.box of b opens under neither key")
    }))

  for (const after of [0, 1, 2]) {
    it(`that ends after ${after} boxes has changed none, and is done when it is begun again`, () =>
      Effect.gen(function* () {
        yield* fill(CONTENTS, old)
        expect(Exit.isFailure(yield* Effect.exit(rotate(old, dying(next, after))))).toBe(true)
        expect(yield* opened(old)).toEqual({ found: CONTENTS.map((one) => ({ ...one })), closed: 0 })
        expect(yield* rotate(old, next)).toMatchObject({ before: false })
        expect((yield* opened(next)).closed).toBe(0)
      }))
  }

  it("believes no box that it cannot open again", () =>
    Effect.gen(function* () {
      yield* fill(CONTENTS, old)
      const forgetful: Key = { ...next, seal: (purpose) => next.seal(purpose, Buffer.from("something else")) }
      expect(Exit.isFailure(yield* Effect.exit(rotate(old, forgetful)))).toBe(true)
      expect((yield* opened(old)).closed).toBe(0)
    }))

  it("comes back to the first key with the same contents, over any number of keys", () =>
    Effect.gen(function* () {
      const context = yield* Effect.context<SealedBoxRepository | SqlClient>()
      const text = fc.string({ maxLength: 60, unit: "binary" }).filter((one) => one.isWellFormed())
      // An object's own field of this name is none that can be set.
      const id = fc.stringMatching(/^[a-zA-Z0-9_-]{1,12}$/).filter((one) => one !== "__proto__")
      const column = fc.dictionary(id, text, { maxKeys: 5, noNullPrototype: true })
      yield* Effect.promise(() =>
        fc.assert(
          fc.asyncProperty(
            fc.tuple(column, column),
            fc.array(fc.integer({ min: 1, max: 4 }), { maxLength: 3 }),
            (contents, fills) =>
              Effect.gen(function* () {
                yield* fill(contents, old)
                let under = old
                for (const filled of [...fills, 1]) {
                  const to = keyOf(filled)
                  if (keyName(to) !== keyName(under)) yield* rotate(under, to)
                  under = to
                }
                expect(yield* opened(old)).toEqual({ found: contents, closed: 0 })
              }).pipe(Effect.provideContext(context), Effect.runPromise)
          ),
          property(20)
        )
      )
    }))

  it("names keys without telling them", () =>
    Effect.sync(() => {
      expect(keyName(old)).toMatch(/^[0-9a-f]{16}$/)
      expect(new Set([keyName(old), keyName(next), keyName(keyOf(1))]).size).toBe(2)
    }))
})
