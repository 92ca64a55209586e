import { Effect, Layer, Option } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import { FUND_ASSETS } from "../../engine/ledger/FundAsset.ts"
import {
  agrees,
  type CustodyEntry,
  type Flow,
  type Period,
  type Reconciliation,
  Reconciler,
  type StatementRow
} from "../../engine/ledger/Reconciliation.ts"
import { type Amount, format, fromUnits } from "../../engine/money/Amount.ts"
import { EventLogRepository } from "../database/EventLogRepository.ts"
import { atUrl, inDataDir } from "../database/ReadOnlyDatabase.ts"
import { type CustodyPage, CustodyRepository, FIRST, type CustodyPlace } from "../funds/CustodyRepository.ts"
import { CommandFailed, CommandMisused, explained } from "./CommandFailed.ts"
import { json, print } from "./CommandOutput.ts"
import { databaseSource } from "./CommandSource.ts"
import { day, readStatementFile } from "./CustodyStatement.ts"
import { inOrder } from "./DayFlag.ts"
import { type UnprojectedJournal, unprojectedJournal } from "./UnprojectedJournal.ts"
import { findingText } from "./FindingText.ts"
import { databaseFlags } from "./SourceFlags.ts"

/** Rows and entries of each kind that are listed; the counts tell of the rest. */
const LISTED = 1_000

/** The same on a terminal. */
const SHOWN = 20

/** Entries that the ledger may have beside the statement; more are a wrong period or asset. */
const MAX_ENTRIES = 1_000_000

const DAY = 86_400_000

const dayText = (at: number): string => new Date(at).toISOString().slice(0, 10)

const edge = (name: "from" | "to", what: string) =>
  Flag.String(name).pipe(
    Flag.withDescription(`The statement's ${what} day, such as 2026-01-31. Default: that of its rows`),
    Flag.withMetavar("DAY"),
    Flag.filterMap(
      (text) => Option.fromUndefinedOr(day.parse(text)),
      () => `Expected ${day.expected}`
    ),
    Flag.optional
  )

interface GivenDays {
  readonly from: Option.Option<number>
  readonly to: Option.Option<number>
}

/** Refuses a period that ends before it begins, in terms of what was given of it. */
const orderly = (from: string, to: string, given: GivenDays): Effect.Effect<void, CommandMisused> => {
  const isFrom = Option.isSome(given.from)
  if (from <= to || (isFrom && Option.isSome(given.to))) return inOrder(from, to)
  const message = isFrom
    ? `--from ${from} is after the statement's last row, of ${to}: give an earlier day, or its last day as --to.`
    : `--to ${to} is before the statement's first row, of ${from}: give a later day, or its first day as --from.`
  return Effect.fail(new CommandMisused({ message }))
}

/** The days that the statement is complete for. */
const periodOf = (rows: ReadonlyArray<StatementRow>, given: GivenDays): Effect.Effect<Period, CommandFailed> => {
  const days = rows.map((row) => row.day).toSorted((one, other) => one - other)
  const [first, last] = [Option.getOrElse(given.from, () => days[0]), Option.getOrElse(given.to, () => days.at(-1))]
  if (first === undefined || last === undefined) {
    return Effect.fail(new CommandFailed({ message: "The statement has no rows: say its days with --from and --to." }))
  }
  return Effect.as(orderly(dayText(first), dayText(last), given), { from: first, until: last + DAY })
}

/** Posted by the platform itself, under no reference that a bank could have. */
const isInternal = ({ id, reference }: CustodyEntry): boolean => id === reference

