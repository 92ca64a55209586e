import { describe, expect, it } from "bun:test"
import fc from "fast-check"
import { fromUnits, ONE, ZERO } from "../../../engine/money/Amount.ts"
import {
  capturedOf,
  MAX_REFUNDS,
  paymentAccount,
  refundedOf,
  refundingOf,
  statusOf
} from "../../../engine/payments/Payment.ts"
import { paymentSteps, playAll } from "../../lib/PaymentCommands.ts"
import { property } from "../../lib/Property.ts"
import {
  BUYER_WALLET,
  MONEY,
  OUTSIDE,
  PaymentScenario,
  PRICE,
  SELLERS,
  walletOfSeller
} from "../../lib/PaymentScenario.ts"

/** What is so at any moment. */
const holds = (game: PaymentScenario): void => {
  let money = 0n
  for (const { balance, held, id } of game.book.accounts.values()) {
    if (id.includes("/USD/")) money += balance
    if (id !== OUTSIDE && !id.endsWith("/custody")) expect(balance >= held && held >= 0n).toBe(true)
  }
  expect(money).toBe(0n)
  for (const [id, state] of game.payments) {
    expect(refundedOf(state) + refundingOf(state) <= capturedOf(state)).toBe(true)
    if (state.plan.provider === "wallet") continue
    const charged = game.issuer.captures.get(id) ?? 0n
    expect(charged === 0n || charged === state.plan.amount).toBe(true)
    expect(capturedOf(state) <= charged).toBe(true)
    expect((game.issuer.refunds.get(id) ?? 0n) >= refundedOf(state)).toBe(true)
    expect((game.issuer.refunds.get(id) ?? 0n) <= charged).toBe(true)
  }
}

describe("payments in any weather", () => {
  it("charge once, conserve money, and leave nothing between the card and the sellers", () => {
    fc.assert(
      fc.property(paymentSteps, (steps) => {
        const game = playAll(steps, holds)
        game.settle()
        holds(game)
        let cards = 0n
        let isContested = false
        for (const [id, state] of game.payments) {
          if (state.dispute?.state === "lost" || state.dispute?.state === "open") isContested = true
          else expect(game.book.account(paymentAccount(id)).balance).toBe(ZERO)
          expect(game.book.account(paymentAccount(id)).held).toBe(ZERO)
          if (state.plan.provider === "wallet") continue
          const charged = game.issuer.captures.get(id) ?? 0n
          const back = game.issuer.refunds.get(id) ?? 0n
          expect(charged).toBe(capturedOf(state))
          expect(back).toBe(refundedOf(state))
          cards += charged - back
        }
        if (!isContested) expect(game.book.account(OUTSIDE).balance).toBe(fromUnits(-MONEY - cards))
        const sold = SELLERS.reduce((sum, one) => sum + game.book.account(walletOfSeller(one)).balance, 0n)
        expect(sold <= game.order.terms.total).toBe(true)
      }),
      property()
    )
  })
})

const paid = (provider: "wallet" | "sandbox-card" = "sandbox-card"): PaymentScenario => {
  const game = new PaymentScenario()
  game.create(provider, "automatic")
  game.settle()
  return game
}

const stateOf = (game: PaymentScenario, id = "pay_1") => game.payments.get(id)!
const balance = (game: PaymentScenario, id: Parameters<PaymentScenario["book"]["account"]>[0]) =>
  game.book.account(id).balance

