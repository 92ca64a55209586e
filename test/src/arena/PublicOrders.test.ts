import { describe, expect } from "bun:test"
import { Effect } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import fc from "fast-check"
import { type ArenaCommand, arenaCommands } from "../../lib/ArenaCommands.ts"
import { openedArena } from "../../lib/OpenedArena.ts"
import { ArenaModelComparison } from "../../lib/ArenaModelComparison.ts"
import { commit, run, tick, wait } from "../../lib/ArenaScenario.ts"
import { itLive } from "../../lib/Effects.ts"
import { runs } from "../../lib/Property.ts"
import { type SeenOrder, StreamReader } from "../../lib/StreamReader.ts"
import type { TestServer } from "../../lib/TestServer.ts"

const lastOrderEvent = (server: TestServer): Effect.Effect<number> =>
  server.run(
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const [row] = yield* sql<{ seq: bigint }>`
        SELECT coalesce(max(seq), 0)::bigint AS seq FROM events WHERE stream LIKE 'order/%'`
      return Number(row?.seq ?? 0n)
    })
  )

/** Every order as its detail shows it. */
const details = Effect.fnUntraced(function* (server: TestServer, as: string) {
  const { json } = yield* server.get<{ readonly orders: ReadonlyArray<SeenOrder> }>("/api/arena/orders?limit=100", as)
  return yield* Effect.forEach(json.orders, ({ order_id: id }) =>
    Effect.map(server.get<{ readonly order: SeenOrder }>(`/api/arena/orders/${id}`, as), ({ json: { order } }) => order)
  )
})

interface Mine {
  readonly commitment_id: string
  readonly status: string
  readonly profit: number
  readonly loss_reason: string | null
}

/** What the reader was told of one's own is what one's own list says. */
const expectOwn = (reader: StreamReader, mine: ReadonlyArray<Mine>): void => {
  const told = (type: string, field: string) =>
    new Map(reader.events.filter((one) => one.type === type).map(({ data }) => [data["commitment_id"], data[field]]))
  const listed = (statuses: ReadonlyArray<string>, field: keyof Mine | null) =>
    new Map(
      mine
        .filter(({ status }) => statuses.includes(status))
        .map((one) => [one.commitment_id, field === null ? undefined : one[field]])
    )
  expect(told("commitment_won", "nothing")).toEqual(listed(["won", "settled"], null))
  expect(told("commitment_lost", "reason")).toEqual(listed(["lost"], "loss_reason"))
  expect(told("commitment_settled", "profit")).toEqual(listed(["settled"], "profit"))
  const outcomes = reader.events.filter(({ type }) => /^commitment_(won|lost|settled)$/.test(type))
  expect(new Set(outcomes.map(({ type, data }) => `${type} ${data["commitment_id"]}`)).size).toBe(outcomes.length)
}

const CHANNELS = ["orders", "commitments", "settlements", "my"]

/** Plays the commands while two consumers listen, one of which is cut off again and again. */
const follow = (commands: ReadonlyArray<ArenaCommand>) =>
  Effect.gen(function* () {
    const comparison = yield* ArenaModelComparison.make("weighted")
    const { server } = comparison
    const { userId } = comparison.actors.ada
    const headers = Effect.map(server.token(userId), (token) => ({ authorization: `Bearer ${token}` }))
    const steady = new StreamReader({ channels: CHANNELS, snapshot: true, sequence: true })
    const unsteady = new StreamReader({ channels: CHANNELS, snapshot: true, sequence: true })
    yield* steady.connect(server.url, yield* headers)
    yield* unsteady.connect(server.url, yield* headers)
    for (const [index, command] of commands.entries()) {
      yield* comparison.do(command)
      if (!steady.isOpen) yield* steady.connect(server.url, yield* headers)
      if (index % 5 === 2) unsteady.disconnect()
      if (index % 5 === 4) yield* unsteady.connect(server.url, yield* headers)
    }
    if (!unsteady.isOpen) yield* unsteady.connect(server.url, yield* headers)
    const last = yield* lastOrderEvent(server)
    const expected = new Map((yield* details(server, userId)).map((order) => [order.order_id, order]))
    const { json } = yield* server.get<{ readonly commitments: ReadonlyArray<Mine> }>(
      "/api/arena/commitments/my?limit=100",
      userId
    )
    for (const reader of [steady, unsteady]) {
      yield* reader.reached(last)
      expect(reader.problems).toEqual([])
      for (const [id, order] of expected) expect(reader.orders.get(id)).toEqual(order)
      expectOwn(reader, json.commitments)
    }
    expect(unsteady.events).toEqual(steady.events)
    expect(unsteady.resumes).toBeGreaterThan(0)

    const late = new StreamReader({
      channels: CHANNELS,
      snapshot: true,
      sequence: true,
      order_id: [...expected.keys()]
    })
    yield* late.connect(server.url, yield* headers)
    yield* late.reached(last)
    return { steady, late, expected }
  })

