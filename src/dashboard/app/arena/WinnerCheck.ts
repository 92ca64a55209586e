import { sha256 } from "@noble/hashes/sha2.js"
import { bytesToHex, concatBytes, hexToBytes, utf8ToBytes } from "@noble/hashes/utils.js"
import { Result } from "effect"
import { collateralOf } from "../../../../engine/arena/Collateral.ts"
import { bidPricing } from "../../../../engine/arena/BidPricing.ts"
import { type Competition, compete, type CompetitionInput } from "../../../../engine/arena/Winner.ts"
import { recordedAuction, unitsOf } from "../../../../engine/market/PublishedAuction.ts"
import * as Amount from "../../../../engine/money/Amount.ts"
import { percent, price as priceText } from "../ui/Format.ts"
import type { ArenaOrder } from "./ArenaOrder.ts"

/** One thing that was checked. */
export interface CheckStep {
  readonly title: string
  /** Whether it holds; undefined while what it needs is not published. */
  readonly holds: boolean | undefined
  readonly detail: string
}

/** What came of a check. `partial`: all that can be checked now holds, and the rest waits for the settlement. */
export type Verdict = "holds" | "broken" | "partial"

/** A choice made again from what was published. */
export interface WinnerCheck {
  readonly verdict: Verdict
  readonly steps: ReadonlyArray<CheckStep>
  /** The winner by this browser's own reckoning, and what it pays for a unit in USD. */
  readonly winner: string | null
  readonly clearingPrice: number | null
}

/** SHA-256 of a key's bytes and a text, in hex. */
const keyed = (key: string, text: string): string => bytesToHex(sha256(concatBytes(hexToBytes(key), utf8ToBytes(text))))

/** Until the key is published, ties between companies are taken from the ranking. */
const tieHashOf = ({ commitments, tie_key: key }: ArenaOrder): ((owner: string) => string) => {
  if (key !== null) return (owner) => keyed(key, owner)
  const ranks = new Map(commitments.toReversed().map((bid) => [bid.owner_id, bid.rank ?? 0]))
  return (owner) => String(ranks.get(owner) ?? 0).padStart(8, "0")
}

const inputOf = (order: ArenaOrder, reference: number): CompetitionInput => {
  const { bids, rules, terms } = recordedAuction(order)
  return { ...rules, terms, reference: unitsOf(reference), commitments: bids, tieHash: tieHashOf(order) }
}

const keyStep = ({ tie_key: key, tie_key_hash: hash }: ArenaOrder): CheckStep => {
  const title = "The key that breaks ties was fixed before the first bid"
  if (key === null) {
    return {
      title,
      holds: undefined,
      detail: "The key is published when the order settles. Its hash was at the opening."
    }
  }
  const holds = keyed(key, "") === hash
  return { title, holds, detail: `SHA-256 of the published key is ${holds ? "" : "not "}the hash of the opening.` }
}

const collateralStep = (order: ArenaOrder): CheckStep => {
  const wrong = order.commitments.filter((bid) => {
    const needed = collateralOf(unitsOf(order.entry_price), unitsOf(bid.quantity))
    return Result.isFailure(needed) || needed.success !== unitsOf(bid.collateral)
  })
  return {
    title: "Every bid is backed by 3.81% of its value",
    holds: wrong.length === 0,
    detail:
      wrong.length === 0
        ? `Checked ${count(order.commitments.length, "commitment")}.`
        : `Not so: ${wrong.map((bid) => bid.commitment_id).join(", ")}.`
  }
}

const count = (number: number, what: string): string => `${number} ${what}${number === 1 ? "" : "s"}`

const usd = (amount: bigint): string => priceText(Amount.toNumber(Amount.fromUnits(amount)))

const eligibleStep = (input: CompetitionInput, order: ArenaOrder): CheckStep => {
  const bids = [...input.commitments]
  const { offered, reserve } = bidPricing(input.terms, input.reference)
  const reached = bids.filter((bid) => offered(bid) >= reserve)
  const shown = order.commitments.filter((bid) => bid.loss_reason !== "below_reference").length
  return {
    title: "Only bids that reach the reserve price take part",
    holds:
      reserve !== unitsOf(order.reserve_price ?? 0)
        ? false
        : order.void_reason === null
          ? reached.length === shown
          : undefined,
    detail: `${reached.length} of ${bids.length} bids reach ${usd(reserve)} at the reference ${usd(input.reference)}.`
  }
}

