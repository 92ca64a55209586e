import { describe, expect, it } from "bun:test"
import fc from "fast-check"
import { orderObject } from "../../../engine/commerce/OrderObject.ts"
import { paidOf, purchaseOrderStream, statusOf, unpaidOf } from "../../../engine/commerce/PurchaseOrder.ts"
import { eventsFor, viewFor } from "../../../engine/commerce/PurchaseOrderView.ts"
import { recordOf } from "../../../engine/commerce/PurchaseRecord.ts"
import { paymentStream } from "../../../engine/payments/Payment.ts"
import type { PlatformEvent } from "../../../engine/replay/PlatformEvent.ts"
import { bodyOf } from "../../../engine/webhooks/WebhookMessage.ts"
import { historyAnswers } from "../../../src/commerce/PurchaseOrderResponses.ts"
import { property } from "../../lib/Property.ts"
import { anyOthers, anyPlot, BUYER, ORDER, playedBy, SELLER, type Story } from "../../lib/SellerFixtures.ts"
import { messagesOf } from "../../lib/RenderedMessages.ts"

const sum = (amounts: ReadonlyArray<bigint>): bigint => amounts.reduce((total, one) => total + one, 0n)

const recordOfStory = ({ order }: Story) => {
  const record = recordOf(order)
  if (record === undefined) throw new Error("the order was not placed")
  return record
}

/** What a company is told of a whole story, in its order, but the ids of what tells it. */
const toldTo = (companyId: string, { order, payments }: Story): ReadonlyArray<unknown> => {
  const streams = (events: ReadonlyArray<PlatformEvent>, until: number) => events.filter((event) => event.at <= until)
  const all = [...order, ...[...payments.values()].flat()].toSorted((one, other) => one.at - other.at)
  return all.flatMap((event) => {
    const history = Object.fromEntries([
      [purchaseOrderStream(ORDER), streams(order, event.at)],
      ...Array.from(payments, ([id, events]) => [paymentStream(id), streams(events, event.at)] as const)
    ])
    return messagesOf(event, history)
      .filter((message) => message.companyId === companyId)
      .map((message) => bodyOf({ ...message, id: "" }))
  })
}

const answersTo = (as: string, story: Story): string => {
  const order = recordOfStory(story)
  const history = historyAnswers({ as, order, events: story.order })
  return (
    JSON.stringify(orderObject(order, as)) +
    JSON.stringify(history, (_, value) => (typeof value === "bigint" ? String(value) : value))
  )
}

describe("An order to one of its sellers", () => {
  it("does not change with what only others sell, deliver, are paid or give back", () => {
    fc.assert(
      fc.property(anyPlot, anyOthers, anyOthers, (plot, some, others) => {
        const [one, other, alone] = [
          playedBy(plot, some, true),
          playedBy(plot, others, false),
          playedBy(plot, [], false)
        ]
        for (const story of [other, alone]) {
          expect(viewFor(recordOfStory(one), SELLER)).toEqual(viewFor(recordOfStory(story), SELLER))
          expect(answersTo(SELLER, one)).toBe(answersTo(SELLER, story))
          expect(toldTo(SELLER, one)).toEqual(toldTo(SELLER, story))
        }
      }),
      property(2)
    )
  })

  it("adds up by itself, and with the others' to what the buyer sees", () => {
    fc.assert(
      fc.property(anyPlot, anyOthers, (plot, others) => {
        const whole = recordOfStory(playedBy(plot, others, true))
        const sellers = [...new Set(whole.state.terms.sellers.map(({ sellerId }) => sellerId))]
        const views = sellers.map((sellerId) => viewFor(whole, sellerId).state)
        for (const view of views) {
          const { lines, schedule, sellers: shares, total } = view.terms
          expect(sum(schedule.map(({ amount }) => amount))).toBe(total)
          expect(sum(shares.map(({ subtotal }) => subtotal))).toBe(total)
          expect(sum(lines.map(({ quantity, unitPrice }) => unitPrice * BigInt(quantity)))).toBe(total)
          expect(schedule.every(({ amount }) => amount > 0n)).toBe(true)
          const paid = schedule.filter(({ number }) => view.paidInstalments.has(number))
          expect(paidOf(view)).toBe(sum(paid.map(({ amount }) => amount)) as never)
          expect(sum(view.payments.flatMap(({ parts }) => parts))).toBe(paidOf(view))
        }
        const { state } = viewFor(whole, BUYER)
        expect(state).toBe(whole.state)
        expect(sum(views.map(({ terms }) => terms.total))).toBe(state.terms.total)
        expect(sum(views.map(paidOf))).toBe(paidOf(state))
        expect(sum(views.map(unpaidOf))).toBe(unpaidOf(state))
        for (const [index, { amount }] of state.terms.schedule.entries()) {
          expect(sum(views.map(({ terms }) => terms.schedule[index]?.amount ?? 0n))).toBe(amount)
        }
      }),
      property(2)
    )
  })

  it("is fulfilled when the seller has delivered, and tells nothing of who else sells", () => {
    fc.assert(
      fc.property(anyPlot, anyOthers, (plot, others) => {
        const story = playedBy(plot, others, true)
        const order = recordOfStory(story)
        const view = viewFor(order, SELLER)
        if (view.fulfilledAt.has(SELLER)) expect(statusOf(view.state)).toBe("fulfilled")
        const events = eventsFor(story.order, order, SELLER)
        expect(events.filter(({ event }) => event._tag === "PurchaseOrderFulfilled").length).toBeLessThanOrEqual(1)
        const told = [answersTo(SELLER, story), ...toldTo(SELLER, story)].join("\n")
        expect(told).not.toMatch(/cyd|dan|pm_secret|pi_secret/)
      }),
      property(4)
    )
  })

  it("says neither who nor why where another seller cancelled", () => {
    const [first] = fc.sample(
      fc.tuple(
        anyPlot,
        anyOthers.filter((lines) => lines.length > 0)
      ),
      { numRuns: 1, seed: 7 }
    )
    const [plot, others] = first ?? []
    if (plot === undefined || others === undefined) throw new Error("there is no sample")
    const story = playedBy({ ...plot, steps: [] }, others, false)
    const by = others[0]?.sellerId ?? ""
    const events = [
      ...story.order,
      { _tag: "PurchaseOrderCancelled", at: 9, userId: "usr_x", companyId: by, orderId: ORDER, reason: "why" } as const
    ]
    const order = recordOf(events)
    if (order === undefined) throw new Error("the order was not placed")
    const last = { user_id: null, company_id: null, reason: null, type: "order.cancelled", number: 2 }
    expect(historyAnswers({ as: SELLER, order, events }).at(-1)).toMatchObject(last)
    expect(historyAnswers({ as: BUYER, order, events }).at(-1)).toMatchObject({ company_id: by, reason: "why" })
  })
})
