import { Data, Result } from "effect"
import { type Amount, fromUnits, ZERO } from "../money/Amount.ts"
import { type Account, type AccountId, assetOf } from "./Account.ts"
import type { MultiHoldRecord } from "./MultiHold.ts"
import type {
  Capture,
  Command,
  Cover,
  Hold,
  PlaceMultiHold,
  Purpose,
  Release,
  ReleaseMultiHold,
  TakeMultiHold,
  Transfer,
  Turn
} from "./Command.ts"
import { custodyOf } from "./Funding.ts"

/** The account has less available than the command needs. */
export class InsufficientFunds extends Data.TaggedError("InsufficientFunds")<{
  readonly account: AccountId
  readonly available: Amount
  readonly needed: Amount
}> {}

/** The account takes no new holds, or no credits. */
export class AccountClosed extends Data.TaggedError("AccountClosed")<{ readonly account: AccountId }> {}

/** No pending hold has this id: it was never taken, or was already captured or released. */
export class HoldNotPending extends Data.TaggedError("HoldNotPending")<{ readonly hold: string }> {}

/** The command itself is impossible: a non-positive amount, two assets, a capture beyond its hold, an id used twice. */
export class InvalidCommand extends Data.TaggedError("InvalidCommand")<{ readonly reason: string }> {}

export type LedgerError = InsufficientFunds | AccountClosed | HoldNotPending | InvalidCommand

export type HoldState =
  | { readonly _tag: "Pending" }
  | { readonly _tag: "Released" }
  | { readonly _tag: "Captured"; readonly amount: Amount }

export interface HoldRecord {
  readonly id: string
  readonly account: AccountId
  readonly into: AccountId
  readonly amount: Amount
  readonly state: HoldState
}

/** Money that moved: one debit and one credit of the same amount and asset. */
export interface Posting {
  readonly id: string
  readonly from: AccountId
  readonly to: AccountId
  readonly amount: Amount
  readonly purpose: Purpose
}

/** What a {@link Cover} could not pay. */
export interface Receivable {
  readonly id: string
  readonly to: AccountId
  readonly amount: Amount
}

/** Something that was changed, and what it was before; an id by itself was not there. */
type Change =
  | string
  | {
      readonly _tag: "Account"
      readonly id: AccountId
      readonly was: Account | undefined
      readonly wasChanged: boolean
    }
  | { readonly _tag: "Hold"; readonly id: string; readonly was: HoldRecord | undefined; readonly wasChanged: boolean }
  | {
      readonly _tag: "MultiHold"
      readonly id: string
      readonly was: MultiHoldRecord | undefined
      readonly wasChanged: boolean
    }

/**
 * The ledger's rules over the accounts and holds that a batch touches.
 *
 * A book is a working copy: load what the commands name, apply entries one after the other, then write what changed.
 * An account that was not loaded is empty and open. {@link Book.apply} is all or nothing.
 *
 * Invariants, for every asset: balances sum to what they summed to before; no account but custody is negative or holds
 * more than its balance; `held` is the sum of its pending holds and its parts of pending multi-holds; each of these is
 * resolved once.
 */
export class Book {
  readonly accounts: Map<AccountId, Account>
  readonly holds: Map<string, HoldRecord>
  readonly multiHolds: Map<string, MultiHoldRecord>
  readonly changedAccounts = new Set<AccountId>()
  readonly changedHolds = new Set<string>()
  readonly changedMultiHolds = new Set<string>()
  /** The accounts that were closed or opened, and maybe some that stayed as they were. */
  readonly turnedAccounts = new Set<AccountId>()
  readonly postings: Array<Posting> = []
  readonly receivables: Array<Receivable> = []
  readonly #known: (id: AccountId) => Account | undefined
  readonly #ids = new Set<string>()
  /** What the entry under way has changed so far, oldest first. */
  readonly #changes: Array<Change> = []

