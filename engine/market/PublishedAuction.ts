/** An auction as it is published after its end, and as the engine takes it. */

import { DateTime, Result } from "effect"
import { accountId } from "../ledger/Account.ts"
import * as Amount from "../money/Amount.ts"
import type { AssetType } from "../arena/AssetType.ts"
import type { Commitment, TraderType } from "../arena/Commitment.ts"
import { FAIRNESS_RULES, type FairnessRule, type MachineRegister } from "../arena/Fairness.ts"
import type { AssetDetails, OrderTerms } from "../arena/OrderTerms.ts"
import { type Competition, compete, type CompetitionInput } from "../arena/Winner.ts"

/** A bid as its order's detail shows it. Amounts are JSON numbers in USD; specification 4.3. */
export interface PublishedBid {
  readonly commitment_id: string
  readonly trader_address: string
  readonly trader_type: TraderType
  readonly proposed_entry_price: number | null
  readonly expected_exit_price: number | null
  readonly quantity: number
  readonly collateral: number
  readonly status: string
  readonly owner_id: string | null
  readonly slippage_tolerance: number | null
  readonly accepted_at: string | null
  readonly rank: number | null
  readonly score: string | null
  readonly loss_reason: string | null
}

/** An order with its bids, as `GET /api/arena/orders/{order_id}` and the lines of the arena's history have it. */
export interface PublishedAuction {
  readonly order_id: string
  readonly asset_type: AssetType
  readonly asset_details: AssetDetails
  readonly quantity: number
  readonly entry_price: number
  readonly opened_at: string
  readonly expiry_date: string
  readonly settlement_date: string
  readonly status: string
  readonly market_maker: string
  readonly commitments: ReadonlyArray<PublishedBid>
  readonly bids: "open" | "sealed"
  readonly maker_discount: number | null
  readonly reference_price: number | null
  readonly reserve_price: number | null
  readonly clearing_price: number | null
  readonly settlement_price: number | null
  readonly winner_commitment_id: string | null
  readonly void_reason: string | null
  readonly tie_key_hash: string
  readonly tie_key: string | null
  readonly fairness: {
    readonly rule: string
    readonly machines: string
    readonly total: string
    readonly machine_owners: ReadonlyArray<string>
  } | null
}

/** A published number as units of 10⁻⁶. Dies by its refusal on what no amount is. */
export const unitsOf = (value: number): Amount.Amount => Result.getOrThrow(Amount.fromNumber(value))

/** The same of a number that may be missing. */
export const unitsOrNull = (value: number | null): Amount.Amount | null => (value === null ? null : unitsOf(value))

/** Milliseconds since 1970 of a time of UTC, with `Z` or, as the times of orders are, without. */
export const millisOf = (text: string): number =>
  DateTime.makeUnsafe(text.endsWith("Z") ? text : `${text}Z`).epochMilliseconds

const ASSET_FIELD: Readonly<Record<AssetType, string>> = {
  fx: "pair",
  commodity: "symbol",
  gpu: "model",
  options: "underlying"
}

/** Whose recorded prices an order is priced by, such as `EUR/USD`, `XAU` or `H100-SXM`: of an option the underlying. */
export const pricedAsset = (order: Pick<PublishedAuction, "asset_type" | "asset_details">): string =>
  String(order.asset_details[ASSET_FIELD[order.asset_type]] ?? "")

/** A published bid as the engine takes it. What has no part in the choice is left empty. */
export const publishedCommitment = (order: PublishedAuction, bid: PublishedBid): Commitment => {
  const owner = bid.owner_id ?? bid.trader_address
  return {
    commitmentId: bid.commitment_id,
    orderId: order.order_id,
    ordinal: Number(bid.commitment_id.split("_").at(-1)),
    assetType: order.asset_type,
    trader: {
      owner,
      userId: owner,
      address: bid.trader_address,
      type: bid.trader_type,
      botId: null,
      account: accountId(owner, "USD", "wallet"),
      allowance: null
    },
    proposedPrice: unitsOf(bid.proposed_entry_price ?? 0),
    exitPrice: unitsOf(bid.expected_exit_price ?? 0),
    quantity: unitsOf(bid.quantity),
    slippage: unitsOf(bid.slippage_tolerance ?? 0),
    swapExecutor: "",
    collateral: unitsOf(bid.collateral),
    acceptedAt: bid.accepted_at === null ? 0 : millisOf(bid.accepted_at),
    status: "active",
    reason: null,
    profit: Amount.ZERO,
    yieldEarned: Amount.ZERO
  }
}

/** The terms of a published order. Of the market maker the address is known alone. */
export const publishedTerms = (order: PublishedAuction): OrderTerms => ({
  orderId: order.order_id,
  assetType: order.asset_type,
  asset: pricedAsset(order),
  details: order.asset_details,
  quantity: unitsOf(order.quantity),
  entryPrice: unitsOf(order.entry_price),
  openedAt: millisOf(order.opened_at),
  expiryAt: millisOf(order.expiry_date),
  settlementAt: millisOf(order.settlement_date),
  maker: { owner: "", address: order.market_maker, account: accountId("", "USD", "wallet") },
  tieKeyHash: order.tie_key_hash,
  ...(order.maker_discount !== null && { makerDiscount: unitsOf(order.maker_discount) })
})

const ruleOf = (name: string | undefined): FairnessRule => FAIRNESS_RULES.find((rule) => rule === name) ?? "weighted"

/** What the register of machines must have been for the numbers and exclusions that were published. */
const registerOf = ({ asset_type: assetType, commitments, fairness }: PublishedAuction): MachineRegister => {
  const excluded = new Set(commitments.flatMap((bid) => (bid.loss_reason === "ARENA_007" ? [bid.owner_id] : [])))
  return {
    assetType,
    capable: Number(fairness?.total ?? 0),
    committed: Number(fairness?.machines ?? 0),
    turnout: new Map(
      (fairness?.machine_owners ?? []).map((owner) => [owner, { orders: 1, committed: excluded.has(owner) ? 0 : 1 }])
    )
  }
}

/** Breaks ties between companies: SHA-256(tie key ‖ owner) in hex. */
export type TieHash = (tieKey: string, owner: string) => string

/** A published auction as the engine takes it. */
export interface RecordedAuction {
  readonly published: PublishedAuction
  readonly terms: OrderTerms
  /** In the sequence of their acceptance. */
  readonly bids: ReadonlyArray<Commitment>
  /** What decides beside the bids and the reference price. */
  readonly rules: Pick<CompetitionInput, "machineOwners" | "rule" | "register">
}

/** Reads a published auction. Dies on figures that no auction has. */
export const recordedAuction = (published: PublishedAuction): RecordedAuction => ({
  published,
  terms: publishedTerms(published),
  bids: published.commitments
    .map((bid) => publishedCommitment(published, bid))
    .toSorted((one, other) => one.ordinal - other.ordinal),
  rules: {
    machineOwners: new Set(published.fairness?.machine_owners),
    rule: ruleOf(published.fairness?.rule),
    register: registerOf(published)
  }
})

/** Makes the choice of an auction among some bids by the rule that made the published one. */
export const chooseAmong = (
  { rules, terms }: Pick<RecordedAuction, "rules" | "terms">,
  reference: Amount.Amount,
  commitments: Iterable<Commitment>,
  tieHash: (owner: string) => string
): Competition => compete({ ...rules, terms, reference, commitments, tieHash })
