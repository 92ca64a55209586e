import { Effect } from "effect"
import { walletProvider } from "../../engine/payments/WalletProvider.ts"
import type { CardFate } from "../../engine/simulation/platform/CardFate.ts"
import { CardNetwork } from "../../engine/simulation/platform/CardNetwork.ts"
import { PaymentDesk } from "../../engine/simulation/platform/PaymentDesk.ts"
import { TradeDesk } from "../../engine/simulation/platform/TradeDesk.ts"
import { SeededRandom } from "../../engine/simulation/SeededRandom.ts"
import { BUYER, companyWorld, SELLER, usd } from "./CompanyWorld.ts"

/** An order of 20 USD in a company world, and the desks that pay it. */
export const cardOrder = () => {
  const made = companyWorld()
  const trade = new TradeDesk(made.world, () => Effect.void)
  const cards = new CardNetwork(new SeededRandom(1, "cards"))
  made.served(trade.list(SELLER, { act: "list", price: usd(10), pieces: 5 }, "l"))
  const items = [{ product: 0, quantity: 2 }]
  made.served(trade.order(BUYER, { act: "order", items, terms: { type: "prepaid" }, wrong: undefined }, "o"))
  const fateOf = (paymentId: string) => cards.charges.get(paymentId)?.fate
  const desk = new PaymentDesk({ world: made.world, trade, wallet: walletProvider, cards, fateOf })
  const asked = { act: "pay", order: 0, stranger: false, extent: "all", times: 1, oldKey: false } as const
  const pay = (card: CardFate | undefined, key: string, capture: "automatic" | "manual" = "automatic") =>
    made.served(desk.pay(BUYER, { ...asked, card, capture }, key))
  const situation = (key: string) => made.projection.payment(`pay_${key}`)!

  /** Lets time pass until a payment is driven again, some times. */
  const later = (key: string, rounds: number): void => {
    for (let round = 0; round < rounds; round++) {
      made.clock.jump(100_000)
      made.run(desk.resume(`pay_${key}`))
    }
  }
  return { ...made, cards, desk, later, pay, situation, trade }
}
