import { expect } from "bun:test"
import { Effect } from "effect"
import type { Name } from "./PlatformCommands.ts"
import { type Asked, numberUnits, type Of, type PlatformScenario, type Verdict, when } from "./PlatformScenario.ts"

interface Placed {
  readonly id: string
  readonly amount: number
  readonly payment_terms: { readonly schedule: ReadonlyArray<{ readonly amount: number }> }
}

/** Places an order. */
export const order = ({ actors, orders, paper }: PlatformScenario, { lines, terms, who }: Of<"order">): Asked => {
  const offer = paper.offer(who, lines, terms)
  const isOwn = offer.lines.some(({ seller }) => seller === who)
  return {
    who,
    path: "/v1/orders",
    body: {
      company_id: actors.members[who].companyId,
      items: lines.map(({ pieces, product }) => ({ product_id: actors.products[product], quantity: pieces })),
      payment_terms: terms
    },
    verdict: when(!isOwn && paper.market.canPlace(offer) === "done"),
    settle: ({ json }) =>
      Effect.sync(() => {
        const { amount, id, payment_terms: agreed } = json as Placed
        const parts = agreed.schedule.map((part) => numberUnits(part.amount))
        expect(parts).toEqual(offer.instalments)
        expect(numberUnits(amount)).toBe(parts.reduce((sum, part) => sum + part, 0n))
        paper.market.orders.set(id, { ...offer, delivered: new Set(), paid: 0n, cancelled: false })
        orders.push(id)
      })
  }
}

interface Seen {
  readonly status: string
  readonly payment_terms: { readonly schedule: ReadonlyArray<{ readonly amount: number; readonly paid: boolean }> }
  readonly sellers: ReadonlyArray<{
    readonly company_id: string
    readonly paid: number
    readonly fulfilled_at: string | null
  }>
  readonly payments: ReadonlyArray<{ readonly id: string; readonly amount: number; readonly refunded: boolean }>
}

interface PaymentSeen {
  readonly provider: string
  readonly refunds: ReadonlyArray<{
    readonly id: string
    readonly amount: number
    readonly status: string
    readonly reason: string
    readonly seller_company_id: string | null
  }>
}

const nameOf = ({ actors }: PlatformScenario, companyId: string | null): Name =>
  Object.values(actors.members).find((member) => member.companyId === companyId)!.name

/** Writes on paper what sellers gave back of a payment, and answers whether it came from the buyer's wallet. */
const syncPayment = Effect.fnUntraced(function* (scenario: PlatformScenario, buyer: Name, id: string) {
  const { actors, paper } = scenario
  const { json } = yield* actors.server.get<PaymentSeen>(`/v1/payments/${id}`, actors.members[buyer].userId)
  const isWallet = json.provider === "wallet"
  for (const refund of json.refunds.filter(({ reason, status }) => reason === "seller" && status !== "failed")) {
    if (paper.refunds.has(refund.id)) continue
    paper.refunds.add(refund.id)
    const amount = numberUnits(refund.amount)
    paper.money.add(nameOf(scenario, refund.seller_company_id), "USD", -amount)
    if (isWallet) paper.money.add(buyer, "USD", amount)
  }
  return isWallet
})

/** Writes on paper what became of an order: who was paid what, what was delivered, and whether it was cancelled. */
const sync = Effect.fnUntraced(function* (scenario: PlatformScenario, id: string) {
  const { actors, paper } = scenario
  const onPaper = paper.market.orders.get(id)
  if (onPaper === undefined) return
  const buyer = onPaper.buyer as Name
  const { json } = yield* actors.server.get<Seen>(`/v1/orders/${id}`, actors.members[buyer].userId)
  const parts = paper.partsOf(id)
  const isCancelled = json.status === "cancelled"
  let fromWallet = 0n
  for (const payment of json.payments) {
    const isWallet = yield* syncPayment(scenario, buyer, payment.id)
    if (isWallet) fromWallet += numberUnits(payment.amount)
  }
  paper.money.add(buyer, "USD", paper.spentOn(id) - fromWallet)
  paper.spend(id, fromWallet)
  let paid = 0n
  for (const seller of json.sellers) {
    const name = nameOf(scenario, seller.company_id)
    const now = numberUnits(seller.paid)
    paper.money.add(name, "USD", now - (parts.get(name) ?? 0n))
    parts.set(name, now)
    paid += now
    if (seller.fulfilled_at !== null) onPaper.delivered.add(name)
  }
  expect(json.payments.reduce((sum, { amount }) => sum + numberUnits(amount), 0n)).toBe(paid)
  expect(json.payments.every(({ refunded }) => refunded === isCancelled)).toBe(true)
  const left = json.payment_terms.schedule.filter((part) => !part.paid).map((part) => numberUnits(part.amount))
  onPaper.instalments.splice(0, onPaper.instalments.length, ...left)
  onPaper.paid = paid
  if (!isCancelled || onPaper.cancelled) return
  onPaper.cancelled = true
  for (const [name, amount] of parts) paper.money.add(name, "USD", -amount)
  paper.money.add(buyer, "USD", fromWallet)
})

