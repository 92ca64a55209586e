import { describe, expect } from "bun:test"
import { Effect } from "effect"
import { createHash } from "node:crypto"
import { OrderKeys } from "../../../src/arena/OrderKeys.ts"
import { Settings } from "../../../src/Config.ts"
import { itEffect } from "../../lib/Effects.ts"

const keysOf = (secret: string) =>
  Effect.provide(OrderKeys, OrderKeys.layer, { local: true }).pipe(
    Effect.provide(Settings.layerOf({ SECRET_KEY: secret.repeat(32) }))
  )

describe("OrderKeys", () => {
  itEffect("gives an order the same keys at every start, and others under another secret", () =>
    Effect.gen(function* () {
      const [one, again, other] = yield* Effect.all([keysOf("01"), keysOf("01"), keysOf("02")])
      expect(one.tieKey("ord_1")).toBe(again.tieKey("ord_1"))
      expect(one.hash("a")).toEqual(again.hash("a"))
      expect(new Set([one.tieKey("ord_1"), one.tieKey("ord_2"), other.tieKey("ord_1")]).size).toBe(3)
    })
  )

  itEffect("publishes the SHA-256 of a tie key, which anybody can compute from the key", () =>
    Effect.gen(function* () {
      const keys = yield* keysOf("01")
      const key = keys.tieKey("ord_1")
      const bytes = Buffer.from(key, "hex")
      expect(bytes.length).toBe(32)
      expect(keys.tieKeyHash("ord_1")).toBe(createHash("sha256").update(bytes).digest("hex"))
      expect(keys.tieHash(key, "cmp_é")).toBe(
        createHash("sha256")
          .update(Buffer.concat([bytes, Buffer.from("cmp_é")]))
          .digest("hex")
      )
    })
  )
})
