import { Effect, Result } from "effect"
import type { Entry } from "../../engine/actor/Journal.ts"
import { DEFAULT_MAKER_DISCOUNT } from "../../engine/arena/BidPricing.ts"
import type { ArenaError } from "../../engine/arena/ArenaError.ts"
import type { ArenaEvent, CommitmentSubmitted } from "../../engine/arena/ArenaEvent.ts"
import { decodeArenaEvent } from "../../engine/arena/ArenaEvent.ts"
import { ASSET_TYPES, type AssetType } from "../../engine/arena/AssetType.ts"
import * as Breaker from "../../engine/arena/CircuitBreaker.ts"
import { type FairnessRule, RECENT_ORDERS, type Turnout } from "../../engine/arena/Fairness.ts"
import { INSTRUMENTS } from "../../engine/arena/Instrument.ts"
import type { Median } from "../../engine/arena/Median.ts"
import { evolve, opened, type OrderState, orderStream } from "../../engine/arena/Order.ts"
import { type Maker, type OrderTerms } from "../../engine/arena/OrderTerms.ts"
import { nextStep, openOrder, type OrderFacts } from "../../engine/arena/OrderLifecycle.ts"
import { orderIdOf, orderPrice, orderTemplate } from "../../engine/arena/OrderTemplate.ts"
import { type PriceProblem, priceProblem } from "../../engine/arena/PriceBand.ts"
import {
  decideSubmission,
  type Halt,
  NOTHING_EARLIER,
  refusedByLedger,
  type Submission
} from "../../engine/arena/Submission.ts"
import { blendedApy, DEFAULT_STRATEGIES } from "../../engine/arena/VaultStrategy.ts"
import { accrual, begin, type Segments } from "../../engine/arena/YieldIndex.ts"
import type { Account } from "../../engine/ledger/Account.ts"
import type { LedgerError } from "../../engine/ledger/Book.ts"
import type { Command } from "../../engine/ledger/Command.ts"
import * as Funding from "../../engine/ledger/Funding.ts"
import { grantLossAllowance } from "../../engine/ledger/LossLimit.ts"
import type { Amount } from "../../engine/money/Amount.ts"
import type { OrderKeys } from "../../src/arena/OrderKeys.ts"
import { encodeEvent, GENESIS } from "../../engine/actor/EventChain.ts"
import { link } from "../../src/database/ChainLink.ts"
import { dailyRates } from "./DailyRates.ts"
import { MemoryJournal } from "./MemoryJournal.ts"

/** Times in seconds, as the settings have them. */
export interface ArenaTimes {
  readonly slot: number
  readonly window: number
  readonly delay: number
}

interface ModelMachine {
  readonly id: string
  readonly agentId: string
  readonly owner: string
  readonly userId: string
  readonly address: string
  readonly capabilities: ReadonlyArray<AssetType>
  readonly activeFrom: number
}

interface Parts {
  readonly keys: OrderKeys["Service"]
  readonly maker: Maker
  readonly rule: FairnessRule
  readonly times: ArenaTimes
  /** When the vault began, in milliseconds since 1970. */
  readonly startedAt: number
}

/** What became of a submission: its event with its place in the order's chain, or why it was refused. */
export type Decision =
  | { readonly _tag: "Accepted"; readonly event: CommitmentSubmitted; readonly version: number; readonly hash: string }
  | { readonly _tag: "Refused"; readonly error: ArenaError }

/** Orders that other slots than the first ones can have due at once. */
const MAX_STEPS = 9

/**
 * The whole arena on the pure engine: one thing after the other, in memory, without actors, batches, SQL or HTTP.
 * What it decides is what the program must.
 */
export class ArenaModel {
  readonly journal = new MemoryJournal<ArenaEvent>(decodeArenaEvent)
  readonly orders = new Map<string, OrderState>()
  readonly machines: Array<ModelMachine> = []
  readonly transitions: Array<Breaker.Transition> = []
  /** What the orders' yields came to, all shares together. */
  generated = 0n
  readonly #parts: Parts
  readonly #medians = new Map<string, Array<Median>>()
  readonly #hashes = new Map<string, Uint8Array>()
  readonly #segments: Segments
  #breakers: Breaker.Breakers = Breaker.initial
  /** The assets that had a price since the last start. */
  readonly #priced = new Set<string>()
  #funded = 0

  constructor(parts: Parts) {
    this.#parts = parts
    this.#segments = begin(parts.startedAt, blendedApy(DEFAULT_STRATEGIES, "sandbox"))
  }

  /** Begins with the money that is there. */
  begin(accounts: Iterable<Account>): void {
    for (const account of accounts) this.journal.book.accounts.set(account.id, account)
  }

