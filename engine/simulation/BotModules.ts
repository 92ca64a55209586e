/** What the modules of a simulation's bots ask for. */

import { limitPrice } from "../arena/Commitment.ts"
import type { OrderTerms } from "../arena/OrderTerms.ts"
import type { BotState } from "../bots/Bot.ts"
import type { BidMessage } from "../bots/BotActor.ts"
import { type Amount, fromUnits, ONE } from "../money/Amount.ts"
import type { BotRequest } from "./BotRequest.ts"

/** A bid as a module's program sends it. */
export type ModuleBid = Pick<BidMessage, "orderId" | "asked">

const MILLION = Number(ONE)

const scaled = (amount: bigint, millionths: number): Amount => fromUnits((amount * BigInt(millionths)) / ONE)

/** What a module asks for, of the orders that take commitments then; undefined where there is none. */
export const moduleBid = (
  { profile }: Pick<BotState, "profile">,
  open: ReadonlyArray<OrderTerms>,
  plan: Extract<BotRequest, { readonly act: "bid" }>
): ModuleBid | undefined => {
  const terms = open[plan.order % open.length]
  if (terms === undefined) return undefined
  const proposedPrice = scaled(terms.entryPrice, MILLION + plan.premium)
  const tolerance = fromUnits(BigInt(plan.tolerance))
  return {
    orderId: terms.orderId,
    asked: {
      module: plan.module === "own" ? (profile.strategyModule ?? "") : "another.ts",
      digest: "",
      proposedPrice,
      exitPrice: fromUnits(scaled(limitPrice(proposedPrice, tolerance), MILLION + plan.margin) + 1n),
      quantity: scaled(terms.quantity, plan.quantity),
      tolerance
    }
  }
}
