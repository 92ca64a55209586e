import { describe, expect, it } from "bun:test"
import fc from "fast-check"
import { type Commitment, limitPrice } from "../../../engine/arena/Commitment.ts"
import { compete, type CompetitionInput, TIE_BATCH_MILLIS } from "../../../engine/arena/Winner.ts"
import { format, fromUnits } from "../../../engine/money/Amount.ts"
import {
  anyField,
  commitment,
  human,
  machine,
  NO_MACHINES,
  OPENING,
  OWNERS,
  terms,
  tieHash,
  usd
} from "../../lib/ArenaArbitraries.ts"
import { naiveChoice, naiveOffer, naiveReserve } from "../../lib/NaiveArena.ts"
import { property } from "../../lib/Property.ts"

const field = (commitments: ReadonlyArray<Commitment>, change: Partial<CompetitionInput> = {}): CompetitionInput => ({
  terms: terms(),
  reference: usd("100"),
  commitments,
  machineOwners: new Set(),
  rule: "weighted",
  register: NO_MACHINES,
  tieHash,
  ...change
})

const bid = (ordinal: number, owner: string, price: string, change: Partial<Commitment> = {}): Commitment =>
  commitment(ordinal, { trader: human(owner), proposedPrice: usd(price), ...change })

const idOf = (ordinal: number): string => commitment(ordinal).commitmentId
const winnerOf = (...commitments: ReadonlyArray<Commitment>) => compete(field(commitments)).winner
const reasons = (input: CompetitionInput) =>
  compete(input).ranking.map(({ commitmentId, reason }) => [commitmentId, reason] as const)

const find = (input: CompetitionInput, id: string | null): Commitment | undefined =>
  [...input.commitments].find(({ commitmentId }) => commitmentId === id)

const scoreOf = (input: CompetitionInput, one: Commitment): bigint =>
  (naiveOffer(input, one) - naiveReserve(input)) * one.quantity

const won = anyField.filter((input) => compete(input).winner !== null)

describe("who wins", () => {
  it("agrees with a naive choice, rank by rank", () => {
    fc.assert(
      fc.property(anyField, (input) => {
        const naive = naiveChoice(input)
        const choice = compete(input)
        expect(choice.winner).toBe(naive.winner)
        expect(choice.clearingPrice as bigint | null).toBe(naive.clearing)
        expect(choice.fairness.excluded).toEqual(new Set(naive.excluded))
        expect(reasons(input)).toEqual([...naive.ranking])
        for (const { commitmentId, owner, score } of choice.ranking) {
          const ranked = find(input, commitmentId)!
          expect(owner).toBe(ranked.trader.owner)
          expect(score).toBe(scoreOf(input, ranked))
        }
      }),
      property(0.2)
    )
  })

  it("is at most one, eligible, with no score above it among those the 3/4 rule leaves", () => {
    fc.assert(
      fc.property(anyField, (input) => {
        const { winner, ranking, fairness } = compete(input)
        const best = find(input, winner)
        expect(ranking.filter(({ reason }) => reason === null).length).toBe(best === undefined ? 0 : 1)
        const left = [...input.commitments].filter(
          (one) =>
            scoreOf(input, one) >= 0n &&
            one.quantity <= input.terms.quantity &&
            !fairness.excluded.has(one.trader.owner)
        )
        if (best === undefined) return expect(left).toEqual([])
        expect(left).toContain(best)
        return expect(left.every((one) => scoreOf(input, one) <= scoreOf(input, best))).toBe(true)
      }),
      property()
    )
  })

  it("does not depend on the order in which commitments are stored", () => {
    fc.assert(
      fc.property(
        anyField.chain((input) => {
          const stored = [...input.commitments]
          return fc.tuple(fc.constant(input), fc.shuffledSubarray(stored, { minLength: stored.length }))
        }),
        ([input, commitments]) => expect(compete({ ...input, commitments })).toEqual(compete(input))
      ),
      property()
    )
  })

  it("by a machine means that the weighted 3/4 rule holds", () => {
    fc.assert(
      fc.property(anyField, (input) => {
        const { winner } = compete(input)
        const all = [...input.commitments]
        const isMachine = (owner: string) =>
          input.machineOwners.has(owner) ||
          all.some(({ trader }) => trader.owner === owner && trader.type === "machine")
        const best = find(input, winner)
        if (best === undefined || !isMachine(best.trader.owner)) return
        let machines = 0n
        let humans = 0n
        for (const owner of OWNERS) {
          const largest = all
            .filter((one) => one.trader.owner === owner && scoreOf(input, one) >= 0n)
            .reduce((top, { collateral }) => (collateral > top ? collateral : top), 0n)
          if (isMachine(owner)) machines += largest
          else humans += largest
        }
        expect(machines >= 3n * humans).toBe(true)
      }),
      property()
    )
  })

  it("is the best human where the 3/4 rule fails", () => {
    const machines = commitment(1, { trader: machine("robot"), proposedPrice: usd("109"), collateral: usd("11") })
    const people = [bid(2, "alice", "101", { collateral: usd("3") }), bid(3, "bob", "102", { collateral: usd("1") })]
    expect(reasons(field([machines, ...people]))).toEqual([
      [idOf(3), null],
      [idOf(2), "outbid"],
      [idOf(1), "ARENA_007"]
    ])
    expect(compete(field([machines, ...people])).clearingPrice).toBe(usd("101"))
  })

  it("is the machine at exactly three quarters", () => {
    const machines = commitment(1, { trader: machine("robot"), proposedPrice: usd("109"), collateral: usd("12") })
    const people = [bid(2, "alice", "101", { collateral: usd("3") }), bid(3, "bob", "102", { collateral: usd("1") })]
    expect(winnerOf(machines, ...people)).toBe(idOf(1))
    expect(compete(field([machines, ...people])).fairness).toMatchObject({ machines: usd("12"), total: usd("16") })
  })

  it("is judged by each owner's largest eligible collateral alone", () => {
    const machines = commitment(1, { trader: machine("robot"), proposedPrice: usd("109"), collateral: usd("12") })
    const many = [4, 5, 6].map((n) => bid(n, "alice", "101", { collateral: usd("4") }))
    const under = bid(7, "bob", "99", { collateral: usd("100") })
    expect(winnerOf(machines, ...many, under)).toBe(idOf(1))
  })

  it("counts an owner as machine by any of its commitments there, even one below the reference", () => {
    const large = bid(1, "robot", "109", { collateral: usd("11") })
    const small = commitment(2, { trader: machine("robot"), proposedPrice: usd("90") })
    const person = bid(3, "alice", "101", { collateral: usd("4") })
    expect(winnerOf(large, person)).toBe(idOf(1))
    expect(winnerOf(large, small, person)).toBe(idOf(3))
  })

  it("does not change when another bot is registered for an owner that is machine already", () => {
    fc.assert(
      fc.property(anyField, (input) => {
        const machines = [...input.commitments].flatMap(({ trader }) =>
          trader.type === "machine" ? [trader.owner] : []
        )
        const more = new Set([...input.machineOwners, ...machines])
        expect(compete({ ...input, machineOwners: more })).toEqual(compete(input))
      }),
      property()
    )
  })
})

