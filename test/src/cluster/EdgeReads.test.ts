import { describe, expect } from "bun:test"
import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { render } from "../../../src/http/MetricsRoute.ts"
import { Users } from "../../../src/identity/users/Users.ts"
import { withLayer } from "../../lib/Effects.ts"
import { openedOn } from "../../lib/OpenedArena.ts"
import { ask } from "../../lib/Requests.ts"
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

/** A busy machine may take longer than a node tries, which then rightly asks the one that writes: so it may ask a few times. */
const TRIES = 5

/** Makes reads until one is answered where nobody writes. */
const answeredThere = <A>(effect: Effect.Effect<A>) =>
  Effect.repeat(ownReadsOf(effect), { until: ({ own }) => own > 0, times: TRIES - 1 })

const opened = Effect.gen(function* () {
  const nodes = yield* twoNodesWith({ RATE_LIMITS: "on" })
  const arena = yield* openedOn(nodes.server)
  const read = (node: 0 | 1, path: string, as?: string, headers: Record<string, string> = {}) =>
    Effect.gen(function* () {
      const authorization = as === undefined ? {} : { authorization: `Bearer ${yield* nodes.server.token(as)}` }
      return yield* Effect.promise(() => ask(nodes.urls[node], path, { headers: { ...authorization, ...headers } }))
    })
  return { ...arena, read }
})

/** Two nodes with an open arena, and how to read from each: 0 writes. */
class Opened extends Context.Service<Opened, Effect.Success<typeof opened>>()("test/cluster/Opened") {}

const it = withLayer(Layer.effect(Opened, opened))

/** Headers that two answers may differ in. */
const OWN_HEADERS: ReadonlySet<string> = new Set(["date", "x-request-id", "content-length", "x-ratelimit-remaining"])

const left = ({ headers }: { readonly headers: Headers }) => Number(headers.get("x-ratelimit-remaining"))

const shown = ({ headers }: { readonly headers: Headers }) => headers.get("emporion-position") ?? ""

describe("A read of a node that does not write", () => {
  it("has the bytes and the headers that it has where somebody writes, and counts as one there", () =>
    Effect.gen(function* () {
      const { commit, order, read, server, trader } = yield* Opened
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
      for (const path of [...arena, ...products]) {
        const {
          own,
          result: [there, here]
        } = yield* answeredThere(Effect.all([read(0, path, trader.id), read(1, path, trader.id)]))
        expect([path, own, here.status, left(there) - left(here)]).toEqual([path, 1, 200, 1])
        expect(here.text).toBe(there.text)
        const headersOf = ({ headers }: typeof here) => [...headers].filter(([name]) => !OWN_HEADERS.has(name))
        expect(headersOf(here)).toEqual(headersOf(there))
      }
    }))

  it("shows what was acknowledged before it began", () =>
    Effect.gen(function* () {
      const { commit, read, trader } = yield* Opened
      const seen = Effect.fnUntraced(function* (key: string) {
        const { json } = yield* commit({}, undefined, key)
        const { text } = yield* read(1, `${MINE}?limit=1`, trader.id)
        expect(text).toContain(json.data.commitment_id)
      })
      let round = 0
      const another = Effect.suspend(() => seen(`key-${(round += 1)}`))
      for (let count = 0; count < 10; count++) expect((yield* answeredThere(another)).own).toBe(1)
    }))

  it("shows the position that the node that writes shows, and takes it from there", () =>
    Effect.gen(function* () {
      const { commit, read, trader } = yield* Opened
      const before = shown(yield* read(1, MINE, trader.id))
      const after = shown(yield* commit({}, undefined, "positioned"))
      const [epoch = "", seq = ""] = after.split("-")
      expect(before).toStartWith(`${epoch}-`)
      expect(Number(seq)).toBeGreaterThan(Number(before.split("-")[1]))
      for (const node of [0, 1] as const) {
        const naming = (position: string) => read(node, MINE, trader.id, { "emporion-position": position })
        const answer = yield* naming(after)
        expect([answer.status, shown(answer)]).toEqual([200, after])
        expect((yield* naming(`${epoch}-${Number(seq) + 1}`)).status).toBe(503)
        expect((yield* naming("nonsense")).status).toBe(400)
      }
    }))

  it("is left to the node that writes where that may not be the last any more, or the tables are late", () =>
    Effect.gen(function* () {
      const { read, server, trader } = yield* Opened
      const sql = yield* server.run(SqlClient)
      const mine = read(1, MINE, trader.id)
      const owns = Effect.map(ownReadsOf(mine), ({ own, result }) => [own, result.status])
      expect((yield* answeredThere(mine)).own).toBe(1)
      for (const column of ["term", "seq"]) {
        yield* server.run(sql`UPDATE projection SET ${sql(column)} = ${sql(column)} + ${column === "term" ? 1 : -1}`)
        expect(yield* owns).toEqual([0, 200])
        yield* server.run(sql`UPDATE projection SET ${sql(column)} = ${sql(column)} + ${column === "term" ? -1 : 1}`)
      }
      expect((yield* answeredThere(mine)).own).toBe(1)
    }))

  it("is refused where somebody writes to whom it is refused, at once after a suspension", () =>
    Effect.gen(function* () {
      const { read, server } = yield* Opened
      const person = yield* server.user()
      expect((yield* read(1, MINE)).status).toBe(401)
      expect((yield* read(1, `${MINE}?colour=red`, person.id)).status).toBe(400)
      expect((yield* read(1, "/api/arena/orders/ord_none", person.id)).status).toBe(404)
      expect((yield* answeredThere(read(1, MINE, person.id))).own).toBe(1)
      yield* server.run(Effect.flatMap(Users, (users) => users.setStatus(person.id, "suspended")))
      const { own, result } = yield* ownReadsOf(read(1, MINE, person.id))
      expect([own, result.status]).toEqual([0, 403])
    }))
})
