import fc from "fast-check"
import { createHash } from "node:crypto"
import { describe, expect, it } from "bun:test"
import { bidPricing } from "../../../../../engine/arena/BidPricing.ts"
import { compete, type CompetitionInput } from "../../../../../engine/arena/Winner.ts"
import { toNumber } from "../../../../../engine/money/Amount.ts"
import { isoLocal, isoUtc } from "../../../../../src/api/Timestamp.ts"
import type { ArenaOrder } from "../../../../../src/dashboard/app/arena/ArenaOrder.ts"
import { checkWinner, falsified } from "../../../../../src/dashboard/app/arena/WinnerCheck.ts"
import {
  anyField,
  commitment,
  human,
  machine,
  NO_MACHINES,
  OPENING,
  terms,
  TIE_KEY,
  usd
} from "../../../../lib/ArenaArbitraries.ts"
import { property } from "../../../../lib/Property.ts"

const hashOf = (text: string): string => createHash("sha256").update(TIE_KEY, "hex").update(text, "utf8").digest("hex")

/** The order as it is published after its settlement. */
const published = (given: CompetitionInput): ArenaOrder => {
  const input = { ...given, tieHash: hashOf }
  const { clearingPrice, fairness, ranking, winner } = compete(input)
  const commitments = new Map([...input.commitments].map((one) => [one.commitmentId, one]))
  return {
    order_id: `ord_${"0a".repeat(12)}`,
    asset_type: "fx",
    quantity: toNumber(input.terms.quantity),
    entry_price: toNumber(input.terms.entryPrice),
    settlement_date: isoLocal(OPENING + 1_800_000),
    expiry_date: isoLocal(OPENING + 900_000),
    status: "settled",
    market_maker: "0xmaker",
    onchain_order_id: "order/1:1",
    asset_details: { pair: "EUR/USD" },
    opened_at: isoLocal(input.terms.openedAt),
    bids: "open",
    maker_discount: input.terms.makerDiscount === undefined ? null : toNumber(input.terms.makerDiscount),
    reference_price: toNumber(input.reference),
    reserve_price: toNumber(bidPricing(input.terms, input.reference).reserve),
    clearing_price: clearingPrice === null ? null : toNumber(clearingPrice),
    settlement_price: winner === null ? null : 100,
    winner_commitment_id: winner,
    void_reason: null,
    tie_key: TIE_KEY,
    tie_key_hash: hashOf(""),
    fairness: {
      rule: fairness.rule,
      machines: String(fairness.machines),
      total: String(fairness.total),
      machine_owners: fairness.machineOwners
    },
    commitments: ranking.map(({ commitmentId, owner, reason, score }, index) => {
      const one = commitments.get(commitmentId)!
      return {
        commitment_id: commitmentId,
        trader_address: one.trader.address,
        trader_type: one.trader.type,
        status: reason === null ? "settled" : "lost",
        owner_id: owner,
        loss_reason: reason,
        proposed_entry_price: toNumber(one.proposedPrice),
        expected_exit_price: toNumber(one.exitPrice),
        slippage_tolerance: toNumber(one.slippage),
        quantity: toNumber(one.quantity),
        collateral: toNumber(one.collateral),
        accepted_at: isoUtc(one.acceptedAt),
        rank: index + 1,
        score: String(score)
      }
    })
  }
}

const failures = (order: ArenaOrder) =>
  checkWinner(order)!
    .steps.filter(({ holds }) => holds !== true)
    .map(({ title }) => title)

/** Ann and Bot of the example in docs/concepts/arena.md. */
const contest = published({
  terms: terms({ quantity: usd("100"), makerDiscount: usd("0.0005") }),
  reference: 101_500_000n as CompetitionInput["reference"],
  machineOwners: new Set(),
  rule: "weighted",
  register: NO_MACHINES,
  tieHash: hashOf,
  commitments: [
    {
      trader: human("ann"),
      proposedPrice: 101_000_000n,
      quantity: 20_000_000n,
      slippage: 20_000n,
      collateral: 76_200_000n
    },
    {
      trader: machine("bot"),
      proposedPrice: 102_000_000n,
      quantity: 80_000_000n,
      slippage: 10_000n,
      collateral: 304_800_000n
    },
    {
      trader: human("cyd"),
      proposedPrice: 100_000_000n,
      quantity: 100_000_000n,
      slippage: 10_000n,
      collateral: 381_000_000n
    }
  ].map((bid, index) => commitment(index + 1, bid as Parameters<typeof commitment>[1]))
})