/** Orders that are won, lost for every reason, settled and void, with a restart between. */
const WHOLE_ARENA: ReadonlyArray<ArenaCommand> = [
  tick,
  commit(0, { copies: 2 }),
  commit(0, { trader: "bob", price: 1_020, quantity: 333 }),
  commit(1, { trader: "bob", price: 1_090 }),
  commit(1, { price: 1_010, quantity: 50 }),
  commit(2, { price: 1_000, exit: 1_010 }),
  commit(3, { price: 1_030, exit: 1_010 }),
  { _tag: "Quote", type: "commodity", permille: 1_005 },
  wait(90_000),
  tick,
  { _tag: "Restart" },
  { _tag: "Quote", type: "fx", permille: 1_015 },
  run(3, 30_000),
  commit(0),
  commit(2),
  commit(7),
  { _tag: "Quote", type: "fx", permille: 1_070 },
  tick,
  wait(200_000),
  tick,
  run(3, 30_000),
  commit(0),
  wait(87_000_000),
  tick
]

describe("PublicOrders", () => {
  itLive("tells no price of a sealed bid before the choice, to who follows or comes later", () =>
    Effect.gen(function* () {
      const { commit: submit, order, server, trader } = yield* openedArena({ ARENA_SEALED_BIDS: "on" })
      const reader = Effect.gen(function* () {
        const made = new StreamReader({ channels: CHANNELS, snapshot: true, sequence: true })
        yield* made.connect(server.url, { authorization: `Bearer ${yield* server.token(trader.id)}` })
        return made
      })
      const following = yield* reader
      yield* submit({ quantity: 1 })
      const late = yield* reader
      const prices = (from: StreamReader) =>
        from.orders.get(order.order_id)?.commitments.map((one) => [one.proposed_entry_price, one.expected_exit_price])
      const committed = yield* lastOrderEvent(server)
      for (const each of [following, late]) {
        yield* each.reached(committed)
        expect(each.orders.get(order.order_id)).toMatchObject({ bids: "sealed" })
        expect(prices(each)).toEqual([[null, null]])
      }
      yield* server.tick(90_000)
      const chosen = yield* lastOrderEvent(server)
      for (const each of [following, late]) {
        yield* each.reached(chosen)
        expect(prices(each)).toEqual([[order.entry_price, expect.any(Number)]])
      }
    })
  )

  itLive(
    "lets a snapshot and what follows be the orders' details, whatever happens",
    () =>
      Effect.gen(function* () {
        const { expected, late, steady } = yield* follow(WHOLE_ARENA)
        for (const [id, order] of expected) expect(late.orders.get(id)).toEqual(order)
        for (const type of ["order_created", "commitment_submitted", "order_settled", "order_updated"]) {
          expect(steady.types).toContain(type)
        }
        for (const type of ["commitment_updated", "commitment_won", "commitment_lost", "commitment_settled"]) {
          expect(steady.types).toContain(type)
        }
      }),
    60_000
  )

  itLive(
    "does so for any sequence of commands",
    () => {
      const sample = fc.sample(arenaCommands, Math.max(2, Math.floor(runs() / 100)))
      return Effect.forEach(sample, (commands) => Effect.scoped(follow(commands)), { discard: true })
    },
    120_000
  )
})