/** Compares a statement with the ledger as of one moment. */
export const reconcile = Effect.fn("cli.reconcile")(function* (
  asset: string,
  rows: ReadonlyArray<StatementRow>,
  period: Period,
  externalOnly: boolean
) {
  const repository = yield* CustodyRepository
  return yield* repository.atOneMoment(
    Effect.gen(function* () {
      const reconciler = new Reconciler(rows, period)
      let taken = 0
      for (let place: CustodyPlace | undefined = FIRST; place !== undefined;) {
        const { entries, next }: CustodyPage = yield* repository.after(asset, place)
        for (const entry of entries) {
          if (externalOnly && isInternal(entry)) continue
          if (reconciler.take(entry)) taken += 1
        }
        if (taken > MAX_ENTRIES) {
          const message = `The ledger has more than ${MAX_ENTRIES} entries from ${dayText(period.from)} on: give a shorter period.`
          return yield* new CommandFailed({ message })
        }
        place = next
      }
      return { found: reconciler.result(), holding: yield* repository.holding(asset), tail: yield* unprojectedJournal }
    })
  )
})

const rowReport = ({ amount, day: at, line, reference }: StatementRow) => ({
  line,
  date: dayText(at),
  reference,
  amount: format(amount)
})

const entryReport = ({ amount, at, id, purpose, reference }: CustodyEntry) => ({
  id,
  at: new Date(at).toISOString(),
  reference,
  purpose,
  amount: format(amount)
})

const flowReport = ({ count, in: into, out }: Flow) => ({
  count,
  in: format(into),
  out: format(out),
  net: format(fromUnits(into + out))
})

const difference = ({ ledger, statement }: Reconciliation): Amount =>
  fromUnits(statement.in + statement.out - ledger.in - ledger.out)

interface Compared {
  readonly asset: string
  readonly period: Period
  readonly found: Reconciliation
  readonly holding: Amount
  readonly tail: UnprojectedJournal
}

const isSound = ({ found, tail }: Compared): boolean => agrees(found) && tail.finding === undefined

const countsOf = (found: Reconciliation) => ({
  matched: found.matched,
  differing: found.differing.length,
  duplicates_on_statement: found.duplicateRows.length,
  duplicates_in_ledger: found.duplicateEntries.length,
  missing_in_ledger: found.unknownRows.length,
  missing_on_statement: found.missingRows.length
})

const reportOf = (compared: Compared) => ({ ok: isSound(compared), ...comparisonOf(compared) })

const comparisonOf = ({ asset, found, holding, period, tail }: Compared) => ({
  asset,
  from: dayText(period.from),
  to: dayText(period.until - DAY),
  counts: countsOf(found),
  statement: flowReport(found.statement),
  ledger: flowReport(found.ledger),
  difference: format(difference(found)),
  custody: format(holding),
  events: tail.events,
  unprojected: tail.unprojected,
  finding: tail.finding,
  differing: found.differing
    .slice(0, LISTED)
    .map(({ entry, row }) => ({ statement: rowReport(row), ledger: entryReport(entry) })),
  duplicates_on_statement: found.duplicateRows.slice(0, LISTED).map(rowReport),
  duplicates_in_ledger: found.duplicateEntries.slice(0, LISTED).map(entryReport),
  missing_in_ledger: found.unknownRows.slice(0, LISTED).map(rowReport),
  missing_on_statement: found.missingRows.slice(0, LISTED).map(entryReport)
})

const rowText = (row: StatementRow): string =>
  `line ${row.line}: ${dayText(row.day)} ${row.reference} ${format(row.amount)}`

const entryText = (entry: CustodyEntry): string =>
  `${dayText(entry.at)} ${entry.reference} ${format(entry.amount)} (${entry.purpose})`

const listed = <A>(what: string, found: ReadonlyArray<A>, text: (one: A) => string): ReadonlyArray<string> => [
  ...found.slice(0, SHOWN).map((one) => `${what.padEnd(10)}${text(one)}`),
  ...(found.length > SHOWN ? [`${what.padEnd(10)}${found.length - SHOWN} more: --json lists them`] : [])
]

const flowText = (flow: Flow): string => {
  const { count, in: into, net, out } = flowReport(flow)
  return `${count}: in ${into}, out ${out}, net ${net}`
}