describe("a bid that floats", () => {
  const floating = (discount: string, ...commitments: ReadonlyArray<Commitment>) =>
    field(commitments, { terms: terms({ makerDiscount: usd(discount) }) })
  const at = (reference: string, input: CompetitionInput) => {
    const { winner, clearingPrice } = compete({ ...input, reference: usd(reference) })
    return [winner, clearingPrice === null ? null : format(clearingPrice)]
  }
  const tolerant = { slippage: usd("0.02") }

  it("at the price is filled a discount below the reference, wherever that went", () => {
    const input = floating("0.0005", bid(1, "alice", "100", tolerant))
    expect(at("100", input)).toEqual([idOf(1), "99.95"])
    expect(at("95", input)).toEqual([idOf(1), "94.9525"])
    expect(at("101.9", input)).toEqual([idOf(1), "101.84905"])
  })

  it("stops at its limit", () => {
    const input = floating("0.0005", bid(1, "alice", "100", tolerant))
    expect(at("102.05", input)).toEqual([idOf(1), "101.998975"])
    expect(at("102.06", input)).toEqual([null, null])
    expect(reasons({ ...input, reference: usd("102.06") })).toEqual([[idOf(1), "below_reference"]])
  })

  it("pays what the best other bid floats to", () => {
    const input = floating("0.0005", bid(1, "alice", "101", tolerant), bid(2, "bob", "100", tolerant))
    expect(at("90", input)).toEqual([idOf(1), "90"])
    expect(at("110", input)).toEqual([null, null])
  })

  it("below the price by more than the discount never wins", () => {
    const input = floating("0.0005", bid(1, "alice", "99.9", tolerant))
    expect(["90", "99.9", "100", "101"].map((reference) => at(reference, input)[0])).toEqual([null, null, null, null])
    expect(at("100", floating("0.001", bid(1, "alice", "99.9", tolerant)))).toEqual([idOf(1), "99.9"])
  })

  it("at the price meets the reserve exactly without a discount", () => {
    expect(at("97.123457", floating("0", bid(1, "alice", "100")))).toEqual([idOf(1), "97.123457"])
  })
})

