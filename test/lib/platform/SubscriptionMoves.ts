import { Effect } from "effect"
import { PRODUCTS } from "./PlatformCommands.ts"
import { type Asked, type Of, type PlatformScenario, when } from "./PlatformScenario.ts"

interface Seen {
  readonly id: string
  readonly paid_periods: number
  readonly product_id: string
  readonly quantity: number
}

/** Writes on paper the periods that were paid since. */
const sync = Effect.fnUntraced(function* ({ actors, paper, subscriptions }: PlatformScenario, id: string) {
  const known = subscriptions.find((subscription) => subscription.id === id)
  if (known === undefined) return
  const { json } = yield* actors.server.get<Seen>(`/v1/subscriptions/${id}`, actors.members[known.who].userId)
  const product = PRODUCTS[actors.products.indexOf(json.product_id)]
  if (product === undefined) return
  const pieces = (json.paid_periods - known.paid) * json.quantity
  known.paid = json.paid_periods
  paper.money.move(known.who, product.seller, "USD", product.price * BigInt(pieces))
  paper.stock.set(product.name, (paper.stock.get(product.name) ?? 0) - pieces)
})

/** Buys pieces of a product each month. */
export const subscribe = (
  scenario: PlatformScenario,
  { pieces, product: index, who }: Of<"subscribe">
): Asked | undefined => {
  const { actors, paper, subscriptions } = scenario
  const product = PRODUCTS[index]
  if (product === undefined) return undefined
  const isAffordable = paper.money.free(who, "USD") >= product.price * BigInt(pieces)
  return {
    who,
    path: "/v1/subscriptions",
    body: {
      company_id: actors.members[who].companyId,
      product_id: actors.products[index],
      quantity: pieces,
      interval: "month"
    },
    verdict: when(product.seller !== who && isAffordable && paper.market.free(product.name) >= pieces),
    settle: ({ json }) => {
      const { id } = json as Seen
      subscriptions.push({ id, who, paid: 0 })
      return sync(scenario, id)
    }
  }
}

/** Pays the next period. */
export const renew = (scenario: PlatformScenario, { subscription: index, who }: Of<"renew">): Asked | undefined => {
  const subscription = scenario.subscriptions[index]
  if (subscription === undefined) return undefined
  return {
    who,
    path: `/v1/subscriptions/${subscription.id}/renew`,
    body: undefined,
    verdict: subscription.who === who ? "either" : "refused",
    settle: () => sync(scenario, subscription.id)
  }
}
