import { Effect } from "effect"
import { HttpServerRequest, HttpServerResponse } from "effect/http"
import { toHex } from "../../../engine/actor/EventChain.ts"
import { instrumentNamed } from "../../../engine/arena/Instrument.ts"
import { Api } from "../../api/Api.ts"
import { body, CATALOGUE, refuse } from "../../api/ApiError.ts"
import { HISTORY_TYPES, type HistoryFileName } from "../../api/ArenaHistory.ts"
import { pageOf } from "../../api/Paging.ts"
import { isoDay } from "../../api/UtcDay.ts"
import { namesTag, rangeOf } from "../../http/ByteRange.ts"
import * as HandlerGroup from "../../http/HandlerGroup.ts"
import * as ListResponse from "../../http/ListResponse.ts"
import { MedianRepository } from "../MedianRepository.ts"
import { CandleRepository } from "./CandleRepository.ts"
import { sliced } from "./ByteSlice.ts"
import { type FileDigest, type SealedDay, shownDay } from "./HistoryDay.ts"
import { HistoryFiles } from "./HistoryFiles.ts"
import { HistoryRepository } from "./HistoryRepository.ts"

const SECOND = 1_000

/** A sealed file does not change, and everybody who is signed in gets the same. */
const CACHE = "private, max-age=31536000, immutable"

const fieldsOf = ({ name, sha256 }: FileDigest, { day }: SealedDay) => ({
  etag: `"${toHex(sha256)}"`,
  "repr-digest": `sha-256=:${Buffer.from(sha256).toString("base64")}:`,
  "accept-ranges": "bytes",
  "cache-control": CACHE,
  "content-disposition": `attachment; filename="${isoDay(day)}-${name}"`
})

const notSealed = (day: number) =>
  refuse(
    "not_found",
    `${isoDay(day)} is not sealed: it had no auctions, or is not over, or one of them goes on. ` +
      "GET /api/arena/history lists the sealed days."
  )

const notNamed = (day: number, name: HistoryFileName) =>
  refuse(
    "not_found",
    `${isoDay(day)} was sealed without ${name}: by an earlier version of the server, or after its recorded prices were removed.`
  )

const removed = (day: number, { name, sha256 }: FileDigest) =>
  refuse(
    "not_found",
    `${name} of ${isoDay(day)} was removed with the recorded prices, which are kept for some days only. Copies of it have ` +
      `the SHA-256 ${toHex(sha256)}.`
  )

const notTraded = (asset: string) =>
  refuse("not_found", `${asset} is not traded, and no price of it is recorded. Use an asset such as XAU or EUR%2FUSD.`)

/** The days of the arena's history with their files, and candles. */
export const HistoryHandlers = HandlerGroup.group(
  Api,
  "arenaHistory",
  Effect.fnUntraced(function* (handlers) {
    const repository = yield* HistoryRepository
    const { contents, kept } = yield* HistoryFiles
    const candles = yield* CandleRepository
    const medians = yield* MedianRepository

    const answer = (day: SealedDay, file: FileDigest, asked: HttpServerRequest.HttpServerRequest["headers"]) => {
      const fields = fieldsOf(file, day)
      if (namesTag(asked["if-none-match"], fields.etag)) {
        return HttpServerResponse.empty({ status: 304, headers: fields })
      }
      const isSame = asked["if-range"] === undefined || asked["if-range"] === fields.etag
      const range = isSame ? rangeOf(asked["range"], file.bytes) : undefined
      if (range === "unsatisfiable") {
        const { sentence, status } = CATALOGUE.range_not_satisfiable
        return HttpServerResponse.jsonUnsafe(body("arena", "range_not_satisfiable", sentence), {
          status,
          headers: { "content-range": `bytes */${file.bytes}` }
        })
      }
      const whole = contents(day, file.name)
      const { end, from } = range ?? { from: 0, end: file.bytes }
      return HttpServerResponse.stream(range === undefined ? whole : sliced(whole, range), {
        status: range === undefined ? 200 : 206,
        contentType: HISTORY_TYPES[file.name],
        contentLength: end - from,
        headers: range === undefined ? fields : { ...fields, "content-range": `bytes ${from}-${end - 1}/${file.bytes}` }
      })
    }

    return handlers.handleAll({
      candles: Effect.fnUntraced(function* ({ params: { asset: name }, query: { from, interval, to, ...query } }) {
        const instrument = instrumentNamed(name)
        const asset = instrument?.asset ?? name
        const page = pageOf(query)
        const { candles: made, ...found } = yield* candles.list({
          ...page,
          asset,
          from,
          to,
          interval: interval * SECOND
        })
        if (found.total === 0 && instrument === undefined && !(yield* medians.has(asset))) {
          return yield* notTraded(asset)
        }
        const fields = yield* ListResponse.inArena(page, found)
        return { success: true as const, asset, interval, candles: made, ...fields }
      }),
      listHistory: Effect.fnUntraced(function* ({ query }) {
        const page = pageOf(query)
        const { days, ...found } = yield* repository.list(page)
        return { success: true as const, days: days.map(shownDay), ...(yield* ListResponse.inArena(page, found)) }
      }),
      getHistoryFile: Effect.fnUntraced(function* ({ params }) {
        const { headers } = yield* HttpServerRequest.HttpServerRequest
        const day = yield* repository.find(params.day)
        const file = day?.files.find(({ name }: { readonly name: HistoryFileName }) => name === params.file)
        if (day === undefined) return yield* notSealed(params.day)
        if (file === undefined) return yield* notNamed(params.day, params.file)
        if ((yield* kept(day.day, [file.name])).length === 0) return yield* removed(day.day, file)
        return answer(day, file, headers)
      })
    })
  })
)