  /** Money that comes in by a command of its own. */
  fund(...commands: ReadonlyArray<Command>): LedgerError | undefined {
    const applied = this.journal.book.apply(commands)
    return Result.isFailure(applied) ? applied.failure : undefined
  }

  /** Adds to an owner's fund of USD within what it may mint, which is granted at the first time. */
  mint(owner: string, amount: Amount): LedgerError | undefined {
    this.#funded += 1
    const allowance = Funding.mintAllowanceOf(owner, "USD")
    const grant = this.journal.book.accounts.has(allowance) ? [] : [Funding.grantMintAllowance(owner, "USD")]
    return this.fund(
      ...grant,
      ...Funding.mintWithinAllowance({ id: String(this.#funded), owner, asset: "USD", amount })
    )
  }

  register(machine: ModelMachine, allowance: Amount): void {
    this.machines.push(machine)
    this.fund(grantLossAllowance(machine.id, allowance))
  }

  /** One round of the agent. */
  tick(now: number, prices: ReadonlyMap<string, Amount>): void {
    const step = Breaker.check(this.#breakers, this.#record(now, prices), now)
    this.#breakers = step.breakers
    this.transitions.push(...step.transitions)
    const slot = Math.floor(now / (this.#parts.times.slot * 1_000))
    for (const assetType of ASSET_TYPES) this.#open(slot, assetType, now)
    for (const order of this.orders.values()) this.#advance(order, now)
  }

  /** A restart forgets the runs of clean checks and what had a price, and nothing else. */
  restart(): void {
    this.#priced.clear()
    this.#breakers = Breaker.replay(this.transitions)
  }

  halt(scope: Breaker.BreakerScope, now: number): Halt | null {
    if (!Breaker.isOpen(this.#breakers, scope)) return null
    return {
      scope: scope === "global" ? "global" : "asset_type",
      retryAfterSeconds: Breaker.retryAfterSeconds(this.#breakers, scope, now)
    }
  }

  /** Decides one submission; undefined where there is no such order. */
  submit(orderId: string, submission: Submission, now: number): Decision | undefined {
    const order = this.orders.get(orderId)
    if (order === undefined) return undefined
    const halt = this.halt("global", now) ?? this.halt(order.terms.assetType, now)
    const decided = decideSubmission(order, submission, now, halt, order.lastOrdinal + 1, NOTHING_EARLIER)
    if (Result.isFailure(decided)) return { _tag: "Refused", error: decided.failure }
    const { event } = decided.success
    const refused = this.#append(order, decided.success)
    if (refused === undefined) {
      const hash = Buffer.from(this.#hashes.get(orderId) ?? GENESIS).toString("hex")
      return { _tag: "Accepted", event, version: order.version, hash }
    }
    const error = refusedByLedger(event.commitment, refused)
    if (error === undefined) throw new Error(`the ledger refused a submission with ${refused._tag}`)
    return { _tag: "Refused", error }
  }

  /** The events of an order, as they are recorded. */
  events(orderId: string): ReadonlyArray<ArenaEvent> {
    return this.journal.history(orderStream(orderId))
  }

  #record(now: number, prices: ReadonlyMap<string, Amount>): ReadonlyArray<Breaker.Problem> {
    const problems: Array<Breaker.Problem> = []
    const miss = (scope: AssetType, reason: PriceProblem) => {
      problems.push({ scope, reason })
      if (scope === "commodity") problems.push({ scope: "options", reason })
    }
    for (const scope of new Set(INSTRUMENTS.map(({ assetType }) => assetType))) {
      if (!INSTRUMENTS.some(({ asset, assetType }) => assetType === scope && prices.has(asset))) {
        miss(scope, "missing_price")
      }
    }
    for (const { asset, assetType } of INSTRUMENTS) {
      if (prices.has(asset)) this.#priced.add(asset)
      const recorded = this.#medians.get(asset) ?? []
      const price = prices.get(asset)
      const newest = price === undefined ? recorded.at(-1) : { at: now, price }
      const problem = priceProblem(newest, { type: assetType, recorded, freshFor: 0 }, now)
      if (price !== undefined && recorded.at(-1)?.at !== now) {
        this.#medians.set(asset, [...recorded, { asset, at: now, price, safe: problem === undefined }])
      }
      if (problem !== undefined && this.#priced.has(asset)) miss(assetType, problem)
    }
    return problems
  }

  #open(slot: number, assetType: AssetType, now: number): void {
    const { keys, maker, times } = this.#parts
    if (this.orders.has(orderIdOf(keys.hash, slot, assetType))) return
    if (this.halt("global", now) !== null || this.halt(assetType, now) !== null) return
    const newest = [...this.#medians].flatMap(([asset, medians]): ReadonlyArray<[string, Median]> => {
      const last = medians.at(-1)
      return last?.at === now ? [[asset, last]] : []
    })
    const template = orderTemplate({
      hash: keys.hash,
      slot,
      assetType,
      openedAt: now,
      medians: new Map(newest),
      history: dailyRates
    })
    if (template === undefined) return
    const expiryAt = now + times.window * 1_000
    const terms = {
      ...template,
      openedAt: now,
      expiryAt,
      settlementAt: expiryAt + times.delay * 1_000,
      maker,
      tieKeyHash: keys.tieKeyHash(template.orderId),
      makerDiscount: DEFAULT_MAKER_DISCOUNT
    }
    const order = opened(terms)
    if (this.#write(order, 0, openOrder(terms)) === undefined) this.orders.set(terms.orderId, order)
  }

  #advance(order: OrderState, now: number): void {
    for (let taken = 0; taken < MAX_STEPS; taken++) {
      const step = nextStep(order, this.#facts(order, now))
      if (step === undefined) return
      const refused = this.#append(order, step)
      if (refused !== undefined) throw new Error(`the ledger refused ${step.event._tag} with ${refused._tag}`)
    }
    throw new Error("an order never comes to rest")
  }

  #facts({ commitments, terms }: OrderState, now: number): OrderFacts {
    const { keys, rule } = this.#parts
    const capable = this.machines.filter(({ capabilities }) => capabilities.includes(terms.assetType))
    const tieKey = keys.tieKey(terms.orderId)
    return {
      now,
      medians: (this.#medians.get(terms.asset) ?? [])
        .filter(({ at }) => at >= terms.expiryAt)
        .map((median) => ({ ...median, price: orderPrice(terms, median) })),
      haltedAtExpiry: Breaker.wasHalted(this.transitions, terms.assetType, terms.expiryAt),
      settlementsHalted: false,
      machineOwners: new Set(capable.filter(({ activeFrom }) => activeFrom < terms.expiryAt).map(({ owner }) => owner)),
      rule,
      register: {
        assetType: terms.assetType,
        capable: capable.length,
        committed: new Set([...commitments.values()].flatMap(({ trader }) => trader.botId ?? [])).size,
        turnout: this.#parts.rule === "turnout" ? this.#turnout(terms, capable) : new Map()
      },
      tieKey,
      tieHash: (owner) => keys.tieHash(tieKey, owner),
      accrued: accrual(this.#segments)
    }
  }

  #turnout({ assetType, expiryAt }: OrderTerms, capable: ReadonlyArray<ModelMachine>): ReadonlyMap<string, Turnout> {
    const recent = [...this.orders.values()]
      .filter(({ terms }) => terms.assetType === assetType && terms.expiryAt <= expiryAt)
      .toSorted((one, other) => other.terms.openedAt - one.terms.openedAt)
      .slice(0, RECENT_ORDERS)
    const turnout = (owner: string): Turnout => {
      const machines = capable.filter((machine) => machine.owner === owner)
      const open = recent.filter(({ terms }) => machines.some(({ activeFrom }) => activeFrom < terms.expiryAt))
      const committed = open.filter(({ commitments }) =>
        [...commitments.values()].some(({ trader }) => trader.owner === owner && trader.botId !== null)
      )
      return { orders: open.length, committed: committed.length }
    }
    return new Map(capable.map(({ owner }) => [owner, turnout(owner)]))
  }

  #append(order: OrderState, entry: Entry<ArenaEvent>): LedgerError | undefined {
    const refused = this.#write(order, order.version, entry)
    if (refused === undefined) evolve(order, entry.event)
    return refused
  }

  #write({ terms }: OrderState, version: number, entry: Entry<ArenaEvent>): LedgerError | undefined {
    const { event } = entry
    const batch = { stream: orderStream(terms.orderId), version, entries: [entry] }
    const [outcome] = Effect.runSync(this.journal.append(batch))
    if (outcome?._tag !== "Accepted") return outcome?.error
    this.#hashes.set(terms.orderId, link(this.#hashes.get(terms.orderId) ?? GENESIS, encodeEvent(event)))
    if (event._tag === "WinnerChosen" || event._tag === "OrderSettled" || event._tag === "OrderVoided") {
      for (const { trader, insurance, platform, tokenHolders } of event.yields) {
        this.generated += trader + insurance + platform + tokenHolders
      }
    }
    return undefined
  }
}

/** What the vault holds, active and won commitments together. */
export const lockedIn = (model: ArenaModel): { readonly count: number; readonly collateral: bigint } => {
  const locked = [...model.orders.values()].flatMap(({ commitments }) =>
    [...commitments.values()].filter(({ status }) => status === "active" || status === "won")
  )
  return { count: locked.length, collateral: locked.reduce((sum, { collateral }) => sum + collateral, 0n) }
}
