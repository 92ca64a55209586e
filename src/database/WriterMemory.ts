import type { GroupResult, StreamHead } from "../../engine/actor/CommitGroup.ts"
import type { Account, AccountId } from "../../engine/ledger/Account.ts"

/** Accounts, and ends of streams, that are remembered; beyond it all are forgotten, and read again as they are needed. */
export const MAX_REMEMBERED = 100_000

/**
 * What the writer knows without reading: the ends of streams and the accounts as its own last transactions leave them.
 *
 * It is true as long as the writer is alone and its transactions commit. Each is written on the condition that the last
 * event is the one counted on: otherwise the transaction fails, and the writer forgets everything.
 */
export class WriterMemory {
  readonly #heads = new Map<string, StreamHead>()
  readonly #accounts = new Map<AccountId, Account>()
  /** Accounts that were looked for and have no row. */
  readonly #absent = new Set<AccountId>()

  head(stream: string): StreamHead | undefined {
    return this.#heads.get(stream)
  }

  account(id: AccountId): Account | undefined {
    return this.#accounts.get(id)
  }

  /** Whether an account is known to be empty and open, for it was never written. */
  isAbsent(id: AccountId): boolean {
    return this.#absent.has(id)
  }

  /** Takes over what a transaction leaves. */
  remember({ book, heads }: Pick<GroupResult<object>, "book" | "heads">): void {
    const { size } = this.#accounts
    if (this.#heads.size > MAX_REMEMBERED || size + this.#absent.size > MAX_REMEMBERED) this.forget()
    for (const [stream, head] of heads) this.#heads.set(stream, head)
    for (const id of book.changedAccounts) {
      this.#accounts.set(id, book.account(id))
      this.#absent.delete(id)
    }
  }

  /** Takes over what was read within the transaction that follows on what is remembered. */
  recall(
    heads: Iterable<StreamHead & { readonly id: string }>,
    accounts: Iterable<Account>,
    absent: Iterable<AccountId> = []
  ): void {
    for (const { hash, id, version } of heads) this.#heads.set(id, { version, hash })
    for (const account of accounts) this.#accounts.set(account.id, account)
    for (const id of absent) this.#absent.add(id)
  }

  forget(): void {
    this.#heads.clear()
    this.#accounts.clear()
    this.#absent.clear()
  }
}
