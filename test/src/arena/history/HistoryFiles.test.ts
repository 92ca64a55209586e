import { parse } from "csv-parse/sync"
import { describe, expect } from "bun:test"
import { Effect, Stream } from "effect"
import fc from "fast-check"
import { SqlClient } from "effect/sql/SqlClient"
import { createHash } from "node:crypto"
import { HISTORY_FILES, type HistoryFileName, MEDIAN_FILES } from "../../../../src/api/ArenaHistory.ts"
import { AUCTION_COLUMNS } from "../../../../src/arena/history/AuctionFile.ts"
import { sliced } from "../../../../src/arena/history/ByteSlice.ts"
import { MEDIANS_CLASS } from "../../../../src/arena/history/DailyMedians.ts"
import { HistoryFiles } from "../../../../src/arena/history/HistoryFiles.ts"
import type { PublicOrder } from "../../../../src/arena/OrderPages.ts"
import { HorizonRepository } from "../../../../src/database/HorizonRepository.ts"
import { ArenaModelComparison } from "../../../lib/ArenaModelComparison.ts"
import { arenaCommands } from "../../../lib/ArenaCommands.ts"
import { wait, tick } from "../../../lib/ArenaScenario.ts"
import { itLive } from "../../../lib/Effects.ts"
import { runs } from "../../../lib/Property.ts"
import { TestServer } from "../../../lib/TestServer.ts"

const DAY = 86_400_000

const FIRST = Math.floor(Date.parse("2026-09-30T00:00:00.000Z") / DAY)

const bytesOf = <E>(stream: Stream.Stream<Uint8Array<ArrayBuffer>, E>) =>
  Effect.map(Stream.runCollect(stream), (chunks) => Buffer.concat([...chunks]))

const contentsOf = (server: TestServer, day: number, name: HistoryFileName) =>
  server.run(Effect.flatMap(HistoryFiles, ({ contents }) => bytesOf(contents({ day, bids: "open" }, name))))

/** What a cell of CSV stands for. */
const cellOf = (value: unknown): string =>
  value === null ? "" : typeof value === "string" ? value : JSON.stringify(value)

const linesOf = <A>(bytes: Buffer): ReadonlyArray<A> =>
  bytes
    .toString()
    .split("\n")
    .filter((line) => line !== "")
    .map((line): A => JSON.parse(line))

const tableOf = (bytes: Buffer) => parse(bytes) as unknown as ReadonlyArray<ReadonlyArray<string>>

interface YieldJson {
  readonly order_id: string
  readonly commitment_id: string
  readonly trader_share: number
  readonly insurance_share: number
  readonly platform_share: number
  readonly token_holder_share: number
}

const units = (dollars: number): number => Math.round(dollars * 1e6)

/** Compares a day's prices and yields with the tables, and each form with the other. */
const compareRecorded = Effect.fnUntraced(function* (
  server: TestServer,
  day: number,
  orders: ReadonlyArray<PublicOrder>
) {
  const [from, end] = [BigInt(day * DAY), BigInt((day + 1) * DAY)]
  for (const name of ["medians", "yields"] as const) {
    const lines = linesOf<object>(yield* contentsOf(server, day, `${name}.jsonl`))
    const [header, ...rows] = tableOf(yield* contentsOf(server, day, `${name}.csv`))
    expect(rows).toEqual(lines.map((line) => Object.values(line).map(cellOf)))
    for (const line of lines) expect(Object.keys(line)).toEqual([...(header ?? [])])
  }
  const recorded = yield* server.run(
    Effect.flatMap(
      SqlClient,
      (sql) => sql<{ readonly asset: string; readonly at: bigint; readonly price: bigint; readonly safe: boolean }>`
        SELECT asset, at, price, safe, source FROM arena_medians WHERE at >= ${from} AND at < ${end} ORDER BY at, asset`
    )
  )
  expect(linesOf<object>(yield* contentsOf(server, day, "medians.jsonl"))).toEqual(
    recorded.map((row) => ({ ...row, at: new Date(Number(row.at)).toISOString(), price: Number(row.price) / 1e6 }))
  )
  const yields = linesOf<YieldJson>(yield* contentsOf(server, day, "yields.jsonl"))
  const earned = yield* server.run(
    Effect.flatMap(
      SqlClient,
      (sql) => sql<{ readonly id: string; readonly order_id: string; readonly earned: bigint }>`
        SELECT c.id, c.order_id, c.yield_earned AS earned FROM arena_commitments AS c
        JOIN arena_orders AS o ON o.id = c.order_id
        WHERE o.settlement_at >= ${from} AND o.settlement_at < ${end} AND c.yield_earned > 0`
    )
  )
  const byId = (pairs: ReadonlyArray<readonly [string, string, number]>) => pairs.map(String).toSorted()
  // Of the smallest yields the trader's share is rounded to nothing.
  const traders = yields.filter((one) => one.trader_share > 0)
  expect(byId(traders.map((one) => [one.order_id, one.commitment_id, units(one.trader_share)]))).toEqual(
    byId(earned.map((one) => [one.order_id, one.id, Number(one.earned)]))
  )
  for (const one of yields) {
    expect(one.trader_share + one.insurance_share + one.platform_share + one.token_holder_share).toBeGreaterThan(0)
  }
  const places = orders.map(({ order_id: id }) => id)
  const sequence = yields.map(({ order_id: id }) => places.indexOf(id))
  expect(sequence).toEqual(sequence.toSorted((one, other) => one - other))
})

