import { describe, expect } from "bun:test"
import { Effect } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { fromUnits } from "../../../engine/money/Amount.ts"
import { ArenaStream } from "../../../src/stream/ArenaStream.ts"
import { itLive } from "../../lib/Effects.ts"
import { eventually } from "../../lib/ServerProcess.ts"
import { type StreamClient, streamClientOf } from "../../lib/StreamClient.ts"
import { openSocket } from "../../lib/StreamReader.ts"
import { TestServer } from "../../lib/TestServer.ts"

interface PriceFrame {
  readonly type: string
  readonly data: {
    readonly asset: string
    readonly asset_type: string
    readonly price: number
    readonly source: string
  }
  readonly price_seq?: number
  readonly price_prev?: number | null
}

const becomes = (what: string, is: () => boolean) => eventually(what, 20_000, () => is() || undefined)

const subscribe = (client: StreamClient, data: object, type = "subscribe") =>
  client.socket.send(JSON.stringify({ type, data }))

const isPrice = (text: string) => text.startsWith('{"type":"price_update"')

const pricesOf = ({ messages }: StreamClient) => messages.filter(isPrice)

const read = (text: string): PriceFrame => JSON.parse(text)

const EVERY = { channels: ["prices"], price_sequence: true }

const connected = (server: TestServer) => streamClientOf(openSocket(`${server.url}/ws/arena`, {}))

/** Every recorded price, as it has to be told. */
const recorded = (server: TestServer) =>
  server.run(
    Effect.flatMap(
      SqlClient,
      (sql) => sql<{
        readonly asset: string
        readonly at: bigint
        readonly price: bigint
        readonly prev: bigint | null
      }>`
        SELECT asset, at, price, lag(at) OVER (PARTITION BY asset ORDER BY at) AS prev
        FROM arena_medians ORDER BY at, asset COLLATE "C"`
    )
  )

describe("Prices in sequence", () => {
  itLive("are all recorded ones, each with its place and the one before it, from anywhere on", () =>
    Effect.gen(function* () {
      const server = yield* TestServer.make()
      for (let round = 0; round < 3; round++) yield* server.tick(5_000)
      const [live, plain] = [yield* connected(server), yield* connected(server)]
      subscribe(live, EVERY)
      const assets = new Set((yield* recorded(server)).map(({ asset }) => asset)).size
      // The newest of each asset come first.
      yield* becomes("the newest", () => pricesOf(live).length === assets)
      // The same price again is no change, and is told all the same.
      for (let round = 0; round < 20; round++) yield* server.tick(1_000)
      const all = yield* recorded(server)
      yield* becomes("all are told", () => pricesOf(live).length === 21 * assets)
      const places = all.map(({ asset, at, prev, price }) => [
        asset,
        Number(at),
        prev === null ? null : Number(prev),
        Number(price) / 1e6
      ])
      const placesOf = (client: StreamClient) =>
        pricesOf(client)
          .map(read)
          .map(({ data, price_prev: prev, price_seq: seq }) => [data.asset, seq, prev, data.price])
      expect(placesOf(live)).toEqual(places.slice(-21 * assets))

      for (const after of [0, places[4 * assets]?.[1], places.at(-1)?.[1]]) {
        const resumed = yield* connected(server)
        subscribe(resumed, { ...EVERY, price_resume: after })
        const expected = places.filter(([, seq]) => Number(seq) > Number(after))
        yield* becomes("what was missed", () => pricesOf(resumed).length >= expected.length)
        expect(placesOf(resumed)).toEqual(expected)
      }

      // Who did not ask gets what changed, without numbers, which who asked does not.
      const changed = { assetType: "commodity", asset: "XAU", price: fromUnits(7n), source: "test", at: 0 } as const
      yield* server.run(Effect.map(ArenaStream, ({ publishPrice }) => publishPrice(changed)))
      yield* becomes("the change", () => pricesOf(plain).length > 0)
      for (const text of pricesOf(plain)) expect(Object.keys(JSON.parse(text))).toEqual(["type", "data", "timestamp"])
      expect(pricesOf(live).length).toBe(21 * assets)
    })
  )

  itLive("go on behind a time in which nothing had a price that is traded still", () =>
    Effect.gen(function* () {
      const server = yield* TestServer.make()
      yield* server.tick()
      const [first] = yield* recorded(server)
      const begin = Number(first?.at)
      yield* server.run(
        Effect.flatMap(
          SqlClient,
          (sql) => sql`
            INSERT INTO arena_medians (asset, at, price, safe, source)
            SELECT 'GONE', ${BigInt(begin)} + minute * 60000, 1, true, 'test' FROM generate_series(1, 30) AS minute`
        )
      )
      yield* server.tick(3_600_000)
      const last = (yield* recorded(server)).at(-1)
      const resumed = yield* connected(server)
      subscribe(resumed, { ...EVERY, price_resume: begin })
      yield* becomes("the price behind", () =>
        pricesOf(resumed).some((text) => read(text).price_seq === Number(last?.at))
      )
      expect(
        pricesOf(resumed)
          .map(read)
          .filter(({ data }) => data.asset === "GONE")
      ).toEqual([])
    })
  )

  itLive("are of the asked types alone, and end with their channel", () =>
    Effect.gen(function* () {
      const server = yield* TestServer.make()
      yield* server.tick(5_000)
      const client = yield* connected(server)
      subscribe(client, { ...EVERY, channels: ["prices", "orders"], asset_type: ["gpu"] })
      yield* becomes("the newest", () => pricesOf(client).length > 0)
      for (const text of pricesOf(client)) expect(read(text).data.asset_type).toBe("gpu")
      subscribe(client, { channels: ["prices"] }, "unsubscribe")
      yield* becomes("the answer", () => client.messages.some((text) => text.includes('"unsubscribed"')))
      const told = pricesOf(client).length
      const other = yield* connected(server)
      subscribe(other, { ...EVERY, price_resume: 0 })
      for (let round = 0; round < 3; round++) yield* server.tick(5_000)
      yield* becomes("another one is told", () => pricesOf(other).length >= 4)
      client.socket.send(JSON.stringify({ type: "ping" }))
      yield* becomes("the pong", () => client.messages.some((text) => text.includes('"pong"')))
      expect(pricesOf(client).length).toBe(told)
    })
  )
})
