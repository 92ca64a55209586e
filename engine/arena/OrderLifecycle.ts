/** The steps of an order after its expiry: the choice, the settlement, and what makes it void. */

import type { Entry } from "../actor/Journal.ts"
import { accountId, type AccountId, PLATFORM } from "../ledger/Account.ts"
import type { Command } from "../ledger/Command.ts"
import { type Amount, fromUnits, ZERO } from "../money/Amount.ts"
import { collateralOf } from "./Collateral.ts"
import type {
  ArenaEvent,
  Choice,
  CommitmentYield,
  OrderSettled,
  OrderVoided,
  VoidReason,
  WinnerChosen
} from "./ArenaEvent.ts"
import { allowanceHold, collateralHold, type Commitment } from "./Commitment.ts"
import type { FairnessOutcome, FairnessRule, MachineRegister } from "./Fairness.ts"
import type { Median } from "./Median.ts"
import { escrowHold, type OrderState, VAULT } from "./Order.ts"
import { type OrderTerms } from "./OrderTerms.ts"
import { exitPrice, isFinal, profitOf, referenceMedian, SETTLEMENT_WAIT_MILLIS } from "./SettlementPrice.ts"
import { compete } from "./Winner.ts"
import { shareYield } from "./YieldShares.ts"

/** What an order must know of the world to take its next step. */
export interface OrderFacts {
  readonly now: number
  /** The recorded medians of what the order trades, at or after expiry, ascending in time. */
  readonly medians: ReadonlyArray<Median>
  /** Whether a breaker, global or of the asset type, was open at expiry. */
  readonly haltedAtExpiry: boolean
  /** Whether the ledger failed its own check: nothing settles until an operator resets it. */
  readonly settlementsHalted: boolean
  /** Owners that had an active machine of the asset type at any moment from opening to expiry. */
  readonly machineOwners: ReadonlySet<string>
  readonly rule: FairnessRule
  readonly register: MachineRegister
  readonly tieKey: string
  /** SHA-256(tie key ‖ owner) in hex. */
  readonly tieHash: (owner: string) => string
  /** What collateral earned between two times, in 10⁻⁶ USD, rounded down. */
  readonly accrued: (collateral: Amount, from: number, to: number) => Amount
}

const ALLOWANCE_CUSTODY: AccountId = accountId(PLATFORM, "USD-ALLOWANCE", "custody")
const YIELD_SOURCE: AccountId = accountId(PLATFORM, "USD", "yield_source")
const INSURANCE: AccountId = accountId(PLATFORM, "USD", "insurance")
const PLATFORM_SHARE: AccountId = accountId(PLATFORM, "USD", "platform")
const TOKEN_HOLDERS: AccountId = accountId(PLATFORM, "USD", "token_holders")

/** Opens an order and holds the market maker's escrow: the collateral of the full quantity. */
export const openOrder = (terms: OrderTerms): Entry<ArenaEvent> => ({
  commands: [
    {
      _tag: "Hold",
      id: escrowHold(terms.orderId, "offered"),
      account: terms.maker.account,
      into: VAULT,
      amount: collateralOrDie(terms)
    }
  ],
  event: { _tag: "OrderOpened", at: terms.openedAt, terms }
})

const collateralOrDie = (terms: OrderTerms): Amount => {
  const collateral = collateralOf(terms.entryPrice, terms.quantity)
  if (collateral._tag === "Failure") throw new RangeError(`order ${terms.orderId} is worth more than the bound`)
  return collateral.success
}

/**
 * The next step that is due, or undefined while there is none. Take steps until there is none: after a pause several
 * may be due at once.
 */
export const nextStep = (state: OrderState, facts: OrderFacts): Entry<ArenaEvent> | undefined => {
  if (facts.settlementsHalted) return undefined
  switch (state.status) {
    case "open":
    case "competing":
      return facts.now < state.terms.expiryAt ? undefined : closeStep(state, facts)
    case "settling":
      return state.choice === null ? choiceStep(state, facts) : settlementStep(state, state.choice, facts)
    case "settled":
      return undefined
  }
}

const closeStep = (state: OrderState, facts: OrderFacts): Entry<ArenaEvent> => {
  const { orderId } = state.terms
  if (state.commitments.size === 0) return unwon(state, facts)
  if (facts.haltedAtExpiry) return voided(state, facts, "breaker_open_at_expiry")
  return { commands: [], event: { _tag: "OrderClosed", at: facts.now, orderId } }
}