const onOrder = (
  scenario: PlatformScenario,
  move: Of<"pay" | "fulfil" | "cancel">,
  verdict: (id: string) => Verdict
): Asked | undefined => {
  const id = scenario.orders[move.order]
  if (id === undefined) return undefined
  return {
    who: move.who,
    path: `/v1/orders/${id}/${move.act}`,
    body: move.act === "pay" ? { instalments: move.extent } : move.act === "cancel" ? {} : undefined,
    verdict: verdict(id),
    settle: () => sync(scenario, id)
  }
}

/** Pays the next instalment or all from the wallet. */
export const pay = (scenario: PlatformScenario, move: Of<"pay">): Asked | undefined =>
  onOrder(scenario, move, (id) => {
    const { market, money } = scenario.paper
    const owed = market.owed(id, move.extent)
    const isBuyer = market.orders.get(id)?.buyer === move.who
    return when(isBuyer && owed !== undefined && money.free(move.who, "USD") >= owed)
  })

/** A seller delivers. */
export const fulfil = (scenario: PlatformScenario, move: Of<"fulfil" | "cancel">): Asked | undefined =>
  onOrder(scenario, move, (id) => {
    const order = scenario.paper.market.orders.get(id)
    if (order === undefined || order.cancelled || order.delivered.has(move.who)) return "refused"
    const isSeller = order.lines.some(({ seller }) => seller === move.who)
    return when(isSeller && (order.onCredit || order.instalments.length === 0))
  })

/** Cancels an order. */
export const cancel = (scenario: PlatformScenario, move: Of<"fulfil" | "cancel">): Asked | undefined =>
  onOrder(scenario, move, (id) => {
    const { market, money } = scenario.paper
    const isShort = [...scenario.paper.partsOf(id)].some(([name, amount]) => money.free(name, "USD") < amount)
    return when(market.mayCancel(id, move.who) && !isShort)
  })

/** Cards pay whole cents. */
const CENT = 10_000n

/** A test card that is approved. */
const CARD = "4242424242424242"

/** Pays by card. */
export const payByCard = (scenario: PlatformScenario, { extent, order: index, who }: Of<"card">): Asked | undefined => {
  const id = scenario.orders[index]
  if (id === undefined) return undefined
  const { market } = scenario.paper
  const owed = market.owed(id, extent)
  const isPayable = market.orders.get(id)?.buyer === who && owed !== undefined && owed % CENT === 0n
  return {
    who,
    path: "/v1/payments",
    body: { order_id: id, provider: "sandbox-card", instrument: CARD, extent },
    verdict: when(isPayable),
    settle: () => sync(scenario, id)
  }
}

/** A seller gives back a part of the order's first payment. */
export const refund = Effect.fnUntraced(function* (
  scenario: PlatformScenario,
  { cents, order: index, who }: Of<"refund">
) {
  const { actors, paper } = scenario
  const id = scenario.orders[index]
  const buyer = id === undefined ? undefined : (paper.market.orders.get(id)?.buyer as Name | undefined)
  if (id === undefined || buyer === undefined) return undefined
  const { json } = yield* actors.server.get<Seen>(`/v1/orders/${id}`, actors.members[buyer].userId)
  const [payment] = json.payments
  if (payment === undefined) return undefined
  const isSeller = (paper.partsOf(id).get(who) ?? 0n) > 0n
  const isShort = paper.money.free(who, "USD") < BigInt(cents) * 10_000n
  return {
    who,
    path: `/v1/payments/${payment.id}/refund`,
    body: { amount: cents / 100 },
    verdict: isSeller && !isShort ? "either" : "refused",
    settle: () => sync(scenario, id)
  } satisfies Asked
})