describe("a payment", () => {
  it("comes from the card to the sellers", () => {
    const game = paid()
    expect(stateOf(game)).toMatchObject({ stage: "captured", taken: game.order.terms.total })
    for (const one of SELLERS) expect(balance(game, walletOfSeller(one))).toBe(PRICE)
    expect(balance(game, BUYER_WALLET)).toBe(MONEY)
  })

  it("comes from the wallet to the sellers", () => {
    const game = paid("wallet")
    for (const one of SELLERS) expect(balance(game, walletOfSeller(one))).toBe(PRICE)
    expect(balance(game, BUYER_WALLET)).toBe(fromUnits(MONEY - 2n * PRICE))
    expect(balance(game, OUTSIDE)).toBe(fromUnits(-MONEY))
  })

  it("is captured once", () => {
    const game = paid()
    expect(game.act("pay_1", "capture")).toBe("IllegalPaymentAct")
    expect(game.act("pay_1", "void")).toBe("IllegalPaymentAct")
    expect(game.events.filter(({ _tag }) => _tag === "PaymentCaptured")).toHaveLength(1)
  })

  it("goes back whole when its order is cancelled, once", () => {
    for (const provider of ["wallet", "sandbox-card"] as const) {
      const game = paid(provider)
      expect(game.cancelOrder()).toBe(true)
      expect(game.cancelOrder()).toBe(false)
      game.settle()
      expect(statusOf(stateOf(game))).toBe("refunded")
      expect(balance(game, BUYER_WALLET)).toBe(MONEY)
      expect(balance(game, OUTSIDE)).toBe(fromUnits(-MONEY))
    }
  })

  it("lets go what it keeps when the order was paid meanwhile", () => {
    const game = new PaymentScenario()
    game.create("sandbox-card", "manual")
    game.step("pay_1", "clear")
    game.payOrder(BUYER_WALLET, "pay_direct")
    game.settle()
    expect(statusOf(stateOf(game))).toBe("voided")
  })

  it("goes back when the order is cancelled while the card is charged", () => {
    const game = new PaymentScenario()
    game.create("sandbox-card", "automatic")
    for (let step = 0; step < 2; step++) game.step("pay_1", "clear")
    expect(stateOf(game).stage).toBe("capturing")
    game.cancelOrder()
    game.settle()
    expect(statusOf(stateOf(game))).toBe("refunded")
    expect(balance(game, OUTSIDE)).toBe(fromUnits(-MONEY))
  })
})

describe("a seller's refund", () => {
  it("gives back parts that never sum to more than it was given", () => {
    const game = paid()
    game.fulfilOrder()
    const half = fromUnits(PRICE / 2n)
    expect(game.refund("pay_1", "cmp_ada", half)).toBeUndefined()
    expect(game.refund("pay_1", "cmp_ada", half)).toBeUndefined()
    expect(game.refund("pay_1", "cmp_ada", fromUnits(1n))).toBe("RefundTooLarge")
    game.settle()
    expect(balance(game, walletOfSeller("cmp_ada"))).toBe(ZERO)
    expect(balance(game, walletOfSeller("cmp_bob"))).toBe(PRICE)
    expect(statusOf(stateOf(game))).toBe("partially_refunded")
  })

  it("needs the seller to have the money", () => {
    const game = paid()
    game.book.apply([
      {
        _tag: "Transfer",
        id: "spent",
        from: walletOfSeller("cmp_ada"),
        to: OUTSIDE,
        amount: PRICE,
        purpose: "withdrawal"
      }
    ])
    expect(game.refund("pay_1", "cmp_ada", fromUnits(ONE))).toBe("InsufficientFunds")
  })

  it("is with the seller again where the card refuses it", () => {
    const game = paid()
    game.refund("pay_1", "cmp_ada", PRICE)
    expect(balance(game, walletOfSeller("cmp_ada"))).toBe(ZERO)
    game.step("pay_1", "refuses")
    expect(balance(game, walletOfSeller("cmp_ada"))).toBe(PRICE)
    expect(refundedOf(stateOf(game))).toBe(ZERO)
  })

  it("comes so many times at most", () => {
    const game = paid("wallet")
    for (let count = 0; count < MAX_REFUNDS; count++) {
      expect(game.refund("pay_1", "cmp_ada", fromUnits(1n))).toBeUndefined()
    }
    expect(game.refund("pay_1", "cmp_ada", fromUnits(1n))).toBe("TooManyRefunds")
  })
})

describe("a dispute", () => {
  it("takes the money back from the sellers, and what is gone is owed", () => {
    const game = paid()
    game.book.apply([
      {
        _tag: "Transfer",
        id: "spent",
        from: walletOfSeller("cmp_ada"),
        to: OUTSIDE,
        amount: fromUnits(ONE),
        purpose: "withdrawal"
      }
    ])
    expect(game.dispute("pay_1")).toBeUndefined()
    expect(game.refund("pay_1", "cmp_bob", PRICE)).toBe("PaymentContested")
    expect(game.lose("pay_1")).toBeUndefined()
    for (const one of SELLERS) expect(balance(game, walletOfSeller(one))).toBe(ZERO)
    expect(game.book.receivables).toEqual([{ id: "payment/pay_1/dispute/1", to: OUTSIDE, amount: fromUnits(ONE) }])
    expect(game.lose("pay_1")).toBe("IllegalPaymentAct")
    expect(game.dispute("pay_1")).toBe("IllegalPaymentAct")
  })

  it("does not concern a wallet", () => {
    expect(paid("wallet").dispute("pay_1")).toBe("IllegalPaymentAct")
  })
})