const fairnessStep = ({ fairness }: ArenaOrder, found: Competition): CheckStep => {
  const { excluded, machines, rule, total } = found.fairness
  const numbers = rule === "weighted" ? `${usd(machines)} of ${usd(total)}` : `${machines} of ${total}`
  const share =
    total === 0n ? "Nobody was eligible" : `Machines hold ${numbers}, ${percent(Number(machines) / Number(total), 1)}`
  return {
    title: "Machines win only with three quarters",
    holds: fairness === null ? undefined : String(machines) === fairness.machines && String(total) === fairness.total,
    detail: `${share}${excluded.size === 0 ? ": nobody is excluded." : `: ${count(excluded.size, "machine owner")} excluded.`}`
  }
}

const rankingStep = ({ commitments }: ArenaOrder, found: Competition): CheckStep => {
  const ranked = commitments.toSorted((one, other) => (one.rank ?? Infinity) - (other.rank ?? Infinity))
  const wrong = found.ranking.findIndex((standing, index) => {
    const shown = ranked[index]
    return (
      shown?.commitment_id !== standing.commitmentId ||
      shown.rank !== index + 1 ||
      shown.score !== String(standing.score) ||
      shown.loss_reason !== standing.reason
    )
  })
  return {
    title: "Scores and places are as published",
    holds: wrong === -1,
    detail:
      wrong === -1
        ? `(Offered − reserve) × quantity, of ${count(ranked.length, "commitment")}, best first.`
        : `Place ${wrong + 1} should be ${found.ranking[wrong]?.commitmentId}.`
  }
}

const price = (amount: Amount.Amount | null): number | null => (amount === null ? null : Amount.toNumber(amount))

const winnerStep = (order: ArenaOrder, found: Competition): CheckStep => {
  const holds = found.winner === order.winner_commitment_id && price(found.clearingPrice) === order.clearing_price
  return {
    title: "The winner and its price",
    holds,
    detail:
      found.winner === null || found.clearingPrice === null
        ? "Nobody was eligible, so nobody wins."
        : `${found.winner} wins and pays ${usd(found.clearingPrice)} for a unit, the second price.`
  }
}

const verdictOf = (steps: ReadonlyArray<CheckStep>): Verdict => {
  if (steps.some(({ holds }) => holds === false)) return "broken"
  return steps.every(({ holds }) => holds === true) ? "holds" : "partial"
}

const checked = (steps: ReadonlyArray<CheckStep>, found?: Competition): WinnerCheck => ({
  verdict: verdictOf(steps),
  steps,
  winner: found?.winner ?? null,
  clearingPrice: price(found?.clearingPrice ?? null)
})

const nobodyStep = (order: ArenaOrder): CheckStep =>
  order.void_reason === null
    ? {
        title: "Nobody competed, so nobody wins",
        holds: order.commitments.length === 0 && order.winner_commitment_id === null,
        detail: "There are no commitments."
      }
    : {
        title: "The order is void: nobody gains or loses",
        holds: order.winner_commitment_id === null && order.commitments.every((bid) => bid.loss_reason === "void"),
        detail: "All collateral was returned."
      }

/**
 * The same order with one figure changed after the fact, to see that the check notices: the winner's place is given to
 * the next bid, or, where it stood alone, its price is a cent lower. The same where there was no winner.
 */
export const falsified = (order: ArenaOrder): ArenaOrder => {
  const [, second] = order.commitments.toSorted((one, other) => (one.rank ?? Infinity) - (other.rank ?? Infinity))
  if (order.winner_commitment_id === null || order.clearing_price === null) return order
  return second === undefined
    ? { ...order, clearing_price: Math.round((order.clearing_price - 0.01) * 1e6) / 1e6 }
    : { ...order, winner_commitment_id: second.commitment_id }
}

/**
 * Makes the choice of an order's winner again, from nothing but what is published of it, by the engine that made it.
 * Undefined before the choice.
 */
export const checkWinner = (order: ArenaOrder): WinnerCheck | undefined => {
  const isChosen = order.status === "settled" || order.reference_price !== null
  if (!isChosen || order.commitments.some(({ status }) => status === "active")) return undefined
  const common = [keyStep(order), collateralStep(order)]
  if (order.reference_price === null || order.void_reason !== null || order.commitments.length === 0) {
    return checked([...common, nobodyStep(order)])
  }
  const input = inputOf(order, order.reference_price)
  const found = compete(input)
  return checked(
    [
      ...common,
      eligibleStep(input, order),
      fairnessStep(order, found),
      rankingStep(order, found),
      winnerStep(order, found)
    ],
    found
  )
}