const rowsOf = ({ commitments, ...order }: PublicOrder): ReadonlyArray<ReadonlyArray<string>> => {
  const own = Object.values(order).map(cellOf)
  const width = AUCTION_COLUMNS.length - own.length
  return commitments.length === 0
    ? [[...own, ...Array.from({ length: width }, () => "")]]
    : commitments.map((commitment) => [...own, ...Object.values(commitment).map(cellOf)])
}

/** Plays an arena, lets everything end, and compares a day's files with each other and with the orders' details. */
const compare = Effect.fnUntraced(function* (
  commands: Parameters<ArenaModelComparison["do"]>[0][],
  cuts: ReadonlyArray<number>
) {
  const comparison = yield* ArenaModelComparison.make("weighted")
  for (const command of [tick, ...commands]) yield* comparison.do(command)
  for (const command of [wait(600_000), tick, wait(600_000), tick]) yield* comparison.do(command)
  const { server } = comparison
  for (const day of [FIRST, FIRST + 1]) {
    const jsonl = yield* contentsOf(server, day, "auctions.jsonl")
    const csv = yield* contentsOf(server, day, "auctions.csv")
    const orders = linesOf<PublicOrder>(jsonl)
    const places = orders.map(({ order_id: id, settlement_date: at }) => `${at} ${id}`)
    expect(places).toEqual(places.toSorted())
    for (const order of orders) {
      const { json } = yield* server.get<{ readonly order: PublicOrder }>(
        `/api/arena/orders/${order.order_id}`,
        comparison.actors.ada.userId
      )
      expect(order).toEqual(json.order)
    }
    const [header, ...rows] = tableOf(csv)
    expect(header).toEqual([...AUCTION_COLUMNS])
    expect(rows).toEqual(orders.flatMap(rowsOf).map((row) => [...row]))
    const measured = yield* server.run(
      Effect.flatMap(HistoryFiles, ({ measure }) => measure({ day, bids: "open" }, HISTORY_FILES))
    )
    expect(measured).toMatchObject({
      orders: orders.length,
      commitments: orders.reduce((sum, { commitments }) => sum + commitments.length, 0)
    })
    yield* compareRecorded(server, day, orders)
    for (const [index, name] of HISTORY_FILES.entries()) {
      const bytes = yield* contentsOf(server, day, name)
      const file = measured.files[index]
      expect(file?.name).toBe(name)
      expect(file?.bytes).toBe(bytes.length)
      expect(Buffer.from(file?.sha256 ?? []).equals(createHash("sha256").update(bytes).digest())).toBe(true)
      const at = [0, ...cuts.map((cut) => Math.floor(cut * bytes.length)), bytes.length].toSorted((a, b) => a - b)
      const parts = yield* Effect.forEach(at.slice(1), (end, before) =>
        server.run(
          Effect.flatMap(HistoryFiles, ({ contents }) =>
            bytesOf(sliced(contents({ day, bids: "open" }, name), { from: at[before] ?? 0, end }))
          )
        )
      )
      expect(Buffer.concat(parts).equals(bytes)).toBe(true)
    }
  }
}, Effect.scoped)

describe("HistoryFiles", () => {
  itLive("are not made of recorded prices that may be gone in part", () =>
    Effect.gen(function* () {
      const server = yield* TestServer.make()
      yield* server.tick()
      const during = Effect.gen(function* () {
        const files = yield* HistoryFiles
        const { advance } = yield* HorizonRepository
        yield* advance(MEDIANS_CLASS, FIRST * DAY)
        expect(yield* files.kept(FIRST, HISTORY_FILES)).toEqual([...HISTORY_FILES])
        const whole = yield* bytesOf(files.contents({ day: FIRST, bids: "open" }, "medians.csv"))
        expect(whole.toString().split("\r\n").length).toBeGreaterThan(2)
        yield* advance(MEDIANS_CLASS, FIRST * DAY + 1)
        const without = HISTORY_FILES.filter((name) => !MEDIAN_FILES.some((one) => one === name))
        expect(yield* files.kept(FIRST, HISTORY_FILES)).toEqual(without)
        const broken = yield* Effect.flip(bytesOf(files.contents({ day: FIRST, bids: "open" }, "medians.csv")))
        expect(broken._tag).toBe("Unavailable")
      })
      yield* server.run(Effect.provide(during, HorizonRepository.layer))
    })
  )

  itLive(
    "are the orders of a day as their details are, whatever happened to them, in one form as in the other",
    () =>
      Effect.gen(function* () {
        const cut = fc.double({ min: 0, max: 1, noNaN: true })
        const plays = fc.sample(
          fc.tuple(arenaCommands, fc.array(cut, { maxLength: 3 })),
          Math.max(2, Math.ceil(runs() / 50))
        )
        for (const [commands, cuts] of plays) yield* compare([...commands], cuts)
      }),
    120_000
  )
})
