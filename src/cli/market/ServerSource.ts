import { Effect, Result, Schema } from "effect"
import { HttpClient, HttpClientRequest, type HttpClientResponse } from "effect/http"
import { HistoryDay } from "../../api/ArenaHistory.ts"
import { isoDay } from "../../api/UtcDay.ts"
import type { ArchivedDays } from "../Archiving.ts"
import { CommandFailed } from "../CommandFailed.ts"
import { type AuctionSource, auctionsOf } from "./AuctionSource.ts"
import { AUCTIONS, checkFile, MEDIANS, pricesOf } from "./FolderSource.ts"

const Page = Schema.Struct({ days: Schema.Array(HistoryDay) })

const decodePage = Schema.decodeUnknownResult(Schema.fromJsonString(Page))

const NONE = new Uint8Array(0)

/** Days of one page of the list. */
const PAGE = 100

/** The sealed days of a server, by its public history. Each is checked when it is read. */
export const serverSource = Effect.fn("cli.serverSource")(function* (
  server: URL,
  token: string,
  { from, to }: ArchivedDays
) {
  const client = yield* HttpClient.HttpClient
  const get = <A = never>(path: string, absent?: A) =>
    Effect.gen(function* () {
      const request = HttpClientRequest.get(new URL(path, server)).pipe(HttpClientRequest.bearerToken(token))
      const response: HttpClientResponse.HttpClientResponse = yield* client.execute(request)
      if (response.status === 200) return new Uint8Array(yield* response.arrayBuffer)
      if (response.status === 404 && absent !== undefined) return absent
      return yield* new CommandFailed({ message: `${server.origin} answers ${path} with status ${response.status}.` })
    }).pipe(
      Effect.catchTag("HttpClientError", () =>
        Effect.fail(new CommandFailed({ message: `${server.origin} cannot be reached: look at --url.` }))
      )
    )

  const entries: Array<typeof HistoryDay.Type> = []
  for (let after = ""; ;) {
    const path = `/api/arena/history?limit=${PAGE}${after === "" ? "" : `&after=${after}`}`
    const page = decodePage(new TextDecoder().decode(yield* get(path)))
    if (Result.isFailure(page)) {
      return yield* new CommandFailed({ message: `${server.origin} answers like no Emporion: look at --url.` })
    }
    const { days } = page.success
    entries.push(...days.filter(({ day }) => day >= from && day <= to))
    const last = days.at(-1)
    if (last === undefined || days.length < PAGE || last.day < from) break
    after = isoDay(last.day)
  }

  const byDay = new Map(entries.map((entry) => [entry.day, entry]))
  const source: AuctionSource = {
    place: server.origin,
    days: [...byDay.keys()].toSorted((one, other) => one - other),
    read: Effect.fnUntraced(function* (day) {
      const place = `/api/arena/history/${isoDay(day)}`
      const bytes = yield* get(`${place}/${AUCTIONS}`)
      const entry = byDay.get(day)
      if (entry !== undefined) yield* checkFile(entry, AUCTIONS, bytes)
      const auctions = yield* Effect.fromResult(auctionsOf(day, new TextDecoder().decode(bytes)))
      // A server removes recorded prices at their age.
      const prices = yield* get(`${place}/${MEDIANS}`, NONE)
      if (prices.length === 0) return { auctions, medians: [] }
      if (entry !== undefined) yield* checkFile(entry, MEDIANS, prices)
      return {
        auctions,
        medians: yield* pricesOf(`${server.origin}${place}/${MEDIANS}`, new TextDecoder().decode(prices))
      }
    })
  }
  return source
})
