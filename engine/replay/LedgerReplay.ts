import { Result } from "effect"
import type { Account, AccountId } from "../ledger/Account.ts"
import { Book, type HoldRecord, type LedgerError, type Posting } from "../ledger/Book.ts"
import { type MultiHoldRecord, partsText } from "../ledger/MultiHold.ts"
import { addTouchedAccounts } from "../ledger/TouchedAccounts.ts"
import type { Command } from "../ledger/Command.ts"
import type { RowSink } from "./RowSink.ts"
import type { StateRow } from "./StateTable.ts"
import type { StoredEvent } from "./StoredEvent.ts"

interface Changed<T> {
  readonly value: T
  /** The event that changed it last. */
  readonly event: StoredEvent
}

/** The ledger as the events' commands make it: accounts and pending holds are kept, everything final is put away. */
export class LedgerReplay {
  readonly #sink: RowSink
  readonly #accounts = new Map<AccountId, Changed<Account>>()
  readonly #pending = new Map<string, Changed<HoldRecord>>()
  readonly #multiHolds = new Map<string, Changed<MultiHoldRecord>>()

  constructor(sink: RowSink) {
    this.#sink = sink
  }

  /** Whether the account was ever written. */
  has(id: AccountId): boolean {
    return this.#accounts.has(id)
  }

  /** Applies an event's commands under the ledger's own rules. */
  apply(commands: ReadonlyArray<Command>, event: StoredEvent): Result.Result<void, LedgerError> {
    const book = this.#load(commands)
    const applied = book.apply(commands)
    if (Result.isFailure(applied)) return applied
    for (const id of book.changedAccounts) this.#change(book.account(id), event)
    for (const id of book.changedHolds) {
      const hold = book.holds.get(id)
      if (hold !== undefined) this.#resolve(hold, event)
    }
    for (const id of book.changedMultiHolds) {
      const multiHold = book.multiHolds.get(id)
      if (multiHold !== undefined) this.#end(multiHold, event)
    }
    for (const posting of book.postings) this.#sink.put(transferRow(posting, event), event)
    for (const { id, to, amount } of book.receivables) {
      this.#sink.put({ table: "ledger_receivables", values: [id, to, `${amount}`, `${event.seq}`] }, event)
    }
    return Result.void
  }

  /** Puts what is not final. */
  finish(): void {
    for (const { value, event } of this.#accounts.values()) this.#sink.put(accountRow(value), event)
    for (const { value, event } of this.#pending.values()) this.#sink.put(holdRow(value, event, undefined), event)
    for (const { value, event } of this.#multiHolds.values())
      this.#sink.put(multiHoldRow(value, event, undefined), event)
  }

  #load(commands: ReadonlyArray<Command>): Book {
    const named = commands.map(idOf)
    const holds = named.flatMap((id) => this.#pending.get(id)?.value ?? [])
    const multiHolds = named.flatMap((id) => this.#multiHolds.get(id)?.value ?? [])
    const held = new Map(holds.map((hold) => [hold.id, hold]))
    const kept = new Map(multiHolds.map((multiHold) => [multiHold.id, multiHold]))
    const touched = new Set<AccountId>()
    for (const command of commands) addTouchedAccounts(touched, command, held, kept)
    return new Book(
      [...touched].flatMap((id) => this.#accounts.get(id)?.value ?? []),
      holds,
      multiHolds
    )
  }

  #change(account: Account, event: StoredEvent): void {
    this.#accounts.set(account.id, { value: account, event })
    if (this.#sink.history) this.#sink.put(accountRow(account), event)
  }

  #end(multiHold: MultiHoldRecord, event: StoredEvent): void {
    const placed = this.#multiHolds.get(multiHold.id)?.event ?? event
    if (multiHold.state !== "Pending") {
      this.#multiHolds.delete(multiHold.id)
      this.#sink.put(multiHoldRow(multiHold, placed, event), event)
      return
    }
    this.#multiHolds.set(multiHold.id, { value: multiHold, event })
    if (this.#sink.history) this.#sink.put(multiHoldRow(multiHold, event, undefined), event)
  }

  #resolve(hold: HoldRecord, event: StoredEvent): void {
    const placed = this.#pending.get(hold.id)?.event ?? event
    if (hold.state._tag !== "Pending") {
      this.#pending.delete(hold.id)
      this.#sink.put(holdRow(hold, placed, event), event)
      return
    }
    this.#pending.set(hold.id, { value: hold, event })
    if (this.#sink.history) this.#sink.put(holdRow(hold, event, undefined), event)
  }
}

const idOf = (command: Command): string => {
  switch (command._tag) {
    case "Release":
    case "Capture":
      return command.hold
    case "ReleaseMultiHold":
    case "TakeMultiHold":
      return command.multiHold
    case "Close":
    case "Open":
      return command.account
    default:
      return command.id
  }
}

const accountRow = ({ id, balance, held, closed }: Account): StateRow => ({
  table: "ledger_accounts",
  values: [id, `${balance}`, `${held}`, `${closed}`]
})

const transferRow = ({ id, from, to, amount, purpose }: Posting, { seq }: StoredEvent): StateRow => ({
  table: "ledger_transfers",
  values: [id, from, to, `${amount}`, purpose, `${seq}`]
})

const holdRow = (hold: HoldRecord, placed: StoredEvent, resolved: StoredEvent | undefined): StateRow => ({
  table: "ledger_holds",
  values: [
    hold.id,
    hold.account,
    hold.into,
    `${hold.amount}`,
    hold.state._tag.toLowerCase(),
    hold.state._tag === "Captured" ? `${hold.state.amount}` : null,
    `${placed.seq}`,
    resolved === undefined ? null : `${resolved.seq}`
  ]
})

const multiHoldRow = (
  { id, parts, state }: MultiHoldRecord,
  placed: StoredEvent,
  resolved: StoredEvent | undefined
): StateRow => ({
  table: "ledger_baskets",
  values: [
    id,
    partsText(parts),
    state.toLowerCase(),
    `${placed.seq}`,
    resolved === undefined ? null : `${resolved.seq}`
  ]
})
