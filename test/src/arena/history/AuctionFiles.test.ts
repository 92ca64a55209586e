import { parse } from "csv-parse/sync"
import { describe, expect } from "bun:test"
import { Effect, Stream } from "effect"
import fc from "fast-check"
import { createHash } from "node:crypto"
import { HISTORY_FILES, type HistoryFileName } from "../../../../src/api/ArenaHistory.ts"
import { AUCTION_COLUMNS } from "../../../../src/arena/history/AuctionFile.ts"
import { AuctionFiles } from "../../../../src/arena/history/AuctionFiles.ts"
import { sliced } from "../../../../src/arena/history/ByteSlice.ts"
import type { PublicOrder } from "../../../../src/arena/OrderPages.ts"
import { ArenaModelComparison } from "../../../lib/ArenaModelComparison.ts"
import { arenaCommands } from "../../../lib/ArenaCommands.ts"
import { wait, tick } from "../../../lib/ArenaScenario.ts"
import { itLive } from "../../../lib/Effects.ts"
import { runs } from "../../../lib/Property.ts"
import type { TestServer } from "../../../lib/TestServer.ts"

const DAY = 86_400_000

const FIRST = Math.floor(Date.parse("2026-09-30T00:00:00.000Z") / DAY)

const bytesOf = <E>(stream: Stream.Stream<Uint8Array<ArrayBuffer>, E>) =>
  Effect.map(Stream.runCollect(stream), (chunks) => Buffer.concat([...chunks]))

const contentsOf = (server: TestServer, day: number, name: HistoryFileName) =>
  server.run(Effect.flatMap(AuctionFiles, ({ contents }) => bytesOf(contents({ day, bids: "open" }, name))))

/** What a cell of CSV stands for. */
const cellOf = (value: unknown): string =>
  value === null ? "" : typeof value === "string" ? value : JSON.stringify(value)

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
    const orders = jsonl
      .toString()
      .split("\n")
      .filter((line) => line !== "")
      .map((line): PublicOrder => JSON.parse(line))
    const places = orders.map(({ order_id: id, settlement_date: at }) => `${at} ${id}`)
    expect(places).toEqual(places.toSorted())
    for (const order of orders) {
      const { json } = yield* server.get<{ readonly order: PublicOrder }>(
        `/api/arena/orders/${order.order_id}`,
        comparison.actors.ada.userId
      )
      expect(order).toEqual(json.order)
    }
    const [header, ...rows] = parse(csv) as unknown as ReadonlyArray<ReadonlyArray<string>>
    expect(header).toEqual([...AUCTION_COLUMNS])
    expect(rows).toEqual(orders.flatMap(rowsOf).map((row) => [...row]))
    const measured = yield* server.run(Effect.flatMap(AuctionFiles, ({ measure }) => measure({ day, bids: "open" })))
    expect(measured).toMatchObject({
      orders: orders.length,
      commitments: orders.reduce((sum, { commitments }) => sum + commitments.length, 0)
    })
    for (const [index, bytes] of [jsonl, csv].entries()) {
      const file = measured.files[index]
      expect(file?.name).toBe(HISTORY_FILES[index])
      expect(file?.bytes).toBe(bytes.length)
      expect(Buffer.from(file?.sha256 ?? []).equals(createHash("sha256").update(bytes).digest())).toBe(true)
      const at = [0, ...cuts.map((cut) => Math.floor(cut * bytes.length)), bytes.length].toSorted((a, b) => a - b)
      const parts = yield* Effect.forEach(at.slice(1), (end, before) =>
        server.run(
          Effect.flatMap(AuctionFiles, ({ contents }) =>
            bytesOf(
              sliced(contents({ day, bids: "open" }, HISTORY_FILES[index] ?? "auctions.csv"), {
                from: at[before] ?? 0,
                end
              })
            )
          )
        )
      )
      expect(Buffer.concat(parts).equals(bytes)).toBe(true)
    }
  }
}, Effect.scoped)

describe("AuctionFiles", () => {
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
