import type { GroupResult, StreamHead } from "../actor/CommitGroup.ts"
import type { Account, AccountId } from "../ledger/Account.ts"
import type { MultiHoldRecord } from "../ledger/MultiHold.ts"
import type { HoldRecord } from "../ledger/Book.ts"

/** Accounts, and ends of streams, that are remembered. Beyond that, those that the tables have are forgotten. */
export const MAX_REMEMBERED = 100_000

/** The state that a group leaves. */
export type Left = Pick<GroupResult<object>, "book" | "heads" | "claims" | "answers">

interface Known<T> {
  readonly value: T
  /** The last sequence of the group that left it so; 0 if it was read from the tables. */
  readonly seq: number
}

/**
 * The state that the writer knows without reading, as its groups leave it: the ends of streams, accounts, holds,
 * multi-holds, claimed names and answered keys.
 *
 * It never forgets a change behind the projected position, because the tables do not have that yet. So for everything
 * unknown here the tables are up to date. This holds while the writer is alone and everything it sent is appended;
 * otherwise {@link WriterMemory.rebuild} corrects it.
 */
export class WriterMemory {
  readonly #heads = new Map<string, Known<StreamHead>>()
  readonly #accounts = new Map<AccountId, Known<Account>>()
  /** Accounts that were looked for and have no row. */
  readonly #absent = new Set<AccountId>()
  readonly #holds = new Map<string, Known<HoldRecord>>()
  readonly #multiHolds = new Map<string, Known<MultiHoldRecord>>()
  readonly #claims = new Map<string, number>()
  readonly #keys = new Map<string, number>()
  readonly #most: number
  #projected = 0

  /** @param most - how many are remembered of those that the tables have */
  constructor(most: number = MAX_REMEMBERED) {
    this.#most = most
  }

  head(stream: string): StreamHead | undefined {
    return this.#heads.get(stream)?.value
  }

  account(id: AccountId): Account | undefined {
    return this.#accounts.get(id)?.value
  }

  /** Whether an account is known to be empty and open because it was never written. */
  isAbsent(id: AccountId): boolean {
    return this.#absent.has(id)
  }

  /** A hold that the tables do not have in its present state. */
  hold(id: string): HoldRecord | undefined {
    return this.#holds.get(id)?.value
  }

  /** A multi-hold that the tables do not have in its present state. */
  multiHold(id: string): MultiHoldRecord | undefined {
    return this.#multiHolds.get(id)?.value
  }

  /** Whether a name was claimed, and the tables do not have it yet. */
  isClaimed(name: string): boolean {
    return this.#claims.has(name)
  }

  /** Whether a key has an answer that the tables do not have yet. */
  isAnswered(key: string): boolean {
    return this.#keys.has(key)
  }

  /** Takes over the state that a group leaves. Its last event has this sequence. */
  remember({ answers, book, claims, heads }: Left, seq: number): void {
    for (const [stream, value] of heads) this.#heads.set(stream, { value, seq })
    for (const id of book.changedAccounts) {
      this.#accounts.set(id, { value: book.account(id), seq })
      this.#absent.delete(id)
    }
    for (const id of book.changedHolds) {
      const value = book.holds.get(id)
      if (value !== undefined) this.#holds.set(id, { value, seq })
    }
    for (const id of book.changedMultiHolds) {
      const value = book.multiHolds.get(id)
      if (value !== undefined) this.#multiHolds.set(id, { value, seq })
    }
    for (const name of claims.keys()) this.#claims.set(name, seq)
    for (const { key } of answers) this.#keys.set(key, seq)
    if (this.#heads.size > this.#most) evict(this.#heads, this.#projected)
    if (this.#accounts.size > this.#most) evict(this.#accounts, this.#projected)
    if (this.#absent.size > this.#most) this.#absent.clear()
  }

  /** Takes over state that was read from the tables because it was unknown here. */
  recall(
    heads: Iterable<StreamHead & { readonly id: string }>,
    accounts: Iterable<Account>,
    absent: Iterable<AccountId> = []
  ): void {
    for (const { hash, id, version } of heads) this.#heads.set(id, { value: { version, hash }, seq: 0 })
    for (const account of accounts) this.#accounts.set(account.id, { value: account, seq: 0 })
    for (const id of absent) this.#absent.add(id)
  }

  /** The tables have what these groups leave, up to this sequence. */
  project(groups: Iterable<Left>, seq: number): void {
    this.#projected = seq
    for (const { answers, book, claims } of groups) {
      for (const id of book.changedHolds) release(this.#holds, id, seq)
      for (const id of book.changedMultiHolds) release(this.#multiHolds, id, seq)
      for (const name of claims.keys()) if ((this.#claims.get(name) ?? 0) <= seq) this.#claims.delete(name)
      for (const { key } of answers) if ((this.#keys.get(key) ?? 0) <= seq) this.#keys.delete(key)
    }
  }

  /** Forgets everything except what these groups leave, in their order, each with its last sequence. */
  rebuild(groups: Iterable<readonly [Left, number]>): void {
    this.#heads.clear()
    this.#accounts.clear()
    this.#absent.clear()
    this.#holds.clear()
    this.#multiHolds.clear()
    this.#claims.clear()
    this.#keys.clear()
    for (const [left, seq] of groups) this.remember(left, seq)
  }
}

const release = <K, V>(known: Map<K, Known<V>>, key: K, projected: number): void => {
  if ((known.get(key)?.seq ?? 0) <= projected) known.delete(key)
}

/** Forgets what the tables have. */
const evict = <K, V>(known: Map<K, Known<V>>, projected: number): void => {
  for (const [key, { seq }] of known) if (seq <= projected) known.delete(key)
}
