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

  it("opens every sealed string of JSON, and is null where the key is forgotten", () =>
    Effect.gen(function* () {
      const { open, openIn, openValue, seal } = yield* PersonalText
      const sql = yield* SqlClient
      const [kept, gone] = [yield* seal(idOf("e"), 'a "b"'), yield* seal(idOf("f"), "c")]
      expect(yield* openIn('{"plain":1}')).toBe('{"plain":1}')
      expect(yield* openValue({ kept, list: [gone], n: 1 })).toEqual({ kept: 'a "b"', list: ["c"], n: 1 })
      const nested = { text: JSON.stringify({ kept, gone }) }
      expect(yield* openValue(nested)).toEqual({ text: JSON.stringify({ kept: 'a "b"', gone: "c" }) })
      yield* sql`DELETE FROM person_keys WHERE id = ${idOf("f")}`
      const after = later(31_000)
      expect(yield* after(openValue({ kept, list: [gone] }))).toEqual({ kept: 'a "b"', list: [null as never] })
      expect(yield* after(open(gone))).toBeUndefined()
    }))

  it("opens keys of objects too, and leaves a word for a pair that nobody reads", () =>
    Effect.gen(function* () {
      const { forgetAll, openIn, sealer, shown } = yield* PersonalText
      const sql = yield* SqlClient
      const of = idOf("1")
      const seal = yield* sealer(of)
      const value = { metadata: { [seal("b")]: seal("2"), [seal('a"')]: seal("1") }, name: seal("n"), amount: 7n }
      const plain = { metadata: { 'a"': "1", b: "2" }, name: "n", amount: 7n }
      expect(yield* shown(value)).toEqual(plain)
      expect(Object.keys((yield* shown(value)).metadata)).toEqual(['a"', "b"])
      const json = JSON.stringify({ list: [value.metadata], text: JSON.stringify(value.metadata) })
      const opened = JSON.parse(yield* openIn(json)) as { readonly list: unknown; readonly text: string }
      expect([opened.list, JSON.parse(opened.text)]).toEqual([[plain.metadata], plain.metadata])
      yield* sql`DELETE FROM person_keys WHERE id = ${of}`
      yield* forgetAll
      expect(yield* shown(value)).toEqual({ metadata: {}, name: "erased", amount: 7n })
      expect(JSON.parse(yield* openIn(json))).toEqual({
        list: [{ erased: "erased" }],
        text: '{"erased":"erased","erased":"erased"}'
      })
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
