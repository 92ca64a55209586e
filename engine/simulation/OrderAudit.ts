import type { PlatformEvent } from "../replay/PlatformEvent.ts"
import type { CommitmentYield, OrderSettled, OrderVoided, WinnerChosen } from "../arena/ArenaEvent.ts"
import type { Commitment } from "../arena/Commitment.ts"
import type { OrderState } from "../arena/Order.ts"
import type { OrderTerms } from "../arena/OrderTerms.ts"
import type { AssetType } from "../arena/AssetType.ts"
import type { Command } from "../ledger/Command.ts"
import type { FairnessRule } from "../arena/Fairness.ts"
import type { BotAudit } from "./BotAudit.ts"
import { auditChoice } from "./ChoiceAudit.ts"
import { naiveTurnout, type NaiveTurnout } from "./FairnessAudit.ts"
import type { Report } from "./LedgerAudit.ts"
import {
  naiveCollateral,
  type NaiveCommitment,
  type NaiveOrder,
  readCommitment,
  readOrder,
  type Wire
} from "./NaiveOrder.ts"
import { auditSettlement, auditYields, paid, type YieldRange } from "./SettlementAudit.ts"
import type { WorldRecord } from "./WorldRecord.ts"

/** The machine traders that may trade. */
export interface NaiveMachines {
  /** Owners of one that was active for a type at any moment from one time to another. */
  readonly owners: (assetType: AssetType, from: number, to: number) => ReadonlySet<string>
  /** How many may trade a type now. */
  readonly capable: (assetType: AssetType) => number
}

/** What was known of machines when an order's actor last looked. */
interface Look {
  readonly owners: ReadonlySet<string>
  readonly capable: number
  readonly turnout: ReadonlyMap<string, NaiveTurnout>
}

export interface OrderAuditParts {
  readonly world: WorldRecord
  readonly machines: NaiveMachines
  readonly bots: BotAudit
  readonly rule: FairnessRule
  readonly tieHash: (tieKey: string, owner: string) => string
  readonly tieKey: (orderId: string) => string
  readonly yields: YieldRange
  /** How many commitments one owner may have on an order, and all together. */
  readonly limits: { readonly perOwner: number; readonly perOrder: number }
  readonly report: Report
}

const WAIT_MILLIS = 86_400_000

/** The orders told again from the bytes of their events, with what every account must hold because of them. */
export class OrderAudit {
  readonly #parts: OrderAuditParts
  readonly #orders = new Map<string, NaiveOrder>()
  readonly #held = new Map<string, bigint>()
  readonly #looks = new Map<string, Look>()

  constructor(parts: OrderAuditParts) {
    this.#parts = parts
  }

  /** What an account must hold for the commitments that are active or won, and for the maker's offers. */
  held(account: string): bigint {
    return this.#held.get(account) ?? 0n
  }

  order(orderId: string): NaiveOrder | undefined {
    return this.#orders.get(orderId)
  }

  /** An order's actor looks at the machines and, where the rule makes it, at the other orders. */
  looked(orderId: string): void {
    const order = this.#orders.get(orderId)
    if (order === undefined || order.choice !== null) return
    this.#looks.set(orderId, this.#look(order))
  }

  #look({ terms }: NaiveOrder): Look {
    const { rule, machines } = this.#parts
    const ownersOf = (of: NaiveOrder) => machines.owners(of.terms.assetType, of.terms.openedAt, of.terms.expiryAt)
    return {
      owners: machines.owners(terms.assetType, terms.openedAt, terms.expiryAt),
      capable: machines.capable(terms.assetType),
      turnout:
        rule === "turnout" ? naiveTurnout(this.#orders.values(), terms.assetType, terms.expiryAt, ownersOf) : new Map()
    }
  }

  event(event: Wire<PlatformEvent>, commands: ReadonlyArray<Command>): void {
    switch (event._tag) {
      case "OrderOpened":
        return this.#opened(event.terms)
      case "CommitmentSubmitted":
        return this.#submitted(event.commitment, event.at)
      case "OrderClosed":
        return this.#closed(event.orderId, event.at)
      case "WinnerChosen":
        return this.#chosen(event, commands)
      case "OrderSettled":
        return this.#settled(event, commands)
      case "OrderVoided":
        return this.#voided(event, commands)
      default:
    }
  }

  /** An actor's state must be the fold of its order's events. */
  actor(state: OrderState): void {
    const { orderId } = state.terms
    const order = this.#orders.get(orderId)
    const known = [...state.commitments.values()]
    const isSame =
      order !== undefined &&
      order.version === state.version &&
      order.status === state.status &&
      order.commitments.size === known.length &&
      (order.choice?.winner ?? null) === (state.choice?.winner ?? null) &&
      (order.choice?.clearing ?? null) === (state.choice?.clearingPrice ?? null) &&
      known.every((one) => isFold(order.commitments.get(one.commitmentId), one))
    if (!isSame) this.#parts.report("actor", `the actor of ${orderId} is not what its events make of it`)
  }

