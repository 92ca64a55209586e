import { Result } from "effect"
import type { Median } from "../../../engine/arena/Median.ts"
import { format, parse, toNumber } from "../../../engine/money/Amount.ts"
import { type MEDIAN_FILES } from "../../api/ArenaHistory.ts"
import { isoUtc, momentOf } from "../../api/Timestamp.ts"
import { csvRow } from "../../http/Csv.ts"
import type { SourcedMedian } from "../MedianRepository.ts"
import { type FileForm, jsonLines } from "./FileForm.ts"

/** The columns of recorded prices. */
export const MEDIAN_COLUMNS = ["asset", "at", "price", "safe", "source"] as const

const HEAD = csvRow([...MEDIAN_COLUMNS])

/** The files of recorded prices. */
export const MEDIAN_FORMS: Readonly<Record<(typeof MEDIAN_FILES)[number], FileForm<SourcedMedian>>> = {
  "medians.jsonl": jsonLines(({ asset, at, price, safe, source }) => ({
    asset,
    at: isoUtc(at),
    price: toNumber(price),
    safe,
    source
  })),
  "medians.csv": {
    head: HEAD,
    linesOf: (medians) =>
      medians
        .map(({ asset, at, price, safe, source }) => csvRow([asset, isoUtc(at), format(price), String(safe), source]))
        .join("")
  }
}

/** The source, which comes last, is left out: it alone may have a comma. */
const medianOf = (line: string): Median | undefined => {
  const [asset = "", time = "", price = "", safe = "", ...rest] = line.split(",")
  const at = momentOf(time)
  const amount = Result.getOrUndefined(parse(price))
  const isLine = rest.length > 0 && asset !== "" && at !== undefined && /^(true|false)$/.test(safe)
  return isLine && amount !== undefined ? { asset, at, price: amount, safe: safe === "true" } : undefined
}

/** The prices of `medians.csv`; the number of its first line that is none, from 1, where there is one. */
export const readMedians = (text: string): Result.Result<ReadonlyArray<Median>, number> => {
  const medians: Array<Median> = []
  for (const [index, line] of text.split("\r\n").entries()) {
    if (line === "") continue
    if (index === 0 && `${line}\r\n` === HEAD) continue
    const median = medianOf(line)
    const last = medians.at(-1)
    if (median === undefined || (last !== undefined && median.at < last.at)) return Result.fail(index + 1)
    medians.push(median)
  }
  return Result.succeed(medians)
}
