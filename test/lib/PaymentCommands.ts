import fc from "fast-check"
import { fromUnits, ONE } from "../../engine/money/Amount.ts"
import { BUYER_WALLET, PaymentScenario, PRICE, SELLERS, WEATHERS } from "./PaymentScenario.ts"

const payment = fc.nat(2)
const seller = fc.constantFrom(...SELLERS)
const step = fc.oneof(
  {
    weight: 2,
    arbitrary: fc.record({
      act: fc.constant("create" as const),
      provider: fc.constantFrom("wallet" as const, "sandbox-card" as const, "stripe" as const),
      capture: fc.constantFrom("automatic" as const, "manual" as const)
    })
  },
  {
    weight: 12,
    arbitrary: fc.record({ act: fc.constant("step" as const), payment, weather: fc.constantFrom(...WEATHERS) })
  },
  { weight: 2, arbitrary: fc.record({ act: fc.constantFrom("capture" as const, "void" as const), payment }) },
  {
    weight: 3,
    arbitrary: fc.record({
      act: fc.constant("refund" as const),
      payment,
      seller,
      amount: fc.bigInt(1n, PRICE + ONE).map(fromUnits)
    })
  },
  {
    weight: 1,
    arbitrary: fc.record({ act: fc.constantFrom("cancelOrder" as const, "fulfilOrder" as const, "payOrder" as const) })
  },
  { weight: 1, arbitrary: fc.record({ act: fc.constantFrom("dispute" as const, "lose" as const), payment }) }
)
/** Anything that somebody may do, or that may happen. */
export const paymentSteps = fc.array(step, { maxLength: 60 })

type Step = typeof step extends fc.Arbitrary<infer S> ? S : never

const playOne = (game: PaymentScenario, one: Extract<Step, { readonly payment: number }>): void => {
  const id = [...game.payments.keys()][one.payment]
  if (id === undefined) return
  if (one.act === "step") game.step(id, one.weather)
  else if (one.act === "refund") game.refund(id, one.seller, one.amount)
  else if (one.act === "dispute") game.dispute(id)
  else if (one.act === "lose") game.lose(id)
  else game.act(id, one.act)
}

/** Plays all, and looks after each. */
export const playAll = (
  steps: ReadonlyArray<Step>,
  look: (game: PaymentScenario) => void = () => {}
): PaymentScenario => {
  const game = new PaymentScenario()
  for (const one of steps) {
    if (one.act === "create") game.create(one.provider, one.capture)
    else if ("payment" in one) playOne(game, one)
    else if (one.act === "cancelOrder") game.cancelOrder()
    else if (one.act === "fulfilOrder") game.fulfilOrder()
    else game.payOrder(BUYER_WALLET, "pay_direct")
    look(game)
  }
  return game
}
