import { describe, expect } from "bun:test"
import { Effect, Layer, Redacted } from "effect"
import { layerWebCrypto } from "effect/crypto/SecureRandom"
import { SqlClient } from "effect/sql/SqlClient"
import { PersonalText } from "../../../../src/identity/secrets/PersonalText.ts"
import { Secrets } from "../../../../src/identity/secrets/Secrets.ts"
import { withLayer } from "../../../lib/Effects.ts"
import { later } from "../../../lib/TestIdentity.ts"
import * as TestDatabase from "../../../lib/TestDatabase.ts"

const secrets = Layer.effect(Secrets, Secrets.under(Redacted.make(new Uint8Array(32).fill(3)))).pipe(
  Layer.provideMerge(layerWebCrypto)
)

const it = withLayer(PersonalText.layer.pipe(Layer.provideMerge(TestDatabase.layer), Layer.provide(secrets)))

const idOf = (digit: string): string => `cmp_${digit.repeat(24)}`

describe("PersonalText", () => {
  it("opens what it sealed, seals the same to the same, and each one's under an own key", () =>
    Effect.gen(function* () {
      const { open, seal } = yield* PersonalText
      const [one, other] = [idOf("a"), idOf("b")]
      const text = 'Zelda "Z" Quist\n+32'
      const sealed = yield* seal(one, text)
      expect(sealed).not.toContain("Quist")
      expect([yield* open(sealed), yield* seal(one, text), yield* seal(one, sealed)]).toEqual([text, sealed, sealed])
      expect(yield* seal(other, text)).not.toBe(sealed)
      expect(yield* open("not sealed")).toBe("not sealed")
    }))

  it("does not open one's text as another's: what somebody else has sealed is a text like any other", () =>
    Effect.gen(function* () {
      const { open, seal } = yield* PersonalText
      const foreign = yield* seal(idOf("c"), "secret")
      const again = yield* seal(idOf("d"), foreign)
      expect(again).not.toBe(foreign)
      expect(yield* open(again)).toBe(foreign)
    }))

  it("opens every sealed string of a value, and is null where the key is forgotten", () =>
    Effect.gen(function* () {
      const { open, openIn, openRecorded, openValue, seal } = yield* PersonalText
      const sql = yield* SqlClient
      const [kept, gone] = [yield* seal(idOf("e"), 'a "b"'), yield* seal(idOf("f"), "c")]
      expect(yield* openIn('{"plain":1}')).toBe('{"plain":1}')
      expect(yield* openValue({ kept, list: [gone], n: 1 })).toEqual({ kept: 'a "b"', list: ["c"], n: 1 })
      const nested = { text: JSON.stringify({ kept, gone }), kept }
      expect(yield* openRecorded([nested])).toEqual([
        { text: JSON.stringify({ kept: 'a "b"', gone: "c" }), kept: 'a "b"' }
      ])
      expect(yield* openValue({ text: nested.text })).toEqual({ text: nested.text })
      yield* sql`DELETE FROM person_keys WHERE id = ${idOf("f")}`
      const after = later(31_000)
      expect(yield* after(openValue({ kept, list: [gone] }))).toEqual({ kept: 'a "b"', list: [null as never] })
      expect(yield* after(openRecorded(nested))).toMatchObject({ text: JSON.stringify({ kept: 'a "b"', gone: null }) })
      expect(yield* after(open(gone))).toBeUndefined()
    }))

  it("opens keys of objects in the same order in a value and in JSON, and takes a pair out that nobody reads", () =>
    Effect.gen(function* () {
      const { forgetAll, openIn, sealer, shown } = yield* PersonalText
      const sql = yield* SqlClient
      const of = idOf("1")
      const seal = yield* sealer(of)
      const pairs = ["b", 'a"', "d", "c"].map((key): readonly [string, string] => [seal(key), seal(`of ${key}`)])
      const metadata = Object.fromEntries(pairs.toSorted(([one], [other]) => (one < other ? 1 : -1)))
      const value = { metadata, name: seal("n"), in: [seal("m")] }
      const plain = { metadata: { 'a"': 'of a"', b: "of b", c: "of c", d: "of d" }, name: "n", in: ["m"] }
      const json = `{"amount":90071992547409931,"object":${JSON.stringify(value)}}`
      const around = (object: unknown) => `{"amount":90071992547409931,"object":${JSON.stringify(object)}}`
      expect(JSON.stringify(yield* shown(value))).toBe(JSON.stringify(plain))
      expect(yield* openIn(json)).toBe(around(plain))
      const text = JSON.stringify({ typed: JSON.stringify(metadata) })
      expect(yield* openIn(text)).toBe(text)
      yield* sql`DELETE FROM person_keys WHERE id = ${of}`
      yield* forgetAll
      const unread = { metadata: {}, name: "erased", in: ["erased"] }
      expect<unknown>(yield* shown(value)).toEqual(unread)
      expect(yield* openIn(json)).toBe(around(unread))
    }))

  it("seals nothing of an account that is nobody's, and draws no key to look for what was sealed", () =>
    Effect.gen(function* () {
      const { knownSealers, seal } = yield* PersonalText
      const sql = yield* SqlClient
      expect(yield* seal("platform", "a")).toBe("a")
      const sealed = yield* seal(idOf("2"), "a")
      const sealers = yield* knownSealers([idOf("2"), idOf("3"), "platform"])
      expect(sealers.map((one) => one("a"))).toEqual([sealed])
      expect(yield* sql`SELECT FROM person_keys WHERE id = ${idOf("3")}`).toEqual([])
    }))

  it("keeps no key of who was erased, so that nobody reads what is sealed for them", () =>
    Effect.gen(function* () {
      const { open, seal } = yield* PersonalText
      const sql = yield* SqlClient
      const of = idOf("4")
      yield* sql`INSERT INTO erasures (id, company_id, at, erased_by) VALUES (${of}, ${of}, 1, 'usr_1')`
      const sealed = yield* seal(of, "too late")
      expect(sealed).toStartWith("sealed:v1:")
      expect([yield* open(sealed), yield* sql`SELECT FROM person_keys WHERE id = ${of}`]).toEqual([undefined, []])
    }))
})
