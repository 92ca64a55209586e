import type { StreamHead } from "../../../engine/actor/CommitGroup.ts"
import { toHex } from "../../../engine/actor/EventChain.ts"
import type { Account, AccountId } from "../../../engine/ledger/Account.ts"
import type { BasketRecord } from "../../../engine/ledger/Basket.ts"
import type { HoldRecord } from "../../../engine/ledger/Book.ts"
import { KEY_RETENTION } from "../../../engine/journal/KeyFilter.ts"
import type { KeyedAnswer } from "../../../engine/journal/JournalRow.ts"
import type { TableRow } from "../../../engine/journal/TableRow.ts"
import type { AppendedGroup } from "../../../engine/journal/AppendedGroup.ts"
import { RowStore } from "../RowStore.ts"

/** A condition that is not so. */
export class Untrue extends Error {}

/** A row that a table does not take. */
export class Rejected extends Error {}

type Recorded = AppendedGroup["settled"]["recorded"][number]

/** Which event placed and which one ended something, and how it stands. */
export interface Placed<T> {
  readonly value: T
  readonly placedBy: number
  readonly resolvedBy: number | undefined
}

interface StoredKey extends Omit<KeyedAnswer, "key"> {
  readonly at: number
}

const insert = <V>(table: Map<string, V>, name: string, key: string, value: V): void => {
  if (table.has(key)) throw new Rejected(`${name} has ${key} already`)
  table.set(key, value)
}

/** What the tables have, with their constraints. */
export class MemoryTables {
  accounts = new Map<AccountId, Account>()
  holds = new Map<string, Placed<HoldRecord>>()
  baskets = new Map<string, Placed<BasketRecord>>()
  heads = new Map<string, StreamHead>()
  claims = new Map<string, number>()
  keys = new Map<string, StoredKey>()
  events = new Map<number, string>()
  transfers = new Map<string, string>()
  receivables = new Map<string, string>()
  rows = new RowStore()
  /** The last event that they have. */
  seq = 0

  copy(): MemoryTables {
    return Object.assign(new MemoryTables(), {
      accounts: new Map(this.accounts),
      holds: new Map(this.holds),
      baskets: new Map(this.baskets),
      heads: new Map(this.heads),
      claims: new Map(this.claims),
      keys: new Map(this.keys),
      events: new Map(this.events),
      transfers: new Map(this.transfers),
      receivables: new Map(this.receivables),
      rows: this.rows.copy(),
      seq: this.seq
    })
  }

  /** Every table's rows as text, in the order of their keys. */
  text(): string {
    const part = (table: ReadonlyMap<string | number, unknown>): ReadonlyArray<string> =>
      [...table].map(([key, row]) => `${key} ${rowText(row)}`).toSorted()
    const { accounts, baskets, claims, events, heads, holds, keys, receivables, rows, transfers } = this
    const parts = [accounts, holds, baskets, heads, claims, keys, events, transfers, receivables, rows.rows]
    return parts.map((table) => part(table).join("\n")).join("\n\n")
  }

  /** What a transaction writes. */
  project(
    groups: ReadonlyArray<AppendedGroup>,
    rowsOf: (groups: ReadonlyArray<AppendedGroup>) => Iterable<TableRow>
  ): void {
    this.write(groups)
    this.apply(rowsOf(groups))
  }

  /** As the ledger's statements write groups. */
  write(groups: ReadonlyArray<AppendedGroup>): void {
    this.#writeAccounts(groups)
    for (const { answers, end, settled } of groups) {
      for (const [stream, head] of settled.heads) this.heads.set(stream, head)
      for (const one of settled.recorded) this.addEvent(one)
      const { book, trace } = settled
      for (const [index, { amount, from, id, purpose, to }] of book.postings.entries()) {
        insert(this.transfers, "ledger_transfers", id, rowText([from, to, amount, purpose, trace.postings[index]]))
      }
      for (const [index, { amount, id, to }] of book.receivables.entries()) {
        insert(this.receivables, "ledger_receivables", id, rowText([to, amount, trace.receivables[index]]))
      }
      for (const [id, when] of trace.holds) writePlaced(this.holds, id, book.holds.get(id), when)
      for (const [id, when] of trace.baskets) writePlaced(this.baskets, id, book.baskets.get(id), when)
      for (const [name, seq] of settled.claims) {
        if (this.claims.has(name)) throw new Rejected(`claims has ${name} already`)
        this.claims.set(name, seq)
      }
      for (const answer of answers) this.keep(answer, end.recordedAt)
    }
  }

  addEvent({ data, hash, seq, stream, version }: Omit<Recorded, "event" | "hashBytes">): void {
    if (this.events.has(seq)) throw new Rejected(`events has ${seq} already`)
    this.events.set(seq, `${stream} ${version} ${hash} ${data}`)
  }

  /** One that is alive stays. */
  keep({ body, fingerprint, key, seq, status }: KeyedAnswer, at: number): void {
    const before = this.keys.get(key)
    if (before !== undefined && before.at > at - KEY_RETENTION) return
    this.keys.set(key, { seq, fingerprint, status, body, at })
  }

  apply(rows: Iterable<TableRow>): void {
    for (const row of rows) this.rows.apply(row)
  }

  #writeAccounts(groups: ReadonlyArray<AppendedGroup>): void {
    const added = new Set(groups.flatMap(({ newAccounts }) => [...newAccounts]))
    const turned = new Set(groups.flatMap(({ settled }) => [...settled.book.turnedAccounts]))
    const last = new Map<AccountId, Account>()
    for (const { settled } of groups) {
      for (const id of settled.book.changedAccounts) last.set(id, settled.book.account(id))
    }
    for (const [id, account] of last) {
      const before = this.accounts.get(id)
      if (before === undefined && !added.has(id)) throw new Rejected(`ledger_accounts lacks ${id}`)
      this.accounts.set(id, { ...account, closed: turned.has(id) ? account.closed : (before?.closed ?? false) })
    }
  }
}

const writePlaced = <T extends object>(
  table: Map<string, Placed<T>>,
  id: string,
  value: T | undefined,
  { placedBy, resolvedBy }: { readonly placedBy?: number; readonly resolvedBy?: number }
): void => {
  if (value === undefined) return
  const before = table.get(id)
  if (placedBy !== undefined) {
    if (before !== undefined) throw new Rejected(`${id} is placed already`)
    table.set(id, { value, placedBy, resolvedBy })
  } else if (before !== undefined && before.resolvedBy === undefined) {
    table.set(id, { value, placedBy: before.placedBy, resolvedBy })
  }
}

const rowText = (row: unknown): string =>
  JSON.stringify(row, (_, value: unknown) =>
    typeof value === "bigint" ? `${value}` : value instanceof Uint8Array ? toHex(value) : value
  )