  /**
   * Maps are worked on as they are; of anything else a copy is made.
   *
   * @param known - accounts that need no copy: they stay as they are for as long as the book is used
   */
  constructor(
    accounts: Iterable<Account> | Map<AccountId, Account> = [],
    holds: Iterable<HoldRecord> | Map<string, HoldRecord> = [],
    multiHolds: Iterable<MultiHoldRecord> = [],
    known: (id: AccountId) => Account | undefined = unknown
  ) {
    this.accounts = accounts instanceof Map ? accounts : byId(accounts)
    this.holds = holds instanceof Map ? holds : byId(holds)
    this.multiHolds = byId(multiHolds)
    this.#known = known
  }

  account(id: AccountId): Account {
    return this.accounts.get(id) ?? this.#known(id) ?? { id, balance: ZERO, held: ZERO, closed: false }
  }

  /** balance − held: what the account can spend, where it is not custody, which can spend anything. */
  available(id: AccountId): Amount {
    const account = this.account(id)
    return fromUnits(account.balance - account.held)
  }

  /** Applies all the commands, or none and answers why. */
  apply(commands: ReadonlyArray<Command>): Result.Result<void, LedgerError> {
    const postings = this.postings.length
    const receivables = this.receivables.length
    this.#changes.length = 0
    for (const command of commands) {
      const applied = this.#applyOne(command)
      if (Result.isSuccess(applied)) continue
      this.postings.length = postings
      this.receivables.length = receivables
      this.#undo()
      return applied
    }
    return Result.void
  }

