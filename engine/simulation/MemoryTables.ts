import type { ChainedEvent, StreamHead } from "../actor/CommitGroup.ts"
import { toHex } from "../actor/EventChain.ts"
import { isRequestName } from "../cluster/RequestName.ts"
import type { AppendedGroup } from "../journal/AppendedGroup.ts"
import type { KeyedAnswer } from "../journal/JournalRow.ts"
import type { Account, AccountId } from "../ledger/Account.ts"
import type { MultiHoldRecord } from "../ledger/MultiHold.ts"
import type { HoldRecord, Posting, Receivable } from "../ledger/Book.ts"

/** A row that a table does not take. */
export class Rejected extends Error {}

/** Which event placed and which one ended something, and how it stands. */
export interface Placed<T> {
  readonly value: T
  readonly placedBy: number
  readonly resolvedBy: number | undefined
}

/** An event as it is kept, without what can be read from its data. */
export type KeptEvent = Pick<ChainedEvent<object>, "seq" | "stream" | "version" | "data" | "hash">

/** A row, and the event that it is of. */
interface Of<T> {
  readonly row: T
  readonly event: number | undefined
}

export interface StoredKey extends Omit<KeyedAnswer, "key"> {
  readonly at: number
}

/** What the tables of the ledger and of the events have, with their constraints. */
export class MemoryTables {
  readonly accounts: Map<AccountId, Account>
  readonly holds: Map<string, Placed<HoldRecord>>
  readonly multiHolds: Map<string, Placed<MultiHoldRecord>>
  readonly heads: Map<string, StreamHead>
  readonly claims: Map<string, number>
  readonly keys: Map<string, StoredKey>
  /** Answers that were kept without an event. */
  readonly refusals: Map<string, StoredKey>
  readonly transfers: Map<string, Of<Posting>>
  readonly receivables: Map<string, Of<Receivable>>
  readonly events: Array<KeptEvent> = []
  readonly #streams = new Map<string, Array<KeptEvent>>()
  /** The last event that they have. */
  seq: number

  /** @param from - what they begin with */
  constructor(from?: MemoryTables) {
    this.accounts = new Map(from?.accounts)
    this.holds = new Map(from?.holds)
    this.multiHolds = new Map(from?.multiHolds)
    this.heads = new Map(from?.heads)
    this.claims = new Map(from?.claims)
    this.keys = new Map(from?.keys)
    this.refusals = new Map(from?.refusals)
    this.transfers = new Map(from?.transfers)
    this.receivables = new Map(from?.receivables)
    for (const event of from?.events ?? []) this.addEvent(event)
    this.seq = from?.seq ?? 0
  }

  /** As the ledger's statements write groups. */
  write(groups: ReadonlyArray<AppendedGroup>): void {
    this.#writeAccounts(groups)
    for (const { answers, end, settled } of groups) {
      for (const [stream, head] of settled.heads) this.heads.set(stream, head)
      for (const one of settled.recorded) this.addEvent(one)
      const { book, trace } = settled
      book.postings.forEach((row, index) => this.addTransfer(row, trace.postings[index]))
      book.receivables.forEach((row, index) => this.addReceivable(row, trace.receivables[index]))
      for (const [id, when] of trace.holds) {
        if (when.placedBy !== undefined && this.wasHeld(id)) throw new Rejected(`${id} is placed already`)
        writePlaced(this.holds, id, book.holds.get(id), when)
      }
      for (const [id, when] of trace.multiHolds) writePlaced(this.multiHolds, id, book.multiHolds.get(id), when)
      for (const [name, seq] of settled.claims) insert(this.claims, "claims", name, seq)
      for (const answer of answers) this.keep(answer, end.recordedAt)
    }
  }

  addEvent({ data, hash, seq, stream, version }: KeptEvent): void {
    if (this.events[seq - 1] !== undefined) throw new Rejected(`events has ${seq} already`)
    const kept = { data, hash, seq, stream, version }
    const others = this.#streams.get(stream)
    this.events[seq - 1] = kept
    if (others === undefined) this.#streams.set(stream, [kept])
    else others.push(kept)
  }

  /** A stream's events, in order. */
  stream(id: string): ReadonlyArray<KeptEvent> {
    return this.#streams.get(id) ?? []
  }

  protected addTransfer(row: Posting, event: number | undefined): void {
    insert(this.transfers, "ledger_transfers", row.id, { row, event })
  }

  protected addReceivable(row: Receivable, event: number | undefined): void {
    insert(this.receivables, "ledger_receivables", row.id, { row, event })
  }

  /** Whether there was a hold that is not among the {@link holds} any more. */
  protected wasHeld(_id: string): boolean {
    return false
  }

  protected forgetStream(id: string): void {
    this.#streams.delete(id)
  }

  /** Every table's rows as text, in the order of their keys. */
  text(): string {
    return this.parts
      .map((table) =>
        Array.from(table, ([key, row]) => `${key} ${rowText(row)}`)
          .toSorted()
          .join("\n")
      )
      .join("\n\n")
  }

  protected get parts(): ReadonlyArray<Iterable<readonly [string | number, unknown]>> {
    const { accounts, claims, events, heads, holds, keys, multiHolds, receivables, transfers } = this
    return [accounts, holds, multiHolds, heads, claims, keys, events.entries(), transfers, receivables]
  }

  /** What is in the journal counts, whatever was kept under its key. What a node named is there alone. */
  keep({ body, fingerprint, key, seq, status }: KeyedAnswer, at: number): void {
    if (isRequestName(key)) return
    this.refusals.delete(key)
    // The keys stand in the order of their answers.
    this.keys.delete(key)
    // Of two equal texts one is kept: a long run has half a million of them.
    this.keys.set(key, { seq, fingerprint: fingerprint === key ? key : fingerprint, status, body, at })
  }

  /** What is kept under a key. */
  kept(key: string): StoredKey | undefined {
    return this.refusals.get(key) ?? this.keys.get(key)
  }

  #writeAccounts(groups: ReadonlyArray<AppendedGroup>): void {
    const turning = groups.filter(({ settled }) => settled.book.turnedAccounts.size > 0)
    const isAdded = (id: AccountId) => groups.some(({ newAccounts }) => newAccounts.has(id))
    const isTurned = (id: AccountId) => turning.some(({ settled }) => settled.book.turnedAccounts.has(id))
    const last = new Map<AccountId, Account>()
    for (const { settled } of groups) {
      for (const id of settled.book.changedAccounts) last.set(id, settled.book.account(id))
    }
    for (const [id, account] of last) {
      const before = this.accounts.get(id)
      if (before === undefined && !isAdded(id)) throw new Rejected(`ledger_accounts lacks ${id}`)
      const closed = isTurned(id) ? account.closed : (before?.closed ?? false)
      this.accounts.set(id, closed === account.closed ? account : { ...account, closed })
    }
  }
}

const insert = <V>(table: Map<string, V>, name: string, key: string, value: V): void => {
  if (table.has(key)) throw new Rejected(`${name} has ${key} already`)
  table.set(key, value)
}

/** The texts of rows, none of which ever changes: another one takes its place. */
const TEXTS = new WeakMap<object, string>()

const rowText = (row: unknown): string => {
  if (typeof row !== "object" || row === null) return String(row)
  const known = TEXTS.get(row)
  if (known !== undefined) return known
  const text = JSON.stringify(row, (_, value: unknown) =>
    typeof value === "bigint" ? `${value}` : value instanceof Uint8Array ? toHex(value) : value
  )
  TEXTS.set(row, text)
  return text
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
