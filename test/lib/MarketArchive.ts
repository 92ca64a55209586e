import { createHash } from "node:crypto"
import { mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import type { Median } from "../../engine/arena/Median.ts"
import { encoderOf } from "../../engine/wire/JsonEncoder.ts"
import { HistoryDay } from "../../src/api/ArenaHistory.ts"
import { isoDay } from "../../src/api/UtcDay.ts"
import { DAY, sealed, type SealedDay, shownDay } from "../../src/arena/history/HistoryDay.ts"
import { MEDIAN_FORMS } from "../../src/arena/history/MedianFile.ts"
import { link } from "../../src/database/ChainLink.ts"
import type { RecordedMarket } from "./RecordedMarket.ts"

const encodeDay = encoderOf(HistoryDay)

const digestOf = (text: string): Uint8Array => new Uint8Array(createHash("sha256").update(text).digest())

/** Writes a market as `emporion archive` writes a server's history. */
export const writeArchive = (folder: string, { medians, published }: RecordedMarket): void => {
  const days = Map.groupBy(published, (order) => Math.floor(Date.parse(`${order.settlement_date}Z`) / DAY))
  const prices = Map.groupBy(medians, ({ at }: Median) => Math.floor(at / DAY))
  let before: SealedDay | undefined
  for (const [day, orders] of days) {
    const place = join(folder, isoDay(day))
    const text = orders.map((order) => `${JSON.stringify(order)}\n`).join("")
    mkdirSync(place, { recursive: true })
    writeFileSync(join(place, "auctions.jsonl"), text)
    const { head, linesOf } = MEDIAN_FORMS["medians.csv"]
    const recorded = `${head}${linesOf((prices.get(day) ?? []).map((median) => ({ ...median, source: "test" })))}`
    writeFileSync(join(place, "medians.csv"), recorded)
    before = sealed(
      {
        day,
        bids: "open",
        orders: orders.length,
        commitments: orders.reduce((sum, { commitments }) => sum + commitments.length, 0),
        files: [
          { name: "auctions.jsonl", bytes: Buffer.byteLength(text), sha256: digestOf(text) },
          { name: "medians.csv", bytes: Buffer.byteLength(recorded), sha256: digestOf(recorded) }
        ],
        journal: { seq: 0, hash: new Uint8Array(32) }
      },
      before,
      link
    )
    writeFileSync(join(place, "day.json"), `${encodeDay(shownDay(before))}\n`)
  }
}