  #applyOne(command: Command): Result.Result<void, LedgerError> {
    switch (command._tag) {
      case "Transfer":
        return this.#transfer(command)
      case "Hold":
        return this.#hold(command)
      case "Release":
        return this.#release(command)
      case "Capture":
        return this.#capture(command)
      case "PlaceMultiHold":
        return this.#placeMultiHold(command)
      case "ReleaseMultiHold":
        return this.#releaseMultiHold(command)
      case "TakeMultiHold":
        return this.#takeMultiHold(command)
      case "Cover":
        return this.#cover(command)
      case "Close":
      case "Open":
        return this.#turn(command)
    }
  }

  #transfer(command: Transfer): Result.Result<void, LedgerError> {
    const { id, from, to, amount, purpose } = command
    if (amount <= 0n) return invalid(`transfer ${id} needs a positive amount`)
    if (from === to || !sameAsset(from, to)) return invalid(`transfer ${id} needs two accounts of one asset`)
    if (!this.#claim(id)) return invalid(`transfer ${id} is already in this batch`)
    if (this.account(to).closed && !isAllowance(to)) return Result.fail(new AccountClosed({ account: to }))
    if (!isCustody(from) && this.available(from) < amount) return this.#insufficient(from, amount)
    this.#post({ id, from, to, amount, purpose })
    return Result.void
  }

  #hold(command: Hold): Result.Result<void, LedgerError> {
    const { id, account, into, amount, gate } = command
    if (amount <= 0n) return invalid(`hold ${id} needs a positive amount`)
    if (isCustody(account)) return invalid(`hold ${id} is on custody`)
    if (!sameAsset(account, into)) return invalid(`hold ${id} needs two accounts of one asset`)
    if (this.holds.has(id) || !this.#claim(id)) return invalid(`hold ${id} exists`)
    if (gate !== undefined && this.account(gate).closed) return Result.fail(new AccountClosed({ account: gate }))
    if (this.account(into).closed) return Result.fail(new AccountClosed({ account: into }))
    if (this.account(account).closed) return Result.fail(new AccountClosed({ account }))
    if (this.available(account) < amount) return this.#insufficient(account, amount)
    this.#resolve({ id, account, into, amount, state: { _tag: "Pending" } })
    this.#change(account, 0n, amount)
    return Result.void
  }

  #release(command: Release): Result.Result<void, LedgerError> {
    const hold = this.holds.get(command.hold)
    if (hold?.state._tag !== "Pending") return Result.fail(new HoldNotPending({ hold: command.hold }))
    this.#resolve({ ...hold, state: { _tag: "Released" } })
    this.#change(hold.account, 0n, -hold.amount)
    return Result.void
  }

  #capture(command: Capture): Result.Result<void, LedgerError> {
    const hold = this.holds.get(command.hold)
    if (hold?.state._tag !== "Pending") return Result.fail(new HoldNotPending({ hold: command.hold }))
    const { to, amount, purpose } = command
    if (amount <= 0n || amount > hold.amount) return invalid(`capture of ${hold.id} needs 0 < amount ≤ the hold`)
    if (to === hold.account || !sameAsset(hold.account, to)) {
      return invalid(`capture of ${hold.id} needs another account of its asset`)
    }
    if (this.account(to).closed) return Result.fail(new AccountClosed({ account: to }))
    this.#resolve({ ...hold, state: { _tag: "Captured", amount } })
    this.#change(hold.account, 0n, -hold.amount)
    this.#post({ id: hold.id, from: hold.account, to, amount, purpose })
    return Result.void
  }

  #placeMultiHold({ id, parts }: PlaceMultiHold): Result.Result<void, LedgerError> {
    if (parts.length === 0) return invalid(`multi-hold ${id} needs a part`)
    if (this.multiHolds.has(id) || !this.#claim(id)) return invalid(`multi-hold ${id} exists`)
    for (const { account, amount } of parts) {
      if (amount <= 0n) return invalid(`multi-hold ${id} needs positive amounts`)
      if (isCustody(account)) return invalid(`multi-hold ${id} is on custody`)
      if (this.account(account).closed) return Result.fail(new AccountClosed({ account }))
      if (this.available(account) < amount) return this.#insufficient(account, amount)
      this.#change(account, 0n, amount)
    }
    this.#keep({ id, parts, state: "Pending" })
    return Result.void
  }

  #releaseMultiHold({ multiHold: id }: ReleaseMultiHold): Result.Result<void, LedgerError> {
    const multiHold = this.multiHolds.get(id)
    if (multiHold?.state !== "Pending") return Result.fail(new HoldNotPending({ hold: id }))
    for (const { account, amount } of multiHold.parts) this.#change(account, 0n, -amount)
    this.#keep({ ...multiHold, state: "Released" })
    return Result.void
  }

  #takeMultiHold({ multiHold: id, purpose }: TakeMultiHold): Result.Result<void, LedgerError> {
    const multiHold = this.multiHolds.get(id)
    if (multiHold?.state !== "Pending") return Result.fail(new HoldNotPending({ hold: id }))
    for (const [index, { account, amount }] of multiHold.parts.entries()) {
      this.#change(account, 0n, -amount)
      this.#post({ id: `${id}/${index + 1}`, from: account, to: custodyOf(assetOf(account)), amount, purpose })
    }
    this.#keep({ ...multiHold, state: "Taken" })
    return Result.void
  }

  #cover(command: Cover): Result.Result<void, LedgerError> {
    const { id, sources, to, purpose } = command
    if (command.amount <= 0n) return invalid(`payment ${id} needs a positive amount`)
    for (const source of sources) {
      if (isCustody(source) || source === to || !sameAsset(source, to)) {
        return invalid(`payment ${id} needs sources of its asset other than custody and its target`)
      }
    }
    if (!this.#claim(id)) return invalid(`payment ${id} is already in this batch`)
    let missing: bigint = command.amount
    const payers = this.account(to).closed ? 0 : sources.length
    for (let index = 0; index < payers && missing > 0n; index++) {
      const from = sources[index] as AccountId
      const available = this.available(from)
      const amount = fromUnits(available < missing ? available : missing)
      if (amount <= 0n) continue
      this.#post({ id: index === 0 ? id : `${id}/${index}`, from, to, amount, purpose })
      missing -= amount
    }
    if (missing > 0n) this.receivables.push({ id, to, amount: fromUnits(missing) })
    return Result.void
  }

  #turn({ _tag, account: id }: Turn): Result.Result<void, LedgerError> {
    if (isCustody(id)) return invalid(`${id} cannot be closed or opened`)
    const was = this.accounts.get(id)
    const closed = _tag === "Close"
    this.#changes.push({ _tag: "Account", id, was, wasChanged: this.changedAccounts.has(id) })
    this.accounts.set(id, { ...(was ?? this.account(id)), closed })
    this.changedAccounts.add(id)
    this.turnedAccounts.add(id)
    return Result.void
  }

  #claim(id: string): boolean {
    if (this.#ids.has(id)) return false
    this.#ids.add(id)
    this.#changes.push(id)
    return true
  }

  #insufficient(account: AccountId, needed: Amount): Result.Result<never, LedgerError> {
    return Result.fail(new InsufficientFunds({ account, available: this.available(account), needed }))
  }

  #post(posting: Posting): void {
    this.#change(posting.from, -posting.amount, 0n)
    this.#change(posting.to, posting.amount, 0n)
    this.postings.push(posting)
  }

  #change(id: AccountId, balance: bigint, held: bigint): void {
    const was = this.accounts.get(id)
    const before = was ?? this.account(id)
    this.#changes.push({ _tag: "Account", id, was, wasChanged: this.changedAccounts.has(id) })
    this.accounts.set(id, {
      id,
      balance: balance === 0n ? before.balance : fromUnits(before.balance + balance),
      held: held === 0n ? before.held : fromUnits(before.held + held),
      closed: before.closed
    })
    this.changedAccounts.add(id)
  }

  #resolve(hold: HoldRecord): void {
    const { id } = hold
    this.#changes.push({ _tag: "Hold", id, was: this.holds.get(id), wasChanged: this.changedHolds.has(id) })
    this.holds.set(id, hold)
    this.changedHolds.add(id)
  }

  #keep(multiHold: MultiHoldRecord): void {
    const { id } = multiHold
    this.#changes.push({
      _tag: "MultiHold",
      id,
      was: this.multiHolds.get(id),
      wasChanged: this.changedMultiHolds.has(id)
    })
    this.multiHolds.set(id, multiHold)
    this.changedMultiHolds.add(id)
  }

  /** Takes the changes back, newest first, so that a refused entry leaves no trace. */
  #undo(): void {
    for (const change of this.#changes.toReversed()) {
      if (typeof change === "string") {
        this.#ids.delete(change)
        continue
      }
      switch (change._tag) {
        case "Account":
          restore(this.accounts, change.id, change.was)
          if (!change.wasChanged) this.changedAccounts.delete(change.id)
          break
        case "Hold":
          restore(this.holds, change.id, change.was)
          if (!change.wasChanged) this.changedHolds.delete(change.id)
          break
        case "MultiHold":
          restore(this.multiHolds, change.id, change.was)
          if (!change.wasChanged) this.changedMultiHolds.delete(change.id)
      }
    }
  }
}

const byId = <K extends string, V extends { readonly id: K }>(some: Iterable<V>): Map<K, V> => {
  const known = new Map<K, V>()
  for (const one of some) known.set(one.id, one)
  return known
}

const unknown = (): undefined => undefined

const invalid = (reason: string): Result.Result<never, LedgerError> => Result.fail(new InvalidCommand({ reason }))

const restore = <K, V>(map: Map<K, V>, key: K, value: V | undefined): void => {
  if (value === undefined) map.delete(key)
  else map.set(key, value)
}

const isCustody = (id: AccountId): boolean => id.endsWith("/custody")

const isAllowance = (id: AccountId): boolean => id.endsWith("/allowance")

/** Whether the second part of both ids is the same, without taking it out of either. */
const sameAsset = (one: AccountId, other: AccountId): boolean => {
  const end = one.lastIndexOf("/")
  const otherEnd = other.lastIndexOf("/")
  const length = end - one.lastIndexOf("/", end - 1)
  if (length !== otherEnd - other.lastIndexOf("/", otherEnd - 1)) return false
  for (let back = 1; back < length; back++) {
    if (one.charCodeAt(end - back) !== other.charCodeAt(otherEnd - back)) return false
  }
  return true
}
