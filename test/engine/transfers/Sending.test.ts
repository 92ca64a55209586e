import { describe, expect, it } from "bun:test"
import { Clock, Effect, Exit } from "effect"
import fc from "fast-check"
import type { JournalUnavailable } from "../../../engine/actor/Journal.ts"
import { fromUnits as rate, ONE } from "../../../engine/money/Rate.ts"
import {
  decideAtOnce,
  findQuote,
  heldOffer,
  holdRate,
  refusedAtOnce,
  send,
  type TransfersWorld,
  type WantedTransfer,
  withdraw
} from "../../../engine/transfers/Sending.ts"
import { RateMoved } from "../../../engine/transfers/TransferError.ts"
import { BUYER, companyWorld, SELLER, usd } from "../../lib/CompanyWorld.ts"
import { runs } from "../../lib/Property.ts"

const prices = { base: rate(2n * ONE), quote: ONE, spread: rate(1n) }

const bank = () => {
  const made = companyWorld()
  made.give(BUYER.userId, "EUR", 100)
  const { projection, write } = made.world
  const moved = { ...prices }
  const transfers: TransfersWorld<JournalUnavailable> = {
    prices: () => Effect.sync(() => ({ ...moved })),
    quote: (id) => Effect.sync(() => projection.quotes.get(id)),
    sent: (sender, id) => Effect.sync(() => projection.transfers.get(`${sender}/${id}`)),
    write
  }
  const wanted: WantedTransfer = {
    sender: BUYER.userId,
    recipient: SELLER.userId,
    pair: { base: "EUR", quote: "USD" },
    mode: "local",
    quantity: usd(10),
    worst: null,
    quoteId: null,
    id: "mine",
    country: "",
    description: "",
    createdDate: 0
  }
  const refused = <A, E extends { readonly _tag: string }>(effect: Effect.Effect<A, E>): string => {
    const exit = made.run(Effect.flip(effect))
    return Exit.isSuccess(exit) ? exit.value._tag : "went through"
  }
  const sending = (
    change: Partial<WantedTransfer> = {},
    permitted: Effect.Effect<boolean, RateMoved> = Effect.succeed(false)
  ) => send(transfers, { ...wanted, ...change }, permitted, Effect.succeed("trf_1"))
  return { ...made, moved, refused, sending, transfers, wanted }
}

const usual = <A>(value: A, ...others: ReadonlyArray<A>): fc.Arbitrary<A> =>
  fc.oneof({ arbitrary: fc.constant(value), weight: 8 }, fc.constantFrom(...others))

const wishes = fc.record({
  mode: usual<WantedTransfer["mode"]>("local", "international"),
  quantity: fc.integer({ min: -1, max: 120 }).map(usd),
  worst: usual(null, ONE),
  quoteId: usual<string | null>(null, "fxq_1"),
  recipient: usual(SELLER.userId, BUYER.userId),
  pair: fc.constantFrom({ base: "EUR", quote: "USD" }, { base: "EUR", quote: "EUR" }),
  id: usual<string | undefined>(undefined, "mine", "trf_mine")
})

describe("decideAtOnce", () => {
  it("decides what send would write, word for word, or nothing; and says of a refusal what it says", () => {
    const outcomes = new Set<boolean>()
    const property = fc.property(wishes, fc.boolean(), (wished, payout) => {
      const one = bank()
      const asked = { ...one.wanted, ...wished }
      const now = one.run(Clock.currentTimeMillis)
      if (Exit.isFailure(now)) throw new Error("the clock has no time")
      const decided = decideAtOnce(asked, payout, () => "trf_1", now.value)
      if (decided === undefined) return
      const written: Array<unknown> = []
      const noting: TransfersWorld<JournalUnavailable> = {
        ...one.transfers,
        write: (entry) => {
          written.push(entry)
          return one.transfers.write(entry)
        }
      }
      const sent = one.run(send(noting, asked, Effect.succeed(payout), Effect.succeed("trf_1")))
      expect(written).toEqual([decided.written])
      const other = bank()
      outcomes.add(Exit.isSuccess(sent))
      const told = Effect.flatMap(Effect.exit(other.transfers.write(decided.written)), (exit) =>
        Exit.isSuccess(exit)
          ? Effect.succeed({ transfer: exit.value.event, repeated: false })
          : refusedAtOnce(other.transfers, asked, decided, exit.cause)
      )
      expect(other.run(told)).toEqual(sent)
      if (asked.id === undefined) return
      // Under an id of the sender's own, what was made first.
      const again = one.run(send(one.transfers, asked, Effect.succeed(payout), Effect.succeed("trf_1")))
      expect(other.run(told)).toEqual(again)
    })
    fc.assert(property, { numRuns: Math.max(50, runs()) })
    expect([...outcomes].toSorted()).toEqual([false, true])
  })
})

describe("send", () => {
  it("answers what was made under the sender's id, whatever would refuse it now", () => {
    const { balance, refused, run, sending } = bank()
    expect(run(sending())).toMatchObject({ value: { repeated: false, transfer: { transferId: "mine" } } })
    expect(run(sending({}, Effect.fail(new RateMoved({ rate: ONE, worst: ONE }))))).toMatchObject({
      value: { repeated: true }
    })
    expect(refused(sending({ quantity: usd(11) }))).toBe("IdUsed")
    expect(balance("usr_co_1/EUR/wallet")).toBe(usd(90))
  })

  it("gives an id where the sender has none, and takes none that looks like it", () => {
    const { refused, run, sending } = bank()
    expect(run(sending({ id: undefined }))).toMatchObject({ value: { transfer: { transferId: "trf_1" } } })
    expect(refused(sending({ id: "trf_9" }))).toBe("InvalidTransfer")
    expect(refused(sending({ quoteId: "fxq_1" }))).toBe("InvalidTransfer")
    expect(refused(sending({ quantity: usd(1_000), id: "other" }))).toBe("TooLittle")
  })
})

describe("A held rate", () => {
  it("is its owner's, and is gone once the market has moved beyond it", () => {
    const { moved, refused, run, transfers } = bank()
    const asked = {
      quoteId: "fxq_1",
      owner: "u",
      pair: { base: "EUR", quote: "USD" },
      side: "Sell",
      quantity: usd(1)
    } as const
    run(holdRate(transfers, asked, undefined))
    expect(run(heldOffer(transfers, "fxq_1", asked))).toMatchObject({ value: { quoteId: "fxq_1" } })
    expect(refused(findQuote(transfers, "somebody", "fxq_1"))).toBe("QuoteNotFound")
    moved.base = ONE
    expect(refused(heldOffer(transfers, "fxq_1", asked))).toBe("QuoteGone")
  })
})

describe("withdraw", () => {
  it("takes out what there is", () => {
    const { balance, refused, run, transfers } = bank()
    const of = (units: number) => ({
      withdrawalId: "w",
      owner: BUYER.userId,
      fundId: "f",
      asset: "EUR",
      quantity: usd(units)
    })
    expect(run(withdraw(transfers, of(40), undefined))).toMatchObject({ value: { asset: "EUR" } })
    expect(refused(withdraw(transfers, of(61), undefined))).toBe("TooLittle")
    expect(balance("usr_co_1/EUR/wallet")).toBe(usd(60))
  })
})
