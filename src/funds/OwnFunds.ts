import { Clock, Context, Effect, Layer } from "effect"
import { type Account, type AccountId, accountParts } from "../../engine/ledger/Account.ts"
import type { ChangedAccounts } from "../../engine/journal/GroupWriter.ts"
import { walletOf } from "../../engine/ledger/Funding.ts"
import { openedFunds } from "../../engine/replay/FundOpening.ts"
import { MAX_LIMIT, type Page } from "../api/Paging.ts"
import type { Unavailable } from "../database/DatabaseError.ts"
import * as Keyset from "../database/Keyset.ts"
import { UnitOfWork } from "../database/UnitOfWork.ts"
import { Readings } from "../Readings.ts"
import { SpreadAges } from "../SpreadAges.ts"
import type { Fund } from "./Fund.ts"
import { type FundPage, FundsRepository } from "./FundsRepository.ts"

/** Funds that are kept, and their owners. Those that were asked for longest ago make room. */
export const MAX_KEPT_FUNDS = 50_000

/** Milliseconds that funds are kept after they were read: a change that nobody reported stays unseen for so long at most. */
export const MAX_AGE = 10_000

/** Accounts of an owner that may change while its funds are read. With more of them they are not kept. */
export const MAX_MISSED = 1_000

/** The funds of an owner, oldest first, by their accounts. */
interface Kept {
  readonly funds: Map<AccountId, Fund>
  /** From when on they are read again, in milliseconds since 1970. */
  readonly until: number
}

/** Funds that are being read. */
interface Reading {
  readonly missed: Map<AccountId, Account>
  /** Wallets that must be among them. */
  readonly opened: Set<AccountId>
  isOutdated: boolean
}

const accountOf = ({ asset, owner }: Fund): AccountId => walletOf(owner, asset)

/** Funds in memory, by owner: read once, and then told of every change of an account. */
export class KeptFunds {
  readonly #maxFunds: number
  readonly #isCertain: () => boolean
  /** The owner that was asked for last is the last. */
  readonly #kept = new Map<string, Kept>()
  readonly #ages = new SpreadAges(MAX_AGE)
  readonly #owners = new Map<AccountId, string>()
  readonly #readings = new Readings<Reading>()

  /** @param isCertain - whether all changes were reported. While they were not, nothing is found or kept. */
  constructor(isCertain: () => boolean, maxFunds = MAX_KEPT_FUNDS) {
    this.#isCertain = isCertain
    this.#maxFunds = maxFunds
  }

  /** How many funds there are. */
  get size(): number {
    return this.#owners.size
  }

  /** All funds of an owner, at `now` in milliseconds since 1970; undefined where they are not kept. */
  find(owner: string, now: number): ReadonlyArray<Fund> | undefined {
    const kept = this.#kept.get(owner)
    if (kept === undefined || !this.#isCertain()) return undefined
    if (now >= kept.until) return void this.#drop(owner)
    this.#kept.delete(owner)
    this.#kept.set(owner, kept)
    return [...kept.funds.values()]
  }

  /**
   * Reads funds of an owner, and keeps them where they are all.
   *
   * @param read - begins after this is called, sees every change that was reported before, and none that is reported
   * after it ended
   */
  read<E, R>(owner: string, read: Effect.Effect<FundPage, E, R>): Effect.Effect<FundPage, E, R> {
    return Effect.flatMap(Clock.currentTimeMillis, (at) =>
      this.#readings.run(
        owner,
        (): Reading => ({ missed: new Map(), opened: new Set(), isOutdated: false }),
        read,
        (page, reading) => this.#keep(owner, page, reading, at)
      )
    )
  }