describe("the other readings of the 3/4 rule", () => {
  const robots = commitment(1, { trader: machine("robot"), proposedPrice: usd("109") })
  const other = commitment(2, { trader: machine("other"), proposedPrice: usd("108") })
  const person = bid(3, "alice", "101", { collateral: usd("1000") })
  const under = (change: Partial<CompetitionInput>) => compete(field([robots, other, person], change)).winner

  it("decide by the register that is given", () => {
    expect(under({})).toBe(idOf(3))
    expect(under({ rule: "quorum", register: { ...NO_MACHINES, capable: 4, committed: 3 } })).toBe(idOf(1))
    expect(under({ rule: "quorum", register: { ...NO_MACHINES, capable: 4, committed: 2 } })).toBe(idOf(3))
    const turnout = new Map([["robot", { orders: 4, committed: 2 }]])
    expect(under({ rule: "turnout", register: { ...NO_MACHINES, turnout } })).toBe(idOf(2))
  })
})

describe("eligible", () => {
  it("is a limit at the reference exactly, not one unit below it", () => {
    expect(winnerOf(bid(1, "alice", "100"))).toBe(idOf(1))
    expect(compete(field([bid(1, "alice", "99.999999")]))).toMatchObject({ winner: null, clearingPrice: null })
    expect(reasons(field([bid(1, "alice", "99.999999")]))).toEqual([[idOf(1), "below_reference"]])
  })

  it("is by the limit, not by the proposed price", () => {
    expect(winnerOf(bid(1, "alice", "98", { slippage: usd("0.03") }))).toBe(idOf(1))
  })

  it("is a quantity up to the order's", () => {
    expect(winnerOf(bid(1, "alice", "101", { quantity: usd("10") }))).toBe(idOf(1))
    expect(winnerOf(bid(1, "alice", "101", { quantity: usd("10.000001") }))).toBe(null)
  })
})

describe("ties fall, one by one,", () => {
  const later = OPENING + TIE_BATCH_MILLIS
  const [first, second] = ["alice", "bob"].toSorted((one, other) => (tieHash(one) < tieHash(other) ? -1 : 1)) as [
    string,
    string
  ]

  it("to the score before anything else", () => {
    const more = bid(2, second, "102.000001", { collateral: usd("1"), acceptedAt: later })
    expect(winnerOf(bid(1, first, "102"), more)).toBe(idOf(2))
  })

  it("to the larger collateral", () => {
    const larger = bid(2, second, "101", { quantity: usd("2"), collateral: usd("7.62"), acceptedAt: later })
    expect(winnerOf(bid(1, first, "102"), larger)).toBe(idOf(2))
  })

  it("to the earlier batch of 100 ms", () => {
    expect(TIE_BATCH_MILLIS).toBe(100)
    const early = bid(2, second, "102", { acceptedAt: OPENING + 99 })
    expect(winnerOf(bid(1, first, "102", { acceptedAt: later }), early)).toBe(idOf(2))
    expect(winnerOf(bid(1, first, "102", { acceptedAt: OPENING + 199 }), { ...early, acceptedAt: later })).toBe(idOf(1))
  })

  it("to the lower hash of the owner, within one batch", () => {
    const one = bid(2, first, "102", { acceptedAt: OPENING + 99 })
    expect(winnerOf(bid(1, second, "102"), one)).toBe(idOf(2))
    expect(winnerOf({ ...one, ordinal: 1, commitmentId: idOf(1) }, bid(2, second, "102"))).toBe(idOf(1))
  })

  it("to the lower ordinal, for one owner", () => {
    expect(winnerOf(bid(2, first, "102"), bid(1, first, "102"))).toBe(idOf(1))
    expect(winnerOf(bid(10, first, "102"), bid(9, first, "102"))).toBe(idOf(9))
  })

  it("by the limit, where another bid and tolerance reach the same", () => {
    const tolerant = bid(1, second, "100", { slippage: usd("0.02") })
    expect(winnerOf(tolerant, bid(2, first, "102"))).toBe(idOf(2))
  })
})

