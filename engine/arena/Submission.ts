/** Decides a commitment to an order, or says which refusal comes first. */

import { Result } from "effect"
import type { Entry, Idempotency } from "../actor/Journal.ts"
import type { LedgerError } from "../ledger/Book.ts"
import type { Command } from "../ledger/Command.ts"
import { commitmentGateOf } from "../ledger/Funding.ts"
import { type Amount, ZERO } from "../money/Amount.ts"
import {
  AccessDenied,
  AlreadyCommitted,
  type ArenaError,
  CircuitBreakerOpen,
  CommitmentsHalted,
  InsufficientCollateral,
  InvalidTerms,
  LossLimitReached,
  MachineNotRegistered,
  OrderFull,
  OrderNotOpen,
  TooManyCommitments,
  VaultClosed,
  WindowClosed
} from "./ArenaError.ts"
import type { CommitmentSubmitted } from "./ArenaEvent.ts"
import { collateralOf } from "./Collateral.ts"
import { allowanceHold, collateralHold, type Commitment, limitPrice, type Trader } from "./Commitment.ts"
import { type OrderState, VAULT } from "./Order.ts"
import type { OrderTerms } from "./OrderTerms.ts"

/** How many commitments one owner may have on one order. */
export const MAX_COMMITMENTS_PER_OWNER = 1_000

/** How many commitments an order may have. Its choice or its void names each of them in one entry of the journal. */
export const MAX_COMMITMENTS_PER_ORDER = 20_000

/** How many commitments there may be: of one owner on one order, and on one order in all. */
export interface CommitmentLimits {
  readonly perOwner: number
  readonly perOrder: number
}

/** The limits that ship. */
export const COMMITMENT_LIMITS: CommitmentLimits = {
  perOwner: MAX_COMMITMENTS_PER_OWNER,
  perOrder: MAX_COMMITMENTS_PER_ORDER
}

/** The largest slippage tolerance: 0.05. */
export const MAX_SLIPPAGE = 50_000n as Amount

/** What a trader asks for. Specification 4.3, POST /api/arena/commitments. */
export interface Submission {
  readonly proposedPrice: Amount
  readonly exitPrice: Amount
  readonly quantity: Amount
  readonly slippage: Amount
  readonly swapExecutor: string
  readonly trader: Trader
  /** Set where the trader may not commit at all. */
  readonly barred: "suspended" | "machine_not_active" | null
  /** The decision of a bot that it carries out: sent again, it is refused. */
  readonly decisionId?: string | undefined
  readonly idempotency?: Idempotency | undefined
}

/** How many submissions of one batch were accepted before one of them. */
export interface Earlier {
  /** Of the same owner. */
  readonly own: number
  readonly all: number
}

/** What is earlier than the first of a batch. */
export const NOTHING_EARLIER: Earlier = { own: 0, all: 0 }

/** Whether trading is paused for an order of this asset type, and for how many seconds more at least. */
export interface Halt {
  readonly scope: "global" | "asset_type"
  readonly retryAfterSeconds: number
}

/**
 * Decides one submission at its time of arrival: the entry to write, or the first reason to refuse it.
 *
 * The ledger has the last word on money: see {@link refusedByLedger}. `ordinal` is above the state's `lastOrdinal` and
 * those given out since.
 */
export const decideSubmission = (
  state: OrderState,
  submission: Submission,
  at: number,
  halt: Halt | null,
  ordinal: number,
  earlier: Earlier,
  limits: CommitmentLimits = COMMITMENT_LIMITS
): Result.Result<Entry<CommitmentSubmitted>, ArenaError> => {
  const { terms } = state
  const { decisionId, trader } = submission
  if (decisionId !== undefined && state.commitments.hasDecision(decisionId)) {
    return Result.fail(new AlreadyCommitted({ decisionId }))
  }
  const refusal = whetherOpen(state, at, halt) ?? whetherAllowed(state, submission) ?? wrongTerms(terms, submission)
  if (refusal !== undefined) return Result.fail(refusal)
  const collateral = collateralOf(terms.entryPrice, submission.quantity)
  if (Result.isFailure(collateral)) {
    return Result.fail(new InvalidTerms({ field: "quantity", expected: "an order value of at most 8000000000 USD" }))
  }
  const full = whetherFull(state, trader, earlier, limits)
  if (full !== undefined) return Result.fail(full)
  const commitment = accept(state, submission, collateral.success, at, ordinal)
  return Result.succeed({
    commands: holdsFor(commitment),
    event: { _tag: "CommitmentSubmitted", at, commitment },
    idempotency: submission.idempotency
  })
}