  /** Reports accounts as they are now, before anybody else hears of it. */
  change(changed: ChangedAccounts): void {
    for (const id of changed.changedAccounts) {
      if (this.#readings.size > 0) {
        for (const reading of this.#readings.of(accountParts(id).owner)) miss(reading, changed.account(id))
      }
      const owner = this.#owners.get(id)
      const funds = owner === undefined ? undefined : this.#kept.get(owner)?.funds
      const fund = funds?.get(id)
      if (fund === undefined) continue
      const { balance, held } = changed.account(id)
      funds?.set(id, { ...fund, balance, held })
    }
  }

  /** Reports that an owner has an asset, perhaps for the first time. */
  open(owner: string, asset: string): void {
    const wallet = walletOf(owner, asset)
    for (const { opened } of this.#readings.of(owner)) opened.add(wallet)
    if (!this.#owners.has(wallet)) this.#drop(owner)
  }

  #keep(owner: string, { funds, total }: FundPage, { isOutdated, missed, opened }: Reading, at: number): void {
    if (isOutdated || funds.length < total || !this.#isCertain()) return
    if (!opened.isSubsetOf(new Set(funds.map(accountOf)))) return
    this.#drop(owner)
    const kept: Kept = { funds: new Map(), until: at + this.#ages.next() }
    this.#kept.set(owner, kept)
    for (const fund of funds) {
      const id = accountOf(fund)
      const { balance, held } = missed.get(id) ?? fund
      kept.funds.set(id, { ...fund, balance, held })
      this.#owners.set(id, owner)
    }
    for (const oldest of this.#kept.keys()) {
      if (this.#owners.size + this.#kept.size <= this.#maxFunds) break
      this.#drop(oldest)
    }
  }

  #drop(owner: string): void {
    for (const id of this.#kept.get(owner)?.funds.keys() ?? []) this.#owners.delete(id)
    this.#kept.delete(owner)
  }
}

const miss = (reading: Reading, account: Account): void => {
  if (reading.missed.size < MAX_MISSED) reading.missed.set(account.id, account)
  else reading.isOutdated = true
}

/**
 * An owner's funds, in memory once somebody has asked for them: who looks at a balance right after a commitment or a transfer
 * waits for no table.
 */
export class OwnFunds extends Context.Service<
  OwnFunds,
  {
    /** The funds of an owner, in the order of their creation. */
    readonly list: (owner: string, page: Page) => Effect.Effect<FundPage, Unavailable | Keyset.UnknownCursor>
    /** One of them by its id; undefined where the owner has no such fund. */
    readonly find: (owner: string, id: string) => Effect.Effect<Fund | undefined, Unavailable>
  }
>()("emporion/funds/OwnFunds") {
  static readonly layer = Layer.effect(
    this,
    Effect.gen(function* () {
      const repository = yield* FundsRepository
      const { isCertain, onCommit } = yield* UnitOfWork
      const kept = new KeptFunds(isCertain)
      yield* onCommit((recorded, changed) => {
        for (const { event } of recorded) for (const { asset, owner } of openedFunds(event)) kept.open(owner, asset)
        kept.change(changed)
      })

      /** All of an owner, where they are not too many. */
      const all = Effect.fnUntraced(function* (owner: string) {
        const found = kept.find(owner, yield* Clock.currentTimeMillis)
        if (found !== undefined) return found
        const whole = { limit: MAX_LIMIT, offset: 0 }
        const { funds, total } = yield* Effect.catchTag(
          kept.read(owner, repository.list(owner, whole)),
          "UnknownCursor",
          Effect.die
        )
        return funds.length < total ? undefined : funds
      })

      return OwnFunds.of({
        list: Effect.fnUntraced(function* (owner, page) {
          const funds = yield* all(owner)
          if (funds === undefined) return yield* repository.list(owner, page)
          const { next, rows, total } = yield* Keyset.pageOf(funds, ({ id }) => id, page)
          return { funds: rows, total, next }
        }),
        find: Effect.fnUntraced(function* (owner, id) {
          const funds = yield* all(owner)
          if (funds !== undefined) return funds.find((fund) => fund.id === id)
          const fund = yield* repository.find(id)
          return fund?.owner === owner ? fund : undefined
        })
      })
    })
  )
}
