/** What the modules of a simulation's bots ask for, and what an owner makes of a bot's profile. */

import { Result } from "effect"
import { limitPrice } from "../arena/Commitment.ts"
import type { OrderTerms } from "../arena/OrderTerms.ts"
import type { BotState } from "../bots/Bot.ts"
import type { BidMessage } from "../bots/BotActor.ts"
import type { BotProfile } from "../bots/BotEvent.ts"
import { type InvalidStrategy, strategyOf } from "../bots/Strategy.ts"
import { type Amount, fromUnits, ONE } from "../money/Amount.ts"
import type { BotChangePlan, BotRequest } from "./BotRequest.ts"

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

/** A profile as its owner wants it, or what is wrong with that. */
export const changed = (
  { strategyModule: module, ...profile }: BotProfile,
  { strategy: asked, strategyModule = module, ...change }: BotChangePlan
): Result.Result<BotProfile, InvalidStrategy> =>
  Result.map(asked === undefined ? Result.succeed(profile.strategy) : strategyOf(asked), (strategy) => ({
    ...profile,
    ...change,
    strategy,
    ...(strategyModule !== null && strategyModule !== undefined && { strategyModule })
  }))
