import { describe, expect } from "bun:test"
import { Clock, Effect, Exit } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import * as fc from "fast-check"
import { COMMITMENT_STATUSES } from "../../../engine/arena/Commitment.ts"
import { MAX_LIMIT } from "../../../src/api/Paging.ts"
import { committedOrder } from "../../../src/arena/ArenaReads.ts"
import { CommitmentLists } from "../../../src/arena/CommitmentLists.ts"
import { CommitmentRepository, type MyCommitments } from "../../../src/arena/CommitmentRepository.ts"
import { OrderRepository } from "../../../src/arena/OrderRepository.ts"
import { itLive } from "../../lib/Effects.ts"
import { openedArena, usd } from "../../lib/OpenedArena.ts"
import { runs } from "../../lib/Property.ts"

interface Mine {
  readonly commitments: ReadonlyArray<{ readonly commitment_id: string; readonly status: string }>
  readonly total: number
}

interface Detail {
  readonly order: {
    readonly status: string
    readonly commitments: Mine["commitments"]
  }
}

const MINE = "/api/arena/commitments/my"

/** More than memory keeps of one user, and less. */
const MANY = MAX_LIMIT + 30
const FEW = 4

const sample = (ids: ReadonlyArray<string>, userIds: ReadonlyArray<string>): ReadonlyArray<MyCommitments> =>
  fc.sample(
    fc.record({
      userId: fc.constantFrom(...userIds),
      status: fc.constantFrom(undefined, undefined, ...COMMITMENT_STATUSES),
      limit: fc.integer({ min: 1, max: MAX_LIMIT }),
      offset: fc.oneof(fc.constant(0), fc.nat(MANY + 5)),
      after: fc.oneof(fc.constant(undefined), fc.constantFrom("com_unknown", ...ids))
    }),
    Math.min(runs(), 400)
  )

describe("CommitmentLists", () => {
  itLive("gives every page as the tables have it, of those who have few commitments and many", () =>
    Effect.gen(function* () {
      const { commit, order, server, trader } = yield* openedArena()
      const other = yield* server.user(`0x${"2".repeat(40)}`)
      yield* server.mint(other.id, usd(10_000n))
      const lists = server.service(CommitmentLists)
      const commitments = server.service(CommitmentRepository)
      const orders = server.service(OrderRepository)
      const users = [trader.id, other.id]
      const head = { status: undefined, limit: MAX_LIMIT, offset: 0 }
      const read = Effect.forEach(users, (userId) => lists.mine({ userId, ...head }))
      const make = (count: number, as: string) =>
        Effect.map(
          Effect.forEach(Array.from({ length: count }), () => commit({ quantity: 0.01 }, as), { concurrency: 10 }),
          (made) => made.map(({ json }) => json.data.commitment_id)
        )
      /** How many of the pages memory has. */
      const compared = Effect.fnUntraced(function* (ids: ReadonlyArray<string>) {
        let known = 0
        for (const query of sample(ids, users)) {
          if (lists.known(query, yield* Clock.currentTimeMillis) !== undefined) known += 1
          const shown = yield* Effect.exit(lists.mine(query))
          expect(shown).toEqual(yield* Effect.exit(commitments.mine(query)))
          if (query.after === "com_unknown") expect(Exit.isFailure(shown)).toBe(true)
        }
        expect(yield* lists.order(order.order_id)).toEqual(yield* committedOrder(orders, commitments, order.order_id))
        return known
      })
      yield* server.run(
        Effect.gen(function* () {
          yield* lists.order(order.order_id)
          yield* read
          const [few, many] = [yield* make(FEW, other.id), yield* make(MANY, trader.id)]
          expect(yield* compared([...few, ...many])).toBeGreaterThan(runs() / 10)
          yield* server.tick(90_000)
          yield* read
          yield* compared([...few, ...many])
        })
      )
    })
  )

  itLive("answers who reads right after a commitment, while no table can be written", () =>
    Effect.gen(function* () {
      const { commit, order, server, trader } = yield* openedArena()
      const path = `/api/arena/orders/${order.order_id}`
      yield* server.get(MINE, trader.id)
      yield* server.get(path, trader.id)
      const locked = Effect.flatMap(SqlClient, (sql) =>
        sql.withTransaction(
          Effect.gen(function* () {
            yield* sql`LOCK TABLE arena_commitments IN SHARE MODE`
            for (let made = 1; made <= 3; made += 1) {
              const { data } = (yield* commit({ quantity: 1 })).json
              const { json: mine } = yield* server.get<Mine>(`${MINE}?limit=1`, trader.id)
              const { json: detail } = yield* server.get<Detail>(path, trader.id)
              expect(mine.commitments.map((one) => one.commitment_id)).toEqual([data.commitment_id])
              expect(mine.total).toBe(made)
              expect(detail.order.status).toBe("competing")
              expect(detail.order.commitments.map((one) => one.commitment_id)).toContain(data.commitment_id)
              expect(detail.order.commitments.length).toBe(made)
            }
          })
        )
      )
      yield* server.run(Effect.orDie(locked))
    })
  )

  itLive("shows who won and who lost as soon as anybody was told of it, though both were kept a moment before", () =>
    Effect.gen(function* () {
      const { commit, order, server, trader } = yield* openedArena()
      yield* commit({ quantity: 1 })
      yield* commit({ quantity: 2 })
      const mine = Effect.map(server.get<Mine>(MINE, trader.id), ({ json }) => json.commitments)
      const detail = Effect.map(
        server.get<Detail>(`/api/arena/orders/${order.order_id}`, trader.id),
        ({ json }) => json.order.commitments
      )
      const statuses = Effect.map(Effect.all([mine, detail]), (lists) =>
        lists.map((commitments) => commitments.map(({ status }) => status).toSorted())
      )
      const both = (...expected: Array<string>) => [expected, expected]
      const moment = 5
      yield* server.tick(90_000 - moment)
      expect(yield* statuses).toEqual(both("active", "active"))
      yield* server.tick(moment)
      expect(yield* statuses).toEqual(both("lost", "won"))
      yield* server.tick(60_000 - moment)
      expect(yield* statuses).toEqual(both("lost", "won"))
      yield* server.tick(moment)
      expect(yield* statuses).toEqual(both("lost", "settled"))
    })
  )

  itLive("names the next page as the tables do, also where it is answered from memory", () =>
    Effect.gen(function* () {
      const { commit, server, trader } = yield* openedArena()
      yield* server.get(MINE, trader.id)
      for (let made = 0; made < 3; made += 1) yield* commit({ quantity: 1 })
      const link = Effect.map(server.get(`${MINE}?limit=1&offset=1`, trader.id), ({ headers }) => headers.get("link"))
      const { json } = yield* server.get<Mine>(`${MINE}?limit=1&offset=1`, trader.id)
      expect(yield* link).toBe(`<${MINE}?limit=1&after=${json.commitments[0]?.commitment_id}>; rel="next"`)
      const last = yield* server.get(`${MINE}?limit=1&offset=2`, trader.id)
      expect(last.headers.get("link")).toBeNull()
    })
  )
})
