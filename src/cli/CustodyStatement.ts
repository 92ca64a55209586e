import { CsvError, type Options, parse } from "csv-parse/sync"
import { Data, Effect } from "effect"
import { readFileSync, statSync } from "node:fs"
import type { StatementRow } from "../../engine/ledger/Reconciliation.ts"
import { type Amount, DECIMALS, fromUnits } from "../../engine/money/Amount.ts"
import { parseUnits } from "../../engine/money/Decimal.ts"
import { momentOf } from "../api/Timestamp.ts"

/** Longest file in bytes, and most rows in it. */
export const MAX_BYTES = 16 * 1024 * 1024
export const MAX_ROWS = 100_000

/** Characters of the longest row. */
const MAX_RECORD = 65_536

/** Characters of the longest reference. */
const MAX_REFERENCE = 200

/** Bad rows that are named. */
const SHOWN = 10

const COLUMNS = ["date", "reference", "amount"] as const

/** The file cannot be read as a statement. Its message is one or more sentences that say what to do. */
export class StatementRefused extends Data.TaggedError("StatementRefused")<{ readonly message: string }> {}

const EXPECTED = {
  date: "a day such as 2026-01-31",
  reference: `1 to ${MAX_REFERENCE} characters`,
  amount: `a number with at most ${DECIMALS} decimals that is not 0, such as 1250.00, or -310.5 where money left`
} as const

const dayOf = (text: string): number | undefined =>
  /^\d{4}-\d\d-\d\d$/.test(text) ? momentOf(`${text}T00:00:00Z`) : undefined

/** A day by its text, for the edges of a period. */
export const day = { expected: EXPECTED.date, parse: dayOf }

const amountOf = (text: string): Amount | undefined => {
  const units = parseUnits(text.replace(/^[+-]/, ""), DECIMALS)
  if (units === undefined || units === 0n) return undefined
  return fromUnits(text.startsWith("-") ? -units : units)
}

const referenceOf = (text: string): string | undefined =>
  text.length > 0 && text.length <= MAX_REFERENCE ? text : undefined

interface Record {
  readonly info: { readonly lines: number }
  readonly record: Readonly<Partial<{ readonly [K in (typeof COLUMNS)[number]]: string }>>
}

/** The row, or what is wrong with it. */
const rowOf = ({ info: { lines: line }, record }: Record): StatementRow | string => {
  const found = {
    date: dayOf(record.date ?? ""),
    reference: referenceOf(record.reference ?? ""),
    amount: amountOf(record.amount ?? "")
  }
  const { amount, date, reference } = found
  if (date !== undefined && reference !== undefined && amount !== undefined)
    return { line, day: date, reference, amount }
  const wrong = COLUMNS.filter((column) => found[column] === undefined)
  return `line ${line}: ${wrong.map((column) => `${column}: expected ${EXPECTED[column]}`).join("; ")}`
}

const headed = (names: ReadonlyArray<string>): Array<string> => {
  const columns = names.map((name) => name.trim().toLowerCase())
  const wrong = COLUMNS.filter((column) => columns.filter((name) => name === column).length !== 1)
  if (wrong.length === 0) return columns
  throw new StatementRefused({
    message: `The first line must name date, reference and amount, each once: look at ${wrong.join(" and ")}.`
  })
}

const DELIMITERS = [",", ";", "\t"]

/** The delimiter that the first line has most of. */
const delimiterOf = (text: string): string => {
  const [first = ""] = text.split(/\r?\n/, 1)
  const count = (delimiter: string) => first.split(delimiter).length
  return DELIMITERS.reduce((best, delimiter) => (count(delimiter) > count(best) ? delimiter : best))
}

const optionsFor = (text: string): Options => ({
  bom: true,
  columns: headed,
  delimiter: delimiterOf(text),
  info: true,
  skip_empty_lines: true,
  trim: true,
  to: MAX_ROWS + 1,
  max_record_size: MAX_RECORD
})

const refusalOf = (error: unknown): StatementRefused => {
  if (error instanceof StatementRefused) return error
  if (!(error instanceof CsvError)) throw error
  const { lines } = error as { readonly lines?: number }
  return new StatementRefused({
    message: `This is no CSV${lines === undefined ? "" : ` at line ${lines}`}: ${error.message}.`
  })
}

/**
 * Reads a statement of custody: CSV (RFC 4180) whose first line names the columns `date`, `reference` and `amount`, in
 * any order and among others, apart by commas, semicolons or tabs. Refused as a whole where a row is wrong.
 */
export const readStatement = (text: string): Effect.Effect<ReadonlyArray<StatementRow>, StatementRefused> =>
  Effect.gen(function* () {
    const records = yield* Effect.try({
      try: () => parse(text, optionsFor(text)) as unknown as ReadonlyArray<Record>,
      catch: refusalOf
    })
    if (records.length > MAX_ROWS) {
      return yield* new StatementRefused({ message: `It has more than ${MAX_ROWS} rows: give a shorter period.` })
    }
    const rows = records.map(rowOf)
    const wrong = rows.filter((row) => typeof row === "string")
    if (wrong.length === 0) return rows.filter((row) => typeof row !== "string")
    const more = wrong.length > SHOWN ? [`and ${wrong.length - SHOWN} more`] : []
    return yield* new StatementRefused({ message: [...wrong.slice(0, SHOWN), ...more].join("\n") })
  })

/** The same from a file. */
export const readStatementFile = (path: string): Effect.Effect<ReadonlyArray<StatementRow>, StatementRefused> =>
  Effect.try({
    try: () => (statSync(path).size > MAX_BYTES ? undefined : readFileSync(path, "utf8")),
    catch: (error) =>
      new StatementRefused({
        message: `It cannot be read (${error instanceof Error ? error.message : String(error)}).`
      })
  }).pipe(
    Effect.flatMap((text) =>
      text === undefined
        ? new StatementRefused({ message: `It is longer than ${MAX_BYTES / 1024 / 1024} MiB: give a shorter period.` })
        : readStatement(text)
    ),
    Effect.mapError(
      ({ message }) => new StatementRefused({ message: `${path} is no statement that can be compared.\n${message}` })
    )
  )
