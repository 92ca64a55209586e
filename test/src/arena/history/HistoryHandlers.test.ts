import { describe, expect } from "bun:test"
import { Effect } from "effect"
import { createHash } from "node:crypto"
import { MEDIANS_CLASS } from "../../../../src/arena/history/DailyMedians.ts"
import { sealDue } from "../../../../src/arena/history/HistorySealing.ts"
import { HorizonRepository } from "../../../../src/database/HorizonRepository.ts"
import { itLive } from "../../../lib/Effects.ts"
import { fieldsOf, openedArena, refusal } from "../../../lib/OpenedArena.ts"
import type { TestServer } from "../../../lib/TestServer.ts"

interface DayJson {
  readonly day: string
  readonly orders: number
  readonly commitments: number
  readonly files: ReadonlyArray<{ readonly name: string; readonly bytes: number; readonly sha256: string }>
}

interface DaysJson {
  readonly days: ReadonlyArray<DayJson>
  readonly total: number
}

const DAY = 86_400_000

const sha256 = (text: string): string => createHash("sha256").update(text).digest("hex")

/** An arena whose first day, with one commitment, is sealed. */
const sealedArena = Effect.gen(function* () {
  const { commit, order, server, trader } = yield* openedArena()
  yield* commit({ proposed_entry_price: Math.floor(order.entry_price * 1_050_000) / 1e6, expected_exit_price: 99 })
  for (let round = 0; round < 6; round++) yield* server.tick(30_000)
  yield* server.tick(DAY)
  yield* server.tick(300_000)
  yield* server.run(sealDue)
  const { json } = yield* server.get<DaysJson>("/api/arena/history", trader.id)
  const day = json.days.at(-1)
  if (day === undefined) return yield* Effect.die("no day is sealed")
  const download = (name: string, headers: Readonly<Record<string, string>> = {}, method = "GET") =>
    server.request(method, `/api/arena/history/${day.day}/${name}`, undefined, { as: trader.id, headers })
  return { server, trader, order, day, download }
})

const seal = (server: TestServer) => server.run(sealDue)

describe("GET /api/arena/history", () => {
  itLive("lists a day once it is over and its auctions have ended, newest first", () =>
    Effect.gen(function* () {
      const { server, trader } = yield* openedArena()
      const days = (query = "") =>
        Effect.map(server.get<DaysJson>(`/api/arena/history${query}`, trader.id), ({ json }) => json)
      for (let round = 0; round < 20; round++) yield* server.tick(30_000)
      yield* seal(server)
      expect(yield* days()).toMatchObject({ days: [], total: 0 })
      yield* server.tick(DAY)
      yield* seal(server)
      expect(yield* days()).toMatchObject({ days: [{ day: "2026-09-30" }], total: 1 })
      yield* server.tick(300_000)
      yield* server.tick(DAY)
      yield* seal(server)
      yield* seal(server)
      const all = yield* days()
      expect(all).toMatchObject({ total: 2, days: [{ day: "2026-10-01" }, { day: "2026-09-30" }] })
      const [second, first] = all.days
      expect(second).toMatchObject({ previous: Reflect.get(first ?? {}, "hash") })
      expect(first).toMatchObject({ previous: "0".repeat(64) })
      expect(yield* days("?limit=1&after=2026-10-01")).toMatchObject({ total: 2, days: [first] })
      expect(refusal(yield* server.get("/api/arena/history?after=2026-10-02", trader.id))[1]).toBe("invalid_request")
    })
  )
})