const tailText = ({ events, finding, unprojected }: UnprojectedJournal): ReadonlyArray<string> => {
  if (finding !== undefined) return [`altered   ${findingText(finding)}`]
  if (unprojected === 0) return []
  return [
    `journal   ${events} events and ${unprojected} journal entries behind them that the tables do not have yet: what those ` +
      "move is not compared"
  ]
}

const textOf = ({ asset, found, holding, period, tail }: Compared): string =>
  [
    `period    ${dayText(period.from)} to ${dayText(period.until - DAY)}, ${asset}`,
    `matched   ${found.matched}`,
    ...listed(
      "differs",
      found.differing,
      ({ entry, row }) => `${rowText(row)}; the ledger has ${format(entry.amount)}`
    ),
    ...listed("twice", found.duplicateRows, (row) => `${rowText(row)}; the ledger has it less often`),
    ...listed(
      "twice",
      found.duplicateEntries,
      (entry) => `${entryText(entry)} in the ledger; the statement has it less often`
    ),
    ...listed("unknown", found.unknownRows, (row) => `${rowText(row)}; the ledger has no such reference left`),
    ...listed("missing", found.missingRows, (entry) => `${entryText(entry)} in the ledger; the statement has it not`),
    `statement ${flowText(found.statement)}`,
    `ledger    ${flowText(found.ledger)}`,
    `custody   holds ${format(holding)} ${asset} by the ledger, all time`,
    ...tailText(tail)
  ].join("\n")

/** Compares custody with a statement. */
export const reconcileCommand = Command.make(
  "reconcile",
  {
    asset: Flag.Literals("asset", FUND_ASSETS).pipe(Flag.withDescription("What the statement counts")),
    from: edge("from", "first"),
    to: edge("to", "last"),
    externalOnly: Flag.Boolean("external-only").pipe(
      Flag.withDescription("Leave out what the platform posted itself: the sandbox's mints and working capital"),
      Flag.withDefault(false)
    ),
    ...databaseFlags,
    json,
    path: Argument.String("statement").pipe(Argument.withDescription("A CSV file: date, reference, amount"))
  },
  Effect.fnUntraced(function* (given) {
    const compared = yield* Effect.gen(function* () {
      const rows = yield* readStatementFile(given.path)
      const period = yield* periodOf(rows, given)
      const source = yield* databaseSource(given)
      const reading = source._tag === "Database" ? atUrl(source.url) : inDataDir(source.folder)
      const compared = yield* reconcile(given.asset, rows, period, given.externalOnly).pipe(
        Effect.provide(Layer.merge(CustodyRepository.layer, EventLogRepository.layer).pipe(Layer.provide(reading)))
      )
      return { asset: given.asset, period, ...compared } satisfies Compared
    }).pipe(explained)
    yield* print(given.json, reportOf(compared), textOf(compared))
    if (isSound(compared)) return
    const { finding } = compared.tail
    if (finding !== undefined) {
      return yield* new CommandFailed({ message: `The journal is not what it was: ${findingText(finding)}` })
    }
    return yield* new CommandFailed({ message: "The statement and the ledger do not say the same: see above." })
  })
).pipe(
  Command.withShortDescription("Compare custody with a bank's statement"),
  Command.withDescription(
    "Compares the money that entered and left custody with a bank's or custodian's statement: a CSV file with the " +
      "columns date, reference and amount (above 0 in, below 0 out). Matches deposits by the external_reference of their " +
      "mint, and withdrawals, transfers to beneficiaries, card payments and refunds by their id. Reports what matches, " +
      "differs, comes twice or is missing on either side, and the totals. The exit code is 1 if the two sides differ. " +
      "Changes nothing, and does not disturb a running server."
  ),
  Command.withExamples([
    { command: "emporion reconcile --asset USD november.csv", description: "The days of its rows" },
    {
      command: "emporion reconcile --asset USD --from 2026-11-01 --to 2026-11-30 november.csv --json",
      description: "Including days on which nothing moved"
    }
  ])
)
