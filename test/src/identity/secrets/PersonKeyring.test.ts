import { describe, expect } from "bun:test"
import { Deferred, Effect, Fiber, Layer, Redacted } from "effect"
import { layerWebCrypto } from "effect/crypto/SecureRandom"
import type { Unavailable } from "../../../../src/database/DatabaseError.ts"
import { makePersonKeyring } from "../../../../src/identity/secrets/PersonKeyring.ts"
import { type PersonKey, PersonKeyRepository } from "../../../../src/identity/secrets/PersonKeyRepository.ts"
import { Secrets } from "../../../../src/identity/secrets/Secrets.ts"
import { withLayer } from "../../../lib/Effects.ts"

const it = withLayer(
  Layer.effect(Secrets, Secrets.under(Redacted.make(new Uint8Array(32).fill(3)))).pipe(
    Layer.provideMerge(layerWebCrypto)
  )
)

/** Keys in memory in place of the table, and what was asked for; `gates` hold an answer back. */
const makeTable = () => {
  const stored = new Map<string, PersonKey>()
  const asked: Array<string> = []
  const gates = new Map<string, Effect.Effect<void>>()
  const gate = (name: string) => Effect.andThen(Effect.yieldNow, gates.get(name) ?? Effect.void)
  const layer = Layer.succeed(
    PersonKeyRepository,
    PersonKeyRepository.of({
      find: Effect.fnUntraced(function* (ids) {
        asked.push(`find ${ids.join()}`)
        const found = ids.flatMap((id) => stored.get(id) ?? [])
        yield* gate("find")
        return found
      }),
      add: Effect.fnUntraced(function* (key) {
        asked.push(`add ${key.id}`)
        const kept = stored.get(key.id) ?? key
        stored.set(key.id, kept)
        yield* gate("add")
        return { ...kept, isKept: true }
      })
    })
  )
  return { stored, asked, gates, layer }
}

describe("The keys of people in memory", () => {
  it("have one that was drawn, are asked for once by those who miss one together, and lose the oldest first", () =>
    Effect.gen(function* () {
      const { asked, layer } = makeTable()
      const { keyOf, read } = yield* Effect.provide(makePersonKeyring(2), layer)
      const together = yield* Effect.all(
        ["a", "a", "a"].map((id) => keyOf(id)),
        { concurrency: "unbounded" }
      )
      expect(new Set(together.map((key) => key.join())).size).toBe(1)
      yield* keyOf("a")
      expect(asked).toEqual(["find a", "add a"])
      yield* keyOf("b")
      yield* keyOf("c")
      asked.splice(0)
      yield* read(["b", "c"])
      expect(asked).toEqual([])
      yield* read(["a", "c"])
      expect(asked).toEqual(["find a"])
    }))

  it("do not have what was being read or drawn while all were forgotten", () =>
    Effect.gen(function* () {
      const { asked, gates, layer, stored } = makeTable()
      const { forgetAll, keyOf, read } = yield* Effect.provide(makePersonKeyring(), layer)
      const crossed = Effect.fnUntraced(function* (name: "find" | "add", work: Effect.Effect<unknown, Unavailable>) {
        const gate = yield* Deferred.make<void>()
        gates.set(name, Deferred.await(gate))
        asked.splice(0)
        const under = yield* Effect.forkChild(work)
        while (!asked.some((one) => one.startsWith(name))) yield* Effect.yieldNow
        yield* forgetAll
        stored.clear()
        gates.clear()
        yield* Deferred.succeed(gate, undefined)
        yield* Fiber.join(under)
        return [...(yield* read(["a"])).keys()]
      })
      expect(yield* crossed("add", keyOf("a"))).toEqual([])
      yield* keyOf("a")
      yield* forgetAll
      expect([...(yield* read(["a"])).keys()]).toEqual(["a"])
      yield* forgetAll
      expect(yield* crossed("find", read(["a"]))).toEqual([])
    }))
})