/** One unit at 102 USD, against a reference of 100. */
const ALONE: CompetitionInput = {
  terms: terms(),
  reference: 100_000_000n as CompetitionInput["reference"],
  machineOwners: new Set(),
  rule: "weighted",
  register: NO_MACHINES,
  tieHash: hashOf,
  commitments: []
}

describe("checkWinner", () => {
  it("bears out every choice that the engine makes", () => {
    fc.assert(
      fc.property(anyField, (field) => {
        const order = published(field)
        const found = checkWinner(order)!
        expect(failures(order)).toEqual([])
        if (order.commitments.length > 0) expect(found.winner).toBe(order.winner_commitment_id)
      }),
      property()
    )
  })

  it("finds the winner and the price of the documented example", () => {
    const found = checkWinner(contest)!
    expect(found).toMatchObject({ verdict: "holds", clearingPrice: 101.715688, winner: contest.winner_commitment_id })
    expect(found.steps.map(({ detail }) => detail).join("\n")).toContain("$304.80 of $381.00, 80%")
  })

  it("sees whatever is changed afterwards", () => {
    const [best, second, ...rest] = contest.commitments
    const bid = (change: object) => ({ ...contest, commitments: [{ ...best!, ...change }, second!, ...rest] })
    const changes: ReadonlyArray<readonly [ArenaOrder, string]> = [
      [{ ...contest, tie_key: "00".repeat(32) }, "The key that breaks ties was fixed before the first bid"],
      [{ ...contest, clearing_price: 102.12 }, "The winner and its price"],
      [{ ...contest, winner_commitment_id: second!.commitment_id }, "The winner and its price"],
      [{ ...contest, fairness: { ...contest.fairness!, machines: "1" } }, "Machines win only with three quarters"],
      [{ ...contest, reference_price: 101 }, "Only bids that reach the reserve price take part"],
      [bid({ collateral: 1 }), "Every bid is backed by 3.81% of its value"],
      [bid({ proposed_entry_price: 101 }), "Scores and places are as published"],
      [bid({ rank: 2 }), "Scores and places are as published"],
      [{ ...contest, commitments: [second!, ...rest] }, "Scores and places are as published"]
    ]
    for (const [order, title] of changes) {
      expect(checkWinner(order)!.verdict).toBe("broken")
      expect(failures(order)).toContain(title)
    }
  })

  it("notices what the page itself falsifies", () => {
    expect(failures(falsified(contest))).toEqual(["The winner and its price"])
    const alone = published({ ...ALONE, commitments: [commitment(1)] })
    expect(checkWinner(alone)?.verdict).toBe("holds")
    expect(failures(falsified(alone))).toEqual(["The winner and its price"])
    const nobody = { ...contest, winner_commitment_id: null, clearing_price: null }
    expect(falsified(nobody)).toBe(nobody)
  })

  it("waits for the key, and for the choice", () => {
    const waiting = checkWinner({ ...contest, status: "settling", tie_key: null })!
    expect([waiting.verdict, waiting.winner]).toEqual(["partial", contest.winner_commitment_id])
    const open = { ...contest, status: "competing", reference_price: null, winner_commitment_id: null } as const
    expect(checkWinner(open)).toBeUndefined()
  })

  it("knows orders that nobody wins", () => {
    const void_ = contest.commitments.map((bid) => ({ ...bid, loss_reason: "void", status: "lost" as const }))
    const order = { ...contest, commitments: void_, void_reason: "no_settlement_price", winner_commitment_id: null }
    expect(checkWinner(order)?.verdict).toBe("holds")
    expect(checkWinner({ ...order, commitments: contest.commitments })?.verdict).toBe("broken")
    expect(checkWinner({ ...contest, commitments: [], winner_commitment_id: null })?.verdict).toBe("holds")
  })
})
