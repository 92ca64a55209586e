import { Effect, Result } from "effect"
import type { ArenaEvent } from "../../engine/arena/ArenaEvent.ts"
import { decodeArenaEvent } from "../../engine/arena/ArenaEvent.ts"
import type { Median } from "../../engine/arena/Median.ts"
import { evolve, opened, type OrderState, orderStream, VAULT } from "../../engine/arena/Order.ts"
import { type OrderTerms } from "../../engine/arena/OrderTerms.ts"
import { nextStep, openOrder, type OrderFacts } from "../../engine/arena/OrderLifecycle.ts"
import { decideSubmission, refusedByLedger, type Submission } from "../../engine/arena/Submission.ts"
import { type AccountId, accountParts } from "../../engine/ledger/Account.ts"
import { type Amount, fromUnits } from "../../engine/money/Amount.ts"
import { tieHash, TIE_KEY, NO_MACHINES } from "./ArenaArbitraries.ts"
import { MemoryJournal } from "./MemoryJournal.ts"
import { naiveRefusals } from "./NaiveArena.ts"

export const YIELD_SOURCE: AccountId = "platform/USD/yield_source"
export const INSURANCE: AccountId = "platform/USD/insurance"

/** Money that was there when the order opened. */
export type Purses = Readonly<Partial<Record<AccountId, Amount>>>

/** What collateral earns in the world of the tests: its ten-millionth part a millisecond, rounded down. */
export const accrued = (collateral: Amount, from: number, to: number): Amount =>
  fromUnits((collateral * BigInt(to - from)) / 10_000_000n)

/** Nine steps are more than an order can ever have due. */
const MAX_STEPS = 9

/** One order, its ledger and the world round it, driven by hand as its actor drives it. */
export class ArenaWorld {
  readonly terms: OrderTerms
  readonly purses: Purses
  readonly machineOwners: ReadonlySet<string>
  readonly journal: MemoryJournal<ArenaEvent>
  readonly medians: Array<Median> = []
  state: OrderState
  now: number
  breakerOpen = false
  haltedAtExpiry = false
  settlementsHalted = false

  constructor(terms: OrderTerms, purses: Purses, machineOwners: Iterable<string> = []) {
    this.terms = terms
    this.purses = purses
    this.machineOwners = new Set(machineOwners)
    this.now = terms.openedAt
    this.journal = new MemoryJournal(decodeArenaEvent)
    for (const [account, amount] of Object.entries(purses) as Array<[AccountId, Amount]>) {
      const from: AccountId = `platform/${accountParts(account).asset}/custody`
      if (amount > 0n) {
        Result.getOrThrow(
          this.journal.book.apply([
            { _tag: "Transfer", id: `mint/${account}`, from, to: account, amount, purpose: "mint" }
          ])
        )
      }
    }
    this.state = opened(terms)
    const [outcome] = this.#append([openOrder(terms)], 0)
    if (outcome?._tag !== "Accepted") throw new Error("the market maker cannot escrow the order")
  }

  get facts(): OrderFacts {
    return {
      now: this.now,
      medians: this.medians.filter(({ at }) => at >= this.terms.expiryAt),
      haltedAtExpiry: this.haltedAtExpiry,
      settlementsHalted: this.settlementsHalted,
      machineOwners: this.machineOwners,
      rule: "weighted",
      register: NO_MACHINES,
      tieKey: TIE_KEY,
      tieHash,
      accrued
    }
  }

