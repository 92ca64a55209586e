import { describe, expect } from "bun:test"
import { Effect } from "effect"
import { itLive } from "../../lib/Effects.ts"
import { openedArena, refusal } from "../../lib/OpenedArena.ts"

/** What differs from one answer to the next, whichever way it took. */
const OWN = new Set(["x-request-id", "x-ratelimit-remaining", "date"])

const headersOf = (headers: Headers) => [...headers].filter(([name]) => !OWN.has(name)).toSorted()

describe("DirectFace", () => {
  itLive("answers what is ready as the router does, and counts it", () =>
    Effect.gen(function* () {
      const { commit, order, server, trader } = yield* openedArena({ RATE_LIMITS: "on" })
      yield* commit({ quantity: 1 })
      const path = `/api/arena/orders/${order.order_id}`
      const look = server.get(path, trader.id)
      const [routed, direct, again] = [yield* look, yield* look, yield* server.get(`${path}?`, trader.id)]
      expect(direct.json).toEqual(routed.json)
      expect([direct.status, again.status]).toEqual([200, 200])
      expect(headersOf(direct.headers)).toEqual(headersOf(routed.headers))
      expect(headersOf(again.headers)).toEqual(headersOf(routed.headers))
      const left = [routed, direct, again].map(({ headers }) => Number(headers.get("x-ratelimit-remaining")))
      expect(left).toEqual([left[0]!, left[0]! - 1, left[0]! - 2])
      expect(direct.headers.get("x-request-id")).not.toBe(routed.headers.get("x-request-id"))
    })
  )

  itLive("leaves refusals to the router", () =>
    Effect.gen(function* () {
      const { order, server, trader } = yield* openedArena()
      const path = `/api/arena/orders/${order.order_id}`
      for (let read = 0; read < 2; read++) yield* server.get(path, trader.id)
      expect(refusal(yield* server.get(path, undefined))).toEqual([401, "unauthorized", "at once"])
      expect(refusal(yield* server.get(`${path}x`, trader.id))).toEqual([404, "ARENA_001", "at once"])
    })
  )

  itLive("refuses one request more than the limit, from either side", () =>
    Effect.gen(function* () {
      const { order, server, trader } = yield* openedArena({ RATE_LIMITS: "on" })
      const path = `/api/arena/orders/${order.order_id}`
      const first = yield* server.get(path, trader.id)
      const left = Number(first.headers.get("x-ratelimit-remaining"))
      for (let read = 0; read < left; read++) expect((yield* server.get(path, trader.id)).status).toBe(200)
      expect(refusal(yield* server.get(path, trader.id))).toEqual([429, "rate_limited", "later"])
      expect(refusal(yield* server.get("/api/arena/orders", trader.id))).toEqual([429, "rate_limited", "later"])
    })
  )
})