/** What the trader is told when the ledger refuses the holds of an accepted submission. */
export const refusedByLedger = (commitment: Commitment, error: LedgerError): ArenaError | undefined => {
  switch (error._tag) {
    case "AccountClosed": {
      const { allowance, botId, owner } = commitment.trader
      if (error.account === commitmentGateOf(owner)) return new CommitmentsHalted()
      return error.account === allowance ? new MachineNotRegistered({ botId: botId ?? "" }) : new VaultClosed()
    }
    case "InsufficientFunds":
      return error.account === commitment.trader.allowance && commitment.trader.botId !== null
        ? new LossLimitReached({ botId: commitment.trader.botId, needed: error.needed, available: error.available })
        : new InsufficientCollateral({ needed: error.needed, available: error.available })
    case "HoldNotPending":
    case "InvalidCommand":
      return undefined
  }
}

/** What keeps commitments out of an order while a breaker halts it. */
export const haltedBy = ({ retryAfterSeconds, scope }: Halt, { assetType }: OrderTerms): CircuitBreakerOpen =>
  new CircuitBreakerOpen({ scope: scope === "global" ? "global" : assetType, retryAfterSeconds })

const whetherOpen = (state: OrderState, at: number, halt: Halt | null): ArenaError | undefined => {
  const { terms, status } = state
  if (halt !== null) return haltedBy(halt, terms)
  if (status === "settled") return new OrderNotOpen({ orderId: terms.orderId, status })
  if (status === "settling" || at >= terms.expiryAt) {
    return new WindowClosed({ orderId: terms.orderId, expiredAt: terms.expiryAt })
  }
  return undefined
}

const whetherAllowed = ({ terms }: OrderState, { trader, barred }: Submission): ArenaError | undefined => {
  if (barred === "machine_not_active") return new MachineNotRegistered({ botId: trader.botId ?? "" })
  if (trader.owner === terms.maker.owner) {
    return new AccessDenied({ reason: "The market maker's owner may not commit to its own order." })
  }
  return barred === "suspended" ? new AccessDenied({ reason: "This account is suspended." }) : undefined
}

/** What is wrong with a bid whoever makes it, and whenever, or nothing. */
export const wrongTerms = (
  terms: Pick<OrderTerms, "entryPrice" | "quantity">,
  {
    exitPrice,
    proposedPrice,
    quantity,
    slippage
  }: Pick<Submission, "exitPrice" | "proposedPrice" | "quantity" | "slippage">
): InvalidTerms | undefined => {
  const tenth = 10n * (proposedPrice - terms.entryPrice)
  if (tenth > terms.entryPrice || tenth < -terms.entryPrice) {
    return new InvalidTerms({ field: "proposed_entry_price", expected: "within 10 % of the order's entry_price" })
  }
  if (slippage < 0n || slippage > MAX_SLIPPAGE) {
    return new InvalidTerms({ field: "slippage_tolerance", expected: "between 0 and 0.05" })
  }
  const limit = limitPrice(proposedPrice, slippage)
  if (limit < terms.entryPrice) {
    return new InvalidTerms({
      field: "proposed_entry_price",
      expected: "with its slippage_tolerance at or above the order's entry_price"
    })
  }
  if (exitPrice <= limit) {
    return new InvalidTerms({
      field: "expected_exit_price",
      expected: "above proposed_entry_price × (1 + slippage_tolerance)"
    })
  }
  if (quantity <= 0n || quantity > terms.quantity) {
    return new InvalidTerms({ field: "quantity", expected: "above 0 and at most the order's quantity" })
  }
  return undefined
}

const whetherFull = (
  state: OrderState,
  { owner }: Trader,
  earlier: Earlier,
  { perOrder, perOwner }: CommitmentLimits
): ArenaError | undefined => {
  if (state.commitments.countOf(owner) + earlier.own >= perOwner) return new TooManyCommitments({ limit: perOwner })
  return state.commitments.size + earlier.all >= perOrder ? new OrderFull({ limit: perOrder }) : undefined
}

const accept = (
  { terms }: OrderState,
  submission: Submission,
  collateral: Amount,
  at: number,
  ordinal: number
): Commitment => ({
  commitmentId: `com_${terms.orderId.startsWith("ord_") ? terms.orderId.slice(4) : terms.orderId}_${ordinal}`,
  orderId: terms.orderId,
  ordinal,
  assetType: terms.assetType,
  trader: submission.trader,
  proposedPrice: submission.proposedPrice,
  exitPrice: submission.exitPrice,
  quantity: submission.quantity,
  slippage: submission.slippage,
  swapExecutor: submission.swapExecutor,
  collateral,
  acceptedAt: at,
  status: "active",
  reason: null,
  profit: ZERO,
  yieldEarned: ZERO,
  ...(submission.decisionId !== undefined && { decisionId: submission.decisionId })
})

const holdsFor = (commitment: Commitment): ReadonlyArray<Command> => {
  const { trader, commitmentId, collateral: amount } = commitment
  const gate = commitmentGateOf(trader.owner)
  const collateral: Command = {
    _tag: "Hold",
    id: collateralHold(commitmentId),
    account: trader.account,
    into: VAULT,
    amount,
    gate
  }
  if (trader.allowance === null) return [collateral]
  return [
    { _tag: "Hold", id: allowanceHold(commitmentId), account: trader.allowance, into: trader.allowance, amount, gate },
    collateral
  ]
}
