import { describe, expect } from "bun:test"
import { Context, Effect } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { render } from "../../../src/http/MetricsRoute.ts"
import { Users } from "../../../src/identity/users/Users.ts"
import { itLive } from "../../lib/Effects.ts"
import { openedOn } from "../../lib/OpenedArena.ts"
import { ask } from "../../lib/Requests.ts"
import type { Variables } from "../../lib/TestServer.ts"
import { twoNodesWith } from "../../lib/TwoNodes.ts"

const MINE = "/api/arena/commitments/my"

/** Reads that were answered where nobody writes, in this process. */
const ownReads = () => Number(/^emporion_edge_reads_total (\d+)/m.exec(render(Context.empty()))?.[1] ?? 0)

/** How many of the reads that an effect makes are answered where nobody writes. */
const ownReadsOf = <A>(effect: Effect.Effect<A>) =>
  Effect.suspend(() => {
    const before = ownReads()
    return Effect.map(effect, (result) => ({ result, own: ownReads() - before }))
  })

/** Two nodes with an open arena, and how to read from each: 0 writes. */
const opened = Effect.fnUntraced(function* (variables: Variables = {}) {
  const nodes = yield* twoNodesWith(variables)
  const arena = yield* openedOn(nodes.server)
  const read = (node: 0 | 1, path: string, as?: string) =>
    Effect.gen(function* () {
      const headers: Record<string, string> =
        as === undefined ? {} : { authorization: `Bearer ${yield* nodes.server.token(as)}` }
      return yield* Effect.promise(() => ask(nodes.urls[node], path, { headers }))
    })
  return { ...arena, read }
})

describe("A read of a node that does not write", () => {
  itLive("has the bytes and the headers that it has where somebody writes, and shows all that was acknowledged", () =>
    Effect.gen(function* () {
      const { commit, order, read, server, trader } = yield* opened()
      for (const key of ["first", "second"]) expect((yield* commit({}, undefined, key)).status).toBe(200)
      const offer = (name: string) =>
        server.post<{ readonly id: string }>(
          "/v1/commerce/products",
          { name, description: "of oak", price: 2.5, quantity: "10" },
          { as: trader.id }
        )
      yield* offer("crate")
      const { json: product } = yield* offer("barrel")
      const arena = ["/api/arena/orders?limit=2", `/api/arena/orders/${order.order_id}`, MINE, `${MINE}?limit=1`]
      const products = ["", "?limit=1", "?q=arr", `/${product.id}`].map((rest) => `/v1/commerce/products${rest}`)
      const paths = [...arena, ...products]
      for (const path of paths) {
        const there = yield* read(0, path, trader.id)
        const { own, result: here } = yield* ownReadsOf(read(1, path, trader.id))
        expect([path, own, here.status]).toEqual([path, 1, 200])
        expect(here.text).toBe(there.text)
        const headersOf = ({ headers }: typeof here) =>
          [...headers].filter(([name]) => !["date", "x-request-id", "content-length"].includes(name))
        expect(headersOf(here)).toEqual(headersOf(there))
      }
      const acknowledged = Effect.gen(function* () {
        for (let round = 0; round < 10; round++) {
          const { json } = yield* commit({}, undefined, `key-${round}`)
          const seen = yield* read(1, `${MINE}?limit=1`, trader.id)
          expect(seen.text).toContain(json.data.commitment_id)
        }
      })
      expect((yield* ownReadsOf(acknowledged)).own).toBe(10)
    })
  )

  itLive("counts as one where somebody writes, and is refused there to whom it is refused", () =>
    Effect.gen(function* () {
      const { read, server, trader } = yield* opened({ RATE_LIMITS: "on" })
      const left = ({ headers }: { readonly headers: Headers }) => Number(headers.get("x-ratelimit-remaining"))
      const first = left(yield* read(0, MINE, trader.id))
      expect(left(yield* read(1, MINE, trader.id))).toBe(first - 1)
      expect(left(yield* read(0, MINE, trader.id))).toBe(first - 2)
      expect((yield* read(1, MINE)).status).toBe(401)
      expect((yield* read(1, `${MINE}?colour=red`, trader.id)).status).toBe(400)
      expect((yield* read(1, "/api/arena/orders/ord_none", trader.id)).status).toBe(404)
      yield* server.run(Effect.flatMap(Users, (users) => users.setStatus(trader.id, "suspended")))
      const { own, result } = yield* ownReadsOf(read(1, MINE, trader.id))
      expect([own, result.status]).toEqual([0, 403])
    })
  )

  itLive("is left to the node that writes where that may not be the last any more, or the tables are late", () =>
    Effect.gen(function* () {
      const { read, server, trader } = yield* opened()
      const sql = yield* server.run(SqlClient)
      const owns = Effect.map(ownReadsOf(read(1, MINE, trader.id)), ({ own, result }) => [own, result.status])
      expect(yield* owns).toEqual([1, 200])
      for (const column of ["term", "seq"]) {
        yield* server.run(sql`UPDATE projection SET ${sql(column)} = ${sql(column)} + ${column === "term" ? 1 : -1}`)
        expect(yield* owns).toEqual([0, 200])
        yield* server.run(sql`UPDATE projection SET ${sql(column)} = ${sql(column)} + ${column === "term" ? -1 : 1}`)
      }
      expect(yield* owns).toEqual([1, 200])
    })
  )
})
