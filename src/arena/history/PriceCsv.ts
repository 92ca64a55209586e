import { Result } from "effect"
import type { Median } from "../../../engine/arena/Median.ts"
import { format, parse } from "../../../engine/money/Amount.ts"
import { csvRow } from "../../http/Csv.ts"

/** The file of a day's recorded prices in an archive. */
export const PRICE_FILE = "prices.csv"

/** The columns of the file. `at` is in milliseconds since 1970. */
export const PRICE_COLUMNS = ["asset", "at", "price", "safe"] as const

/** Prices as lines of the file, with or without its first one. */
export const priceLines = (medians: ReadonlyArray<Median>): string =>
  medians.map(({ asset, at, price, safe }) => csvRow([asset, String(at), format(price), String(safe)])).join("")

/** The first line of the file. */
export const PRICE_HEAD = csvRow([...PRICE_COLUMNS])

const medianOf = (line: string): Median | undefined => {
  const [asset = "", at = "", price = "", safe = "", ...rest] = line.split(",")
  const amount = Result.getOrUndefined(parse(price))
  const isLine = rest.length === 0 && asset !== "" && /^\d{1,15}$/.test(at) && /^(true|false)$/.test(safe)
  return isLine && amount !== undefined ? { asset, at: Number(at), price: amount, safe: safe === "true" } : undefined
}

/** The prices of a file; the number of its first line that is none, from 1, where there is one. */
export const readPrices = (text: string): Result.Result<ReadonlyArray<Median>, number> => {
  const medians: Array<Median> = []
  for (const [index, line] of text.split("\r\n").entries()) {
    if (line === "") continue
    if (index === 0 && `${line}\r\n` === PRICE_HEAD) continue
    const median = medianOf(line)
    const last = medians.at(-1)
    if (median === undefined || (last !== undefined && median.at < last.at)) return Result.fail(index + 1)
    medians.push(median)
  }
  return Result.succeed(medians)
}