const choiceStep = (state: OrderState, facts: OrderFacts): Entry<ArenaEvent> | undefined => {
  const { expiryAt, settlementAt } = state.terms
  const reference = referenceMedian(facts.medians, expiryAt, settlementAt)
  if (reference !== undefined) return choose(state, facts, reference)
  return facts.now >= settlementAt ? voided(state, facts, "no_reference_price") : undefined
}

const settlementStep = (state: OrderState, choice: Choice, facts: OrderFacts): Entry<ArenaEvent> | undefined => {
  const { settlementAt } = state.terms
  if (choice.winner === null) return unwon(state, facts)
  if (isFinal(facts.medians, settlementAt)) return settle(state, choice, facts)
  return facts.now >= settlementAt + SETTLEMENT_WAIT_MILLIS ? voided(state, facts, "no_settlement_price") : undefined
}

/** What is recorded of the 3/4 rule; whom it excluded is each commitment's reason. */
const publicPart = ({ rule, machines, total, machineOwners }: FairnessOutcome): Choice["fairness"] => ({
  rule,
  machines,
  total,
  machineOwners
})

/**
 * The winner is won, all others are lost and released, and the maker's escrow is cut to the winner's collateral. What
 * remains is no new deposit: a vault that closed meanwhile does not stop the choice.
 */
const choose = (state: OrderState, facts: OrderFacts, reference: Median): Entry<WinnerChosen> => {
  const { orderId, maker } = state.terms
  const commitments = [...state.commitments.values()]
  const { winner, clearingPrice, ranking, fairness } = compete({
    terms: state.terms,
    reference: reference.price,
    commitments,
    machineOwners: facts.machineOwners,
    rule: facts.rule,
    register: facts.register,
    tieHash: facts.tieHash
  })
  const won = winner === null ? undefined : state.commitments.get(winner)
  const lost = commitments.filter(({ commitmentId }) => commitmentId !== winner)
  const releases = releaseAll(lost, facts)
  const sold: ReadonlyArray<Command> =
    won === undefined
      ? []
      : [
          {
            _tag: "Hold",
            id: escrowHold(orderId, "sold"),
            account: maker.account,
            into: maker.account,
            amount: won.collateral
          }
        ]
  return {
    commands: [{ _tag: "Release", hold: escrowHold(orderId, "offered") }, ...sold, ...releases.commands],
    event: {
      _tag: "WinnerChosen",
      at: facts.now,
      orderId,
      choice: {
        reference: reference.price,
        referenceAt: reference.at,
        winner,
        clearingPrice,
        ranking,
        fairness: publicPart(fairness)
      },
      yields: releases.yields
    }
  }
}

/** The winner's profit or loss is posted between it and the market maker. */
const settle = (state: OrderState, choice: Choice, facts: OrderFacts): Entry<OrderSettled> => {
  const { orderId, assetType, settlementAt, maker } = state.terms
  const won = choice.winner === null ? undefined : state.commitments.get(choice.winner)
  if (won === undefined || choice.clearingPrice === null)
    throw new RangeError(`order ${orderId} has no winner to settle`)
  const exit = exitPrice(won, facts.medians, choice.referenceAt, settlementAt)
  const profit = profitOf(won, choice.clearingPrice, exit.price)
  const commands = [...postProfit(won, profit, escrowHold(orderId, "sold"), maker.account)]
  const paid = payYield(won, facts, commands)
  const yields = paid === null ? [] : [paid]
  return {
    commands,
    event: {
      _tag: "OrderSettled",
      at: facts.now,
      orderId,
      assetType,
      winner: { commitmentId: won.commitmentId, address: won.trader.address },
      price: exit.price,
      takeProfit: exit.takeProfit,
      profit,
      yieldDistributed: distributed(state, yields),
      yields,
      tieKey: facts.tieKey
    }
  }
}