  /** Nobody commits to an order any more that ended long ago: its terms are enough. */
  retire(orderId: string): void {
    const order = this.#orders.get(orderId)
    order?.commitments.clear()
    order?.owners.clear()
    this.#looks.delete(orderId)
  }

  /** Every order must have come to its end. */
  end(): void {
    for (const { id, status } of this.#orders.values()) {
      if (status !== "settled") this.#parts.report("settles", `${id} is ${status} at the end`)
    }
    for (const [account, amount] of this.#held) {
      if (amount !== 0n) this.#parts.report("settles", `${account} still holds ${amount} at the end`)
    }
  }

  #hold(account: string | null, amount: bigint): void {
    if (account !== null) this.#held.set(account, this.held(account) + amount)
  }

  #release(one: NaiveCommitment): void {
    this.#hold(one.account, -one.collateral)
    this.#hold(one.allowance, -one.collateral)
    this.#parts.bots.released(one.bot, one.collateral, one.profit)
  }

  #opened(terms: Wire<OrderTerms>): void {
    if (this.#orders.has(terms.orderId)) this.#parts.report("status", `${terms.orderId} was opened before`)
    const order = readOrder(terms)
    this.#orders.set(order.id, order)
    this.#hold(terms.maker.account, naiveCollateral(order.entryPrice, order.quantity))
  }

  /** The order, one version further; its status may only be one of these. */
  #next(orderId: string, from: ReadonlyArray<NaiveOrder["status"]>, what: string): NaiveOrder | undefined {
    const order = this.#orders.get(orderId)
    if (order === undefined || !from.includes(order.status)) {
      this.#parts.report("status", `${orderId} is ${order?.status ?? "unknown"} and was ${what}`)
      return undefined
    }
    order.version += 1
    return order
  }

  #submitted(raw: Wire<Commitment>, at: number): void {
    const { limits, report } = this.#parts
    const order = this.#next(raw.orderId, ["open", "competing"], "committed to")
    if (order === undefined) return
    const one = readCommitment(raw)
    const { terms, entryPrice: entry } = order
    if (one.acceptedAt >= terms.expiryAt || one.acceptedAt < terms.openedAt || one.acceptedAt !== at) {
      report("acceptance", `${one.id} was accepted at ${at}, between ${terms.openedAt} and ${terms.expiryAt}`)
    }
    const proposed = BigInt(raw.proposedPrice)
    const slippage = BigInt(raw.slippage)
    const isInRange =
      proposed * 10n <= entry * 11n &&
      proposed * 10n >= entry * 9n &&
      one.limit >= entry &&
      one.exit > one.limit &&
      slippage >= 0n &&
      slippage <= 50_000n &&
      one.quantity > 0n &&
      one.quantity <= order.quantity &&
      one.collateral === naiveCollateral(entry, one.quantity)
    if (!isInRange) report("terms", `${one.id} was accepted with terms outside the rules`)
    if (one.owner === terms.maker.owner) report("terms", `${one.id} is the market maker's own`)
    const earlier = order.owners.get(one.owner) ?? 0
    if (earlier >= limits.perOwner) report("terms", `${one.owner} has too many commitments on ${order.id}`)
    if (order.commitments.size >= limits.perOrder) report("terms", `${order.id} has too many commitments`)
    if (one.ordinal <= order.lastOrdinal || order.commitments.has(one.id)) {
      report("terms", `${one.id} does not come after number ${order.lastOrdinal}`)
    }
    order.owners.set(one.owner, earlier + 1)
    order.lastOrdinal = one.ordinal
    order.status = "competing"
    order.commitments.set(one.id, one)
    this.#hold(one.account, one.collateral)
    this.#hold(one.allowance, one.collateral)
    this.#parts.bots.committed(raw)
  }

  #closed(orderId: string, at: number): void {
    const order = this.#next(orderId, ["competing"], "closed")
    if (order === undefined) return
    if (at < order.terms.expiryAt) this.#parts.report("status", `${orderId} closed before its expiry`)
    order.status = "settling"
  }

  #chosen(event: Wire<WinnerChosen>, commands: ReadonlyArray<Command>): void {
    const { world, rule, tieHash, tieKey, report } = this.#parts
    const order = this.#next(event.orderId, ["settling"], "decided")
    if (order === undefined) return
    const { choice } = event
    if (order.choice !== null) report("status", `${order.id} was decided twice`)
    const prices = world.prices(order, order.terms.expiryAt)
    const key = tieKey(order.id)
    const { owners: machineOwners, capable: machines, turnout } = this.#looks.get(order.id) ?? this.#look(order)
    const fairness = { rule, machines, turnout }
    auditChoice({ order, choice, prices, machineOwners, tieHash: (owner) => tieHash(key, owner), fairness }, report)
    order.choice = {
      winner: choice.winner,
      clearing: choice.clearingPrice === null ? null : BigInt(choice.clearingPrice),
      referenceAt: choice.referenceAt
    }
    this.#hold(order.terms.maker.account, -naiveCollateral(order.entryPrice, order.quantity))
    const released: Array<NaiveCommitment> = []
    const reasons = new Map(choice.ranking.map(({ commitmentId, reason }) => [commitmentId, reason]))
    for (const one of order.commitments.values()) {
      if (one.id === choice.winner) {
        one.status = "won"
        this.#hold(order.terms.maker.account, one.collateral)
        continue
      }
      one.status = "lost"
      one.reason = reasons.get(one.id) ?? null
      released.push(one)
      this.#release(one)
    }
    this.#earn(order, event.yields, released, event.at, commands)
  }

  #settled(event: Wire<OrderSettled>, commands: ReadonlyArray<Command>): void {
    const { world, report, tieKey } = this.#parts
    const order = this.#next(event.orderId, ["open", "settling"], "settled")
    if (order === undefined) return
    if (event.at < order.terms.expiryAt || (order.commitments.size > 0 && order.choice === null)) {
      report("status", `${order.id} settled too early`)
    }
    if (event.tieKey !== tieKey(order.id)) report("tie_key", `${order.id} publishes another tie key`)
    auditSettlement(order, event, world.prices(order, order.terms.expiryAt), commands, report)
    const winner = order.commitments.get(order.choice?.winner ?? "")
    if (order.choice === null) this.#hold(order.terms.maker.account, -naiveCollateral(order.entryPrice, order.quantity))
    if (winner !== undefined) {
      winner.status = "settled"
      winner.profit = BigInt(event.profit)
      this.#hold(order.terms.maker.account, -winner.collateral)
      this.#release(winner)
    }
    order.status = "settled"
    this.#earn(order, event.yields, winner === undefined ? [] : [winner], event.at, commands)
    this.#distributed(order, event.yieldDistributed)
  }

  /** The principal comes back: nothing is captured, and everything that was held is free. */
  #voided(event: Wire<OrderVoided>, commands: ReadonlyArray<Command>): void {
    const { report } = this.#parts
    const order = this.#next(event.orderId, ["competing", "settling"], "voided")
    if (order === undefined) return
    if (commands.some(({ _tag }) => _tag === "Capture")) report("void", `${order.id} is void and moves money`)
    if (!this.#mayVoid(order, event)) report("void", `${order.id} was voided by ${event.reason} for no reason`)
    const released: Array<NaiveCommitment> = []
    for (const one of order.commitments.values()) {
      if (one.status !== "active" && one.status !== "won") continue
      if (one.status === "active") one.reason = "void"
      if (one.status === "won") this.#hold(order.terms.maker.account, -one.collateral)
      one.status = one.status === "won" ? "settled" : "lost"
      released.push(one)
      this.#release(one)
    }
    if (order.choice === null) this.#hold(order.terms.maker.account, -naiveCollateral(order.entryPrice, order.quantity))
    order.status = "settled"
    this.#earn(order, event.yields, released, event.at, commands)
    this.#distributed(order, event.yieldDistributed)
  }

  #mayVoid(order: NaiveOrder, { reason, at }: Wire<OrderVoided>): boolean {
    const { world } = this.#parts
    const { expiryAt, settlementAt } = order.terms
    const safe = world.prices(order, expiryAt).filter((price) => price.safe)
    switch (reason) {
      case "breaker_open_at_expiry":
        return order.status === "competing" && at >= expiryAt && world.haltedAtExpiry(order)
      case "no_reference_price":
        return order.choice === null && at >= settlementAt && !safe.some((price) => price.at < settlementAt)
      case "no_settlement_price": {
        const until = settlementAt + WAIT_MILLIS
        const isFinal = safe.some((price) => price.at >= settlementAt && price.at < until)
        return order.commitments.has(order.choice?.winner ?? "") && at >= until && !isFinal
      }
    }
  }

  #earn(
    order: NaiveOrder,
    yields: ReadonlyArray<Wire<CommitmentYield>>,
    released: ReadonlyArray<NaiveCommitment>,
    at: number,
    commands: ReadonlyArray<Command>
  ): void {
    auditYields(order, yields, released, at, commands, this.#parts.yields, this.#parts.report)
    for (const { commitmentId, trader } of yields) {
      const one = order.commitments.get(commitmentId)
      if (one !== undefined) one.earned = BigInt(trader)
    }
    if (order.choice === null && paid(commands, order.terms.maker.account) !== 0n) {
      this.#parts.report("settlement", `${order.id} pays the maker before a choice`)
    }
  }

  #distributed(order: NaiveOrder, told: string): void {
    let sum = 0n
    for (const { earned } of order.commitments.values()) sum += earned
    if (sum !== BigInt(told)) this.#parts.report("yield", `${order.id} tells ${told} distributed, not ${sum}`)
  }
}

const isFold = (told: NaiveCommitment | undefined, one: Commitment): boolean =>
  told !== undefined &&
  told.status === one.status &&
  told.reason === one.reason &&
  told.profit === one.profit &&
  told.earned === one.yieldEarned &&
  told.collateral === one.collateral &&
  told.quantity === one.quantity &&
  told.acceptedAt === one.acceptedAt
