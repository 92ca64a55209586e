/** Orders and bids of a simulation as the platform publishes them. */

import type { OrderSettled, OrderVoided } from "../arena/ArenaEvent.ts"
import { bidPricing } from "../arena/BidPricing.ts"
import type { Commitment } from "../arena/Commitment.ts"
import type { OrderState } from "../arena/Order.ts"
import type { PublicOrder } from "../market/MarketFrame.ts"
import type { PublishedBid } from "../market/PublishedAuction.ts"
import { type Amount, toNumber } from "../money/Amount.ts"
import { timeText } from "../wire/WireValue.ts"

const numberOrNull = (amount: Amount | null | undefined): number | null =>
  amount === null || amount === undefined ? null : toNumber(amount)

/** The times of orders have no zone. */
const localTime = (at: number): string => timeText(at).slice(0, -1)

/** An order as everybody sees it after an event. A void one shows no winner, though its choice found one. */
export const publicOrder = (
  { choice, status, terms }: OrderState,
  ending: OrderSettled | OrderVoided | undefined
): PublicOrder => {
  const isVoid = ending?._tag === "OrderVoided"
  const { details, expiryAt, makerDiscount, openedAt, settlementAt } = terms
  return {
    order_id: terms.orderId,
    asset_type: terms.assetType,
    asset_details: details,
    quantity: toNumber(terms.quantity),
    entry_price: toNumber(terms.entryPrice),
    opened_at: localTime(openedAt),
    expiry_date: localTime(expiryAt),
    settlement_date: localTime(settlementAt),
    status,
    market_maker: terms.maker.address,
    bids: "open",
    maker_discount: numberOrNull(makerDiscount),
    reference_price: numberOrNull(choice?.reference),
    reserve_price: choice === null ? null : toNumber(bidPricing(terms, choice.reference).reserve),
    clearing_price: isVoid ? null : numberOrNull(choice?.clearingPrice),
    settlement_price: ending?._tag === "OrderSettled" ? numberOrNull(ending.price) : null,
    winner_commitment_id: isVoid ? null : (choice?.winner ?? null),
    void_reason: isVoid ? ending.reason : null,
    tie_key_hash: terms.tieKeyHash,
    tie_key: ending?.tieKey ?? null,
    fairness:
      choice === null
        ? null
        : {
            rule: choice.fairness.rule,
            machines: String(choice.fairness.machines),
            total: String(choice.fairness.total),
            machine_owners: choice.fairness.machineOwners
          }
  }
}

/** A bid with all that is published of it once there is a choice. */
export const publicBid = (one: Commitment): PublishedBid => ({
  commitment_id: one.commitmentId,
  trader_address: one.trader.address,
  trader_type: one.trader.type,
  proposed_entry_price: toNumber(one.proposedPrice),
  expected_exit_price: toNumber(one.exitPrice),
  quantity: toNumber(one.quantity),
  collateral: toNumber(one.collateral),
  status: one.status,
  owner_id: one.trader.owner,
  slippage_tolerance: toNumber(one.slippage),
  accepted_at: timeText(one.acceptedAt),
  rank: null,
  score: null,
  loss_reason: null
})