const postProfit = (won: Commitment, profit: Amount, escrow: string, maker: AccountId): ReadonlyArray<Command> => {
  const collateral = collateralHold(won.commitmentId)
  if (profit > 0n) {
    return [
      { _tag: "Capture", hold: escrow, to: won.trader.account, amount: profit, purpose: "settlement" },
      ...releaseHolds(won)
    ]
  }
  const freed: Command = { _tag: "Release", hold: escrow }
  if (profit === 0n) return [freed, ...releaseHolds(won)]
  const loss = fromUnits(-profit)
  const spent: ReadonlyArray<Command> =
    won.trader.allowance === null
      ? []
      : [
          {
            _tag: "Capture",
            hold: allowanceHold(won.commitmentId),
            to: ALLOWANCE_CUSTODY,
            amount: loss,
            purpose: "allowance"
          }
        ]
  return [freed, { _tag: "Capture", hold: collateral, to: maker, amount: loss, purpose: "settlement" }, ...spent]
}

/** The end of an order without commitments, or at whose choice nobody won. */
const unwon = (state: OrderState, facts: OrderFacts): Entry<OrderSettled> => ({
  commands: state.choice === null ? [{ _tag: "Release", hold: escrowHold(state.terms.orderId, "offered") }] : [],
  event: {
    _tag: "OrderSettled",
    at: facts.now,
    orderId: state.terms.orderId,
    assetType: state.terms.assetType,
    winner: null,
    price: null,
    takeProfit: false,
    profit: ZERO,
    yieldDistributed: distributed(state, []),
    yields: [],
    tieKey: facts.tieKey
  }
})

const voided = (state: OrderState, facts: OrderFacts, reason: VoidReason): Entry<OrderVoided> => {
  const { orderId, assetType } = state.terms
  const locked = [...state.commitments.values()].filter(({ status }) => status === "active" || status === "won")
  const releases = releaseAll(locked, facts)
  const escrow = escrowHold(orderId, state.choice === null ? "offered" : "sold")
  return {
    commands: [{ _tag: "Release", hold: escrow }, ...releases.commands],
    event: {
      _tag: "OrderVoided",
      at: facts.now,
      orderId,
      assetType,
      reason,
      yieldDistributed: distributed(state, releases.yields),
      yields: releases.yields,
      tieKey: facts.tieKey
    }
  }
}

const distributed = (state: OrderState, yields: ReadonlyArray<CommitmentYield>): Amount => {
  let sum = 0n
  for (const commitment of state.commitments.values()) sum += commitment.yieldEarned
  for (const { trader } of yields) sum += trader
  return fromUnits(sum)
}

const releaseHolds = (commitment: Commitment): ReadonlyArray<Command> => [
  { _tag: "Release", hold: collateralHold(commitment.commitmentId) },
  ...(commitment.trader.allowance === null
    ? []
    : [{ _tag: "Release" as const, hold: allowanceHold(commitment.commitmentId) }])
]

const releaseAll = (commitments: ReadonlyArray<Commitment>, facts: OrderFacts) => {
  const commands: Array<Command> = []
  const yields: Array<CommitmentYield> = []
  for (const commitment of commitments) {
    commands.push(...releaseHolds(commitment))
    const paid = payYield(commitment, facts, commands)
    if (paid !== null) yields.push(paid)
  }
  return { commands, yields }
}

/** Who pays a share: a settlement never waits on the vault, and what is missing becomes a receivable. */
const FROM_SOURCE: ReadonlyArray<AccountId> = [YIELD_SOURCE]

/** The trader's is out of insurance first. */
const FROM_SOURCE_OR_INSURANCE: ReadonlyArray<AccountId> = [YIELD_SOURCE, INSURANCE]

/** What collateral earned, if anything; the payments are put to the commands. */
const payYield = (commitment: Commitment, facts: OrderFacts, commands: Array<Command>): CommitmentYield | null => {
  const earned = facts.accrued(commitment.collateral, commitment.acceptedAt, facts.now)
  if (earned <= 0n) return null
  const shares = shareYield(earned)
  const { commitmentId, trader } = commitment
  const cover = (party: string, to: AccountId, amount: Amount, sources: ReadonlyArray<AccountId>): void => {
    if (amount === 0n) return
    commands.push({ _tag: "Cover", id: `yield/${party}/${commitmentId}`, sources, to, amount, purpose: "yield" })
  }
  cover("trader", trader.account, shares.trader, FROM_SOURCE_OR_INSURANCE)
  cover("insurance", INSURANCE, shares.insurance, FROM_SOURCE)
  cover("platform", PLATFORM_SHARE, shares.platform, FROM_SOURCE)
  cover("token_holders", TOKEN_HOLDERS, shares.tokenHolders, FROM_SOURCE)
  return { commitmentId, ...shares }
}