describe("GET /api/arena/history/{day}/{file}", () => {
  itLive("gives every auction as its detail is, byte for byte what its digest says", () =>
    Effect.gen(function* () {
      const { day, download, order, server, trader } = yield* sealedArena
      for (const { bytes, name, sha256: digest } of day.files) {
        const { headers, status, text } = yield* download(name)
        expect([status, Buffer.byteLength(text), sha256(text)]).toEqual([200, bytes, digest])
        expect(headers.get("etag")).toBe(`"${digest}"`)
        expect(headers.get("repr-digest")).toBe(`sha-256=:${Buffer.from(digest, "hex").toString("base64")}:`)
        const head = yield* download(name, {}, "HEAD")
        expect([head.status, head.text, head.headers.get("content-length")]).toEqual([200, "", `${bytes}`])
      }
      const { headers, text } = yield* download("auctions.jsonl")
      expect(headers.get("content-type")).toBe("application/x-ndjson")
      const lines = text.trimEnd().split("\n")
      expect([lines.length, day.commitments]).toEqual([day.orders, 1])
      const bidden = lines.find((line) => line.includes(order.order_id)) ?? ""
      const shown = yield* server.get<{ readonly order: object }>(`/api/arena/orders/${order.order_id}`, trader.id)
      expect(shown.text).toBe(`{"success":true,"order":${bidden}}`)
      expect(JSON.parse(bidden)).toMatchObject({ status: "settled", commitments: [{ rank: 1 }] })
    })
  )

  itLive("resumes a download, and sends nothing that is known", () =>
    Effect.gen(function* () {
      const { day, download } = yield* sealedArena
      const [file] = day.files
      const { text } = yield* download("auctions.jsonl")
      const cut = Math.floor(text.length / 3)
      const [begin, rest] = [
        yield* download("auctions.jsonl", { range: `bytes=0-${cut - 1}` }),
        yield* download("auctions.jsonl", { range: `bytes=${cut}-`, "if-range": `"${file?.sha256}"` })
      ]
      expect([begin.status, rest.status]).toEqual([206, 206])
      expect(rest.headers.get("content-range")).toBe(`bytes ${cut}-${text.length - 1}/${text.length}`)
      expect(begin.text + rest.text).toBe(text)
      const other = yield* download("auctions.jsonl", { range: `bytes=${cut}-`, "if-range": '"another"' })
      expect([other.status, other.text]).toEqual([200, text])
      const known = yield* download("auctions.jsonl", { "if-none-match": `"${file?.sha256}"` })
      expect([known.status, known.text]).toEqual([304, ""])
      const beyond = yield* download("auctions.jsonl", { range: `bytes=${text.length}-` })
      expect(refusal(beyond)).toEqual([416, "range_not_satisfiable", "at once"])
      expect(beyond.headers.get("content-range")).toBe(`bytes */${text.length}`)
    })
  )

  itLive("says that recorded prices were removed, and what their file was", () =>
    Effect.gen(function* () {
      const { day, download, server, trader } = yield* sealedArena
      const kept = yield* download("medians.csv")
      expect([kept.status, kept.text.split("\r\n")[0]]).toEqual([200, "asset,at,price,safe,source"])
      yield* server.run(
        Effect.flatMap(HorizonRepository, ({ advance }) =>
          advance(MEDIANS_CLASS, Date.parse("2031-01-01T00:00:00Z"))
        ).pipe(Effect.provide(HorizonRepository.layer))
      )
      const gone = yield* download("medians.csv")
      expect(refusal(gone)).toEqual([404, "not_found", "at once"])
      expect(gone.text).toContain("was removed with the recorded prices")
      expect(gone.text).toContain(sha256(kept.text))
      expect((yield* download("yields.csv")).status).toBe(200)

      // A day that is sealed now has none of them.
      yield* server.tick(DAY)
      yield* server.tick(DAY)
      for (let round = 0; round < 6; round++) yield* server.tick(30_000)
      yield* server.tick(DAY)
      yield* seal(server)
      const { json } = yield* server.get<DaysJson>("/api/arena/history", trader.id)
      const [later] = json.days
      expect(later?.day).not.toBe(day.day)
      expect(later?.files.map(({ name }) => name)).toEqual([
        "auctions.jsonl",
        "auctions.csv",
        "yields.jsonl",
        "yields.csv"
      ])
      const missing = yield* server.get(`/api/arena/history/${later?.day}/medians.jsonl`, trader.id)
      expect([missing.status, missing.text]).toEqual([404, expect.stringContaining("was sealed without medians.jsonl")])
    })
  )

  itLive("says what to do about a day that is not sealed, and refuses what is no day", () =>
    Effect.gen(function* () {
      const { server, trader } = yield* sealedArena
      const missing = yield* server.get("/api/arena/history/2031-01-01/auctions.csv", trader.id)
      expect(refusal(missing)).toEqual([404, "not_found", "at once"])
      expect(fieldsOf(missing.json)).toEqual(["code", "message", "success"])
      const bad = yield* server.get("/api/arena/history/2026-02-30/auctions.csv", trader.id)
      expect(refusal(bad)).toEqual([400, "invalid_request", "at once"])
      expect(refusal(yield* server.get("/api/arena/history/2026-09-30/bids.csv", trader.id))[0]).toBe(400)
    })
  )
})