  /** Decides and writes submissions in one batch; answers what each must have been told, and what it was told. */
  commit(asked: ReadonlyArray<Submission>): ReadonlyArray<{ readonly expected: string; readonly told: string }> {
    const expected = this.#foretell(asked)
    const halt = this.breakerOpen ? ({ scope: "global", retryAfterSeconds: 1 } as const) : null
    const earlier = new Map<string, number>()
    let all = 0
    const decisions = asked.map((one, index) => {
      const { owner } = one.trader
      const own = earlier.get(owner) ?? 0
      const ordinal = this.state.lastOrdinal + 1 + index
      const decided = decideSubmission(this.state, one, this.now, halt, ordinal, { own, all })
      if (Result.isSuccess(decided)) {
        earlier.set(owner, own + 1)
        all += 1
      }
      return decided
    })
    const entries = decisions.flatMap((decided) => (Result.isSuccess(decided) ? [decided.success] : []))
    const outcomes = [...this.#append(entries, this.state.version)]
    const told = decisions.map((decided) => {
      if (Result.isFailure(decided)) return decided.failure._tag
      const outcome = outcomes.shift()!
      if (outcome._tag === "Accepted") {
        evolve(this.state, outcome.recorded.event)
        return "accepted"
      }
      return refusedByLedger(decided.success.event.commitment, outcome.error)?._tag ?? outcome.error._tag
    })
    return told.map((each, index) => ({ expected: expected[index]!, told: each }))
  }

  /** Time passes, without the order's timer. The breaker's state at expiry is remembered. */
  pass(millis: number): void {
    const before = this.now
    this.now += millis
    if (before < this.terms.expiryAt && this.now >= this.terms.expiryAt) this.haltedAtExpiry = this.breakerOpen
  }

  quote(price: Amount, safe: boolean): void {
    this.medians.push({ asset: this.terms.asset, at: this.now, price, safe })
  }

  /** The order's timer: takes every step that is due, in a row, and looks after each. */
  tick(look: () => void = () => {}): ReadonlyArray<ArenaEvent> {
    const taken: Array<ArenaEvent> = []
    for (let entry = nextStep(this.state, this.facts); entry !== undefined; entry = nextStep(this.state, this.facts)) {
      const [outcome] = this.#append([entry], this.state.version)
      if (outcome?._tag !== "Accepted") throw new Error(`the ledger refused ${entry.event._tag}`)
      evolve(this.state, entry.event)
      taken.push(entry.event)
      look()
      if (taken.length > MAX_STEPS) throw new Error("the order never comes to rest")
    }
    return taken
  }

  /** The vault takes no new deposits, or takes them again. */
  closeVault(closed: boolean): void {
    this.journal.book.accounts.set(VAULT, { ...this.journal.book.account(VAULT), closed })
  }

  /** Forgets the state and rebuilds it from the recorded bytes. */
  restart(): void {
    const [, ...later] = this.journal.history(orderStream(this.terms.orderId))
    const rebuilt = opened(this.terms)
    for (const event of later) evolve(rebuilt, event)
    this.state = rebuilt
  }

  #append(entries: Parameters<MemoryJournal<ArenaEvent>["append"]>[0]["entries"], version: number) {
    return Effect.runSync(this.journal.append({ stream: orderStream(this.terms.orderId), version, entries }))
  }

  /** What the batch must be told, from purses and accepted collateral alone. */
  #foretell(asked: ReadonlyArray<Submission>): ReadonlyArray<string> {
    const accepted = [...this.state.commitments.values()].map(({ trader, collateral }) => ({ trader, collateral }))
    return asked.map((one) => {
      const spent = (account: AccountId) =>
        accepted
          .filter(({ trader }) => trader.account === account || trader.allowance === account)
          .reduce((sum, { collateral }) => sum + collateral, 0n)
      const left = (account: AccountId) => (this.purses[account] ?? 0n) - spent(account)
      const { account, allowance, owner } = one.trader
      const [refusal] = naiveRefusals(
        {
          terms: this.terms,
          status: this.state.status,
          halted: this.breakerOpen,
          now: this.now,
          earlier: accepted.filter(({ trader }) => trader.owner === owner).length,
          vaultClosed: this.journal.book.account(VAULT).closed,
          available: left(account),
          allowance: allowance === null ? null : left(allowance)
        },
        one
      )
      if (refusal !== undefined) return refusal
      const value = this.terms.entryPrice * one.quantity * 381n
      accepted.push({ trader: one.trader, collateral: fromUnits((value + 9_999_999_999n) / 10_000_000_000n) })
      return "accepted"
    })
  }
}
