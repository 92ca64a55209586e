import { describe, expect } from "bun:test"
import { Clock, Effect, Exit, Layer, Redacted, type Types } from "effect"
import { layerWebCrypto } from "effect/crypto/SecureRandom"
import { HttpServerRequest } from "effect/http"
import { isSealed } from "../../../../engine/erasure/SealedText.ts"
import { mergedMetadata } from "../../../../engine/metadata/Metadata.ts"
import { CurrentPrincipal, type Principal } from "../../../../src/api/Authorization.ts"
import { directly, directOf } from "../../../../src/http/DirectHandler.ts"
import { FreeText } from "../../../../src/identity/secrets/FreeText.ts"
import { PersonalText } from "../../../../src/identity/secrets/PersonalText.ts"
import { RequestFacts, RequestState } from "../../../../src/RequestState.ts"
import { Secrets } from "../../../../src/identity/secrets/Secrets.ts"
import { withLayer } from "../../../lib/Effects.ts"
import * as TestDatabase from "../../../lib/TestDatabase.ts"

const secrets = Layer.effect(Secrets, Secrets.under(Redacted.make(new Uint8Array(32).fill(3)))).pipe(
  Layer.provideMerge(layerWebCrypto)
)

const it = withLayer(
  FreeText.layer.pipe(
    Layer.provideMerge(PersonalText.layer),
    Layer.provideMerge(TestDatabase.layer),
    Layer.provide(secrets)
  )
)

const OF = `cmp_${"9".repeat(24)}`

type Handler = (request: object) => Effect.Effect<unknown>

const CALLER: Principal = {
  userId: "usr_1",
  clientId: "cli_1",
  companyId: "cmp_1",
  role: "buyer",
  scopes: [],
  kind: "user",
  status: "active"
}

/** With what a request's handler finds. */
const served = <A, E>(
  made: Effect.Effect<A, E, CurrentPrincipal | RequestState | HttpServerRequest.HttpServerRequest>
): Effect.Effect<A, E> =>
  made.pipe(
    Effect.provideService(CurrentPrincipal, CALLER),
    Effect.provideService(RequestState, new RequestFacts("")),
    Effect.provideService(
      HttpServerRequest.HttpServerRequest,
      HttpServerRequest.fromWeb(new Request("http://localhost"))
    )
  )

const PAGE = { limit: 1, offset: 0 }

describe("FreeText", () => {
  it("seals the named texts and the metadata of a request, in an order of their own, and nothing else", () =>
    Effect.gen(function* () {
      const { texts } = yield* FreeText
      const { shown } = yield* PersonalText
      const request = { id: "a", text: "b", empty: "", none: null as string | null, metadata: { k: "v", l: "" } }
      const sealed = yield* texts(OF, request, ["text", "empty", "none"])
      expect([sealed.id, sealed.empty, sealed.none, isSealed(sealed.text)]).toEqual(["a", "", null, true])
      const keys = Object.keys(sealed.metadata)
      expect(keys).toEqual(keys.toSorted())
      expect(keys.every(isSealed)).toBe(true)
      expect(yield* shown(sealed)).toEqual(request)
      expect(yield* texts(OF, sealed, ["text"])).toEqual(sealed)
      const nothing = { text: "" }
      expect(yield* texts(OF, nothing, ["text"])).toBe(nothing)
    }))

  it("seals the same without waiting, once the key is known", () =>
    Effect.gen(function* () {
      const { texts, textsNow } = yield* FreeText
      const of = `usr_${"7".repeat(24)}`
      const now = yield* Clock.currentTimeMillis
      const request = { id: "a", text: "b", metadata: { k: "v" } }
      expect(textsNow(of, request, now, ["text"])).toBeUndefined()
      expect(textsNow(of, { id: "a" }, now)).toEqual({ id: "a" })
      expect(textsNow("house", request, now, ["text"])).toEqual(request)
      const sealed = yield* texts(of, request, ["text"])
      expect(textsNow(of, request, now, ["text"])).toEqual(sealed)
      expect(textsNow(of, request, now + 60_000, ["text"])).toBeUndefined()
    }))

  it("opens what a handler answers, in each of its ways", () =>
    Effect.gen(function* () {
      const { opening, texts } = yield* FreeText
      const sealed = yield* texts(OF, { text: "b" }, ["text"])
      const group = { handleAll: (handlers: Readonly<Record<"make", Handler>>) => handlers }
      const call = { facts: new RequestFacts(""), principal: CALLER, keyed: undefined }
      for (const [way, answer] of [
        [Effect.succeed(sealed), Exit.succeed({ text: "b" })],
        [Exit.die("a fault"), Exit.die("a fault")]
      ] as const) {
        const given: Array<Effect.Effect<unknown, Types.unhandled>> = []
        const { make } = opening(group).handleAll({
          make: directly(
            () => way,
            (_request, _call, give) => {
              give(() => way)
              return true
            }
          )
        })
        expect(directOf(make)?.begin({}, call, (made) => given.push(served(made())))).toBe(true)
        expect(yield* Effect.forEach([make({}), ...given], Effect.exit)).toEqual([answer, answer])
      }
      const waiting = opening(group).handleAll({
        make: directly(
          () => Effect.void,
          () => false
        )
      })
      expect(directOf(waiting.make)?.begin({}, call, () => {})).toBe(false)
      expect(directOf(opening(group).handleAll({ make: () => Effect.void }).make)).toBeUndefined()
    }))

  it("merges a change into what is sealed and into what was there in clear before", () =>
    Effect.gen(function* () {
      const { change, texts } = yield* FreeText
      const { shown } = yield* PersonalText
      const { metadata } = yield* texts(OF, { metadata: { a: "1", b: "2" } })
      const asked = yield* change(OF, { a: "5", b: null, c: "6", e: "7" })
      const merged = yield* Effect.fromResult(mergedMetadata({ ...metadata, c: "3", d: "4" }, asked))
      expect(yield* shown(merged)).toEqual({ a: "5", c: "6", d: "4", e: "7" })
      expect(Object.keys(merged)).toHaveLength(4)
      expect([yield* change(OF, null), yield* change(OF, undefined)]).toEqual([null, undefined])
    }))

  it("asks a filter for what is sealed under each key that there is, and asks nobody where nothing is filtered", () =>
    Effect.gen(function* () {
      const { page, texts } = yield* FreeText
      const { metadata } = yield* texts(OF, { metadata: { key: "value" } })
      const pair = { key: "key", value: "value" }
      const { sealedMetadata = [] } = yield* page(Effect.succeed([OF, `cmp_${"8".repeat(24)}`]), {
        ...PAGE,
        metadata: pair
      })
      expect(sealedMetadata.map(({ key, value }) => ({ [key]: value }))).toEqual([metadata])
      expect(yield* page(Effect.die("asked"), PAGE)).toBe(PAGE)
    }))
})
