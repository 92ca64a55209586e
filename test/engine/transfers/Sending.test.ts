import { describe, expect, it } from "bun:test"
import { Effect, Exit } from "effect"
import type { JournalUnavailable } from "../../../engine/actor/Journal.ts"
import { fromUnits as rate, ONE } from "../../../engine/money/Rate.ts"
import {
  findQuote,
  heldOffer,
  holdRate,
  send,
  type TransfersWorld,
  type WantedTransfer,
  withdraw
} from "../../../engine/transfers/Sending.ts"
import { RateMoved } from "../../../engine/transfers/TransferError.ts"
import { BUYER, companyWorld, SELLER, usd } from "../../lib/CompanyWorld.ts"

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
  return { ...made, moved, refused, sending, transfers }
}

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
