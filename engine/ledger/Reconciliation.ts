import { type Amount, fromUnits, ZERO } from "../money/Amount.ts"

/** A row of a bank's or custodian's statement. */
export interface StatementRow {
  readonly line: number
  /** The day's begin, in milliseconds since 1970. */
  readonly day: number
  readonly reference: string
  /** Above 0 where money came into custody, below where it left. */
  readonly amount: Amount
}

/** A posting between custody and the accounts inside. */
export interface CustodyEntry {
  /** Of the posting, in the ledger. */
  readonly id: string
  readonly at: number
  readonly reference: string
  readonly purpose: string
  /** Above 0 where money came in from custody, below where it left. */
  readonly amount: Amount
}

/** From when to before when the statement is complete, in milliseconds since 1970. */
export interface Period {
  readonly from: number
  readonly until: number
}

/** Money in, money out (not above 0), and how many rows or entries. */
export interface Flow {
  readonly in: Amount
  readonly out: Amount
  readonly count: number
}

/** The same reference on both sides, with another amount. */
export interface Differing {
  readonly row: StatementRow
  readonly entry: CustodyEntry
}

/** How a statement and the ledger compare. */
export interface Reconciliation {
  readonly matched: number
  readonly differing: ReadonlyArray<Differing>
  /** Rows and entries that say again what was matched before. */
  readonly duplicateRows: ReadonlyArray<StatementRow>
  readonly duplicateEntries: ReadonlyArray<CustodyEntry>
  /** On the statement alone. */
  readonly unknownRows: ReadonlyArray<StatementRow>
  /** In the ledger alone, within the period. */
  readonly missingRows: ReadonlyArray<CustodyEntry>
  readonly statement: Flow
  /** Of the ledger's entries within the period, and of those outside of it that the statement has. */
  readonly ledger: Flow
}

/** A posting's reference: what the world outside knows it by. Other postings are known by their own id. */
export const custodyReference = (id: string): string => {
  const parts = id.split("/")
  switch (parts[0]) {
    case "mint":
      return parts[1] === "reference" && parts.length === 3 ? (parts[2] ?? id) : id
    case "withdrawal":
      return parts[1] ?? id
    case "transfer":
      return parts[2] ?? id
    case "payment":
      return (parts[2] === "refund" ? parts[3] : parts[1]) ?? id
    default:
      return id
  }
}

const flowOf = (amounts: ReadonlyArray<{ readonly amount: Amount }>): Flow => {
  let [into, out] = [0n, 0n]
  for (const { amount } of amounts) {
    if (amount > ZERO) into += amount
    else out += amount
  }
  return { in: fromUnits(into), out: fromUnits(out), count: amounts.length }
}

const byAmount = (one: { readonly amount: Amount }, other: { readonly amount: Amount }): number =>
  one.amount < other.amount ? -1 : one.amount > other.amount ? 1 : 0

/** What one reference has on the two sides. */
interface Group {
  readonly rows: Array<StatementRow>
  readonly entries: Array<CustodyEntry>
}

interface Found {
  matched: number
  readonly differing: Array<Differing>
  readonly duplicateRows: Array<StatementRow>
  readonly duplicateEntries: Array<CustodyEntry>
  readonly unknownRows: Array<StatementRow>
  readonly missingRows: Array<CustodyEntry>
}

/**
 * Equal amounts are matched one to one. What is left and says again what was matched is a duplicate; the rest of the two
 * sides differs, smallest with smallest, as far as there are two.
 */
const compare = ({ entries, rows }: Group, found: Found): void => {
  const leftEntries = entries.toSorted(byAmount)
  const leftRows: Array<StatementRow> = []
  const matched = new Set<bigint>()
  for (const row of rows.toSorted(byAmount)) {
    const at = leftEntries.findIndex(({ amount }) => amount === row.amount)
    if (at < 0) {
      leftRows.push(row)
      continue
    }
    leftEntries.splice(at, 1)
    matched.add(row.amount)
    found.matched += 1
  }
  const isAgain = ({ amount }: { readonly amount: Amount }) => matched.has(amount)
  found.duplicateRows.push(...leftRows.filter(isAgain))
  found.duplicateEntries.push(...leftEntries.filter(isAgain))
  const otherRows = leftRows.filter((row) => !isAgain(row))
  const otherEntries = leftEntries.filter((entry) => !isAgain(entry))
  const pairs = Math.min(otherRows.length, otherEntries.length)
  for (const [at, row] of otherRows.entries()) {
    const entry = otherEntries[at]
    if (entry !== undefined && at < pairs) found.differing.push({ row, entry })
    else found.unknownRows.push(row)
  }
  found.missingRows.push(...otherEntries.slice(pairs))
}

/** Compares a statement with the ledger's entries, which come one after another. */
export class Reconciler {
  readonly #period: Period
  readonly #groups = new Map<string, Group>()
  readonly #rows: ReadonlyArray<StatementRow>
  readonly #others: Array<CustodyEntry> = []

  constructor(rows: ReadonlyArray<StatementRow>, period: Period) {
    this.#period = period
    this.#rows = rows
    for (const row of rows) {
      const group = this.#groups.get(row.reference)
      if (group === undefined) this.#groups.set(row.reference, { rows: [row], entries: [] })
      else group.rows.push(row)
    }
  }

  /** Takes the ledger's next entry: false where the statement need not have it. */
  take(entry: CustodyEntry): boolean {
    const group = this.#groups.get(entry.reference)
    const isWithin = entry.at >= this.#period.from && entry.at < this.#period.until
    if (group !== undefined) group.entries.push(entry)
    else if (isWithin) this.#others.push(entry)
    return group !== undefined || isWithin
  }

  result(): Reconciliation {
    const found: Found = {
      matched: 0,
      differing: [],
      duplicateRows: [],
      duplicateEntries: [],
      unknownRows: [],
      missingRows: []
    }
    for (const group of this.#groups.values()) compare(group, found)
    const entries = [...this.#others, ...[...this.#groups.values()].flatMap((group) => group.entries)]
    return {
      ...found,
      missingRows: [...found.missingRows, ...this.#others],
      statement: flowOf(this.#rows),
      ledger: flowOf(entries)
    }
  }
}

/** Whether the two sides say the same. */
export const agrees = (one: Reconciliation): boolean =>
  [one.differing, one.duplicateRows, one.duplicateEntries, one.unknownRows, one.missingRows].every(
    ({ length }) => length === 0
  )