describe("the clearing price", () => {
  it.each([
    ["alone", [], "100"],
    ["with a rival at the reference", [bid(2, "bob", "100")], "100"],
    ["with a rival", [bid(2, "bob", "101")], "101"],
    ["with a rival for more", [bid(2, "bob", "100.5", { quantity: usd("3") })], "101.5"],
    ["with a rival for a part, rounded up", [bid(2, "bob", "100.000001", { quantity: 1n as never })], "100.000001"],
    ["with its own second bid only", [bid(2, "alice", "101.9")], "100"],
    ["with a rival below the reference", [bid(2, "bob", "99")], "100"],
    ["with two rivals", [bid(2, "bob", "100.4"), bid(3, "carol", "101.2"), bid(4, "dave", "101.1")], "101.2"]
  ])("of a bid at 102 %s", (_, rivals, price) => {
    expect(compete(field([bid(1, "alice", "102"), ...rivals]))).toMatchObject({
      winner: idOf(1),
      clearingPrice: usd(price)
    })
  })

  it("is not set by bids that the 3/4 rule excludes", () => {
    const excluded = commitment(2, { trader: machine("robot"), proposedPrice: usd("101.5") })
    expect(compete(field([bid(1, "alice", "102"), excluded])).clearingPrice).toBe(usd("100"))
  })

  it("lies between the reserve and what the winner offers, which is at most its limit", () => {
    fc.assert(
      fc.property(won, (input) => {
        const { winner, clearingPrice } = compete(input)
        const best = find(input, winner)!
        expect(clearingPrice! >= naiveReserve(input)).toBe(true)
        expect(clearingPrice! <= naiveOffer(input, best)).toBe(true)
        expect(naiveOffer(input, best) <= limitPrice(best.proposedPrice, best.slippage)).toBe(true)
      }),
      property()
    )
  })

  it("and the win stay when the winning bid is raised", () => {
    fc.assert(
      fc.property(won, fc.bigInt({ min: 1n, max: 20_000_000n }), (input, raise) => {
        const { winner, clearingPrice } = compete(input)
        const commitments = [...input.commitments].map((one) =>
          one.commitmentId === winner ? { ...one, proposedPrice: fromUnits(one.proposedPrice + raise) } : one
        )
        expect(compete({ ...input, commitments })).toMatchObject({ winner, clearingPrice })
      }),
      property()
    )
  })
})

describe("one's further commitments, with classes and the 3/4 outcome unchanged,", () => {
  const further = won.chain((input) => {
    const all = [...input.commitments]
    return fc.tuple(
      fc.constant(input),
      fc.constantFrom(...all),
      fc.constantFrom(...all),
      fc.bigInt({ min: 1n, max: input.terms.quantity }),
      fc.bigInt({ min: -1_000_000n, max: 10_000_000n })
    )
  })
  const same = (one: ReadonlySet<string>, other: ReadonlySet<string>): boolean =>
    one.size === other.size && [...one].every((owner) => other.has(owner))

  /** What the owner pays above the reserve, in 10⁻¹² USD; nothing unless it wins. */
  const premiumOf = (input: CompetitionInput, owner: string): { readonly paid: bigint; readonly quantity: bigint } => {
    const { winner, clearingPrice } = compete(input)
    const best = find(input, winner)
    return best?.trader.owner === owner
      ? { paid: (clearingPrice! - naiveReserve(input)) * best.quantity, quantity: best.quantity }
      : { paid: 0n, quantity: 0n }
  }

  it("never lower one's total premium, but for the rounding of one unit of price", () => {
    fc.assert(
      fc.property(further, ([input, template, priced, quantity, raise]) => {
        const more = commitment([...input.commitments].length + 1, {
          ...template,
          commitmentId: "com_more",
          ordinal: 99,
          quantity: fromUnits(quantity),
          proposedPrice: fromUnits(priced.proposedPrice + raise)
        })
        const after = { ...input, commitments: [...input.commitments, more] }
        fc.pre(same(compete(input).fairness.excluded, compete(after).fairness.excluded))
        const before = premiumOf(input, template.trader.owner)
        const now = premiumOf(after, template.trader.owner)
        expect(now.paid > before.paid - before.quantity || now.paid === before.paid).toBe(true)
      }),
      property()
    )
  })

  it("as dust never change the winner", () => {
    fc.assert(
      fc.property(further, ([input, template, priced, , raise]) => {
        const dust = commitment([...input.commitments].length + 1, {
          ...template,
          commitmentId: "com_dust",
          ordinal: 99,
          quantity: fromUnits(1n),
          collateral: fromUnits(1n),
          proposedPrice: fromUnits(priced.proposedPrice + raise)
        })
        const after = { ...input, commitments: [...input.commitments, dust] }
        const { winner, fairness } = compete(input)
        fc.pre(scoreOf(input, dust) < scoreOf(input, find(input, winner)!))
        fc.pre(same(fairness.excluded, compete(after).fairness.excluded))
        expect(compete(after).winner).toBe(winner)
      }),
      property()
    )
  })
})
