import { describe, expect, it } from "bun:test"
import { capital } from "../../../../engine/ledger/Funding.ts"
import { TransferDesk } from "../../../../engine/simulation/platform/TransferDesk.ts"
import { deskOf } from "../../../../engine/transfers/TransferDecision.ts"
import { BUYER, companyWorld, SELLER, usd } from "../../../lib/CompanyWorld.ts"
import { environment } from "../../../lib/Simulations.ts"

const bank = () => {
  const made = companyWorld()
  const view = {
    fresh: () => ({ price: usd(2), simulated: false }),
    history: environment.history,
    isOpen: () => false,
    walkSpeed: 1
  }
  made.give(BUYER.userId, "EUR", 100)
  const account = deskOf("USD")
  const amount = usd(1_000)
  made.run(
    made.journal.append({
      stream: `capital/${account}`,
      version: 0,
      entries: [
        {
          commands: [capital(account, amount, "opening")],
          event: { _tag: "CapitalFunded", at: 0, account, asset: "USD", amount }
        }
      ]
    })
  )
  const usual = {
    act: "transfer",
    to: 1,
    base: "EUR",
    quote: "USD",
    mode: "international",
    quantity: usd(10),
    worst: undefined,
    held: undefined,
    id: undefined
  } as const
  return { ...made, desk: new TransferDesk(made.world, view), usual }
}

describe("TransferDesk", () => {
  it("exchanges at a held rate once, within its minute", () => {
    const { clock, desk, served, usual } = bank()
    const quote = { act: "quote", base: "EUR", quote: "USD", side: "Sell", quantity: usd(10) } as const
    expect(served(desk.quote(BUYER, quote, "q"))).toBe("RateQuoted")
    const held = { ...usual, held: "own" } as const
    expect(served(desk.transfer(BUYER, SELLER.userId, held, "t"))).toBe("MoneyTransferred")
    expect(served(desk.transfer(BUYER, SELLER.userId, held, "u"))).toBe("QuoteGone")
    expect(served(desk.quote(BUYER, quote, "r"))).toBe("RateQuoted")
    clock.jump(60_000)
    expect(served(desk.transfer(BUYER, SELLER.userId, held, "v"))).toBe("QuoteGone")
    expect(served(desk.transfer(SELLER, BUYER.userId, { ...usual, held: "unknown" }, "w"))).toBe("QuoteNotFound")
  })

  it("answers a repetition under a sender's own id, and refuses another transfer under it", () => {
    const { balance, desk, served, usual } = bank()
    const own = { ...usual, mode: "local", id: "own" } as const
    expect(served(desk.transfer(BUYER, SELLER.userId, own, "t"))).toBe("MoneyTransferred")
    expect(served(desk.transfer(BUYER, SELLER.userId, { ...own, id: "used", quantity: usd(1) }, "u"))).toBe("IdUsed")
    expect(balance("usr_co_0/EUR/wallet")).toBe(usd(10))
  })

  it("refuses what the sender or the desk does not have, and a rate beyond the sender's worst", () => {
    const { desk, served, usual } = bank()
    expect(served(desk.transfer(BUYER, SELLER.userId, { ...usual, quantity: usd(101) }, "a"))).toBe("TooLittle")
    expect(served(desk.transfer(BUYER, SELLER.userId, { ...usual, worst: 1_100 }, "b"))).toBe("RateMoved")
    expect(served(desk.transfer(BUYER, SELLER.userId, { ...usual, base: "USD", quote: "EUR" }, "c"))).toBe("TooLittle")
    expect(served(desk.withdraw(BUYER, { act: "withdraw", quantity: usd(1) }, "d"))).toBe("TooLittle")
  })
})
