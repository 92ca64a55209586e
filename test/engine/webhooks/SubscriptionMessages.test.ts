import { describe, expect, it } from "bun:test"
import { subscriptionStream } from "../../../engine/subscriptions/Subscription.ts"
import type { SubscriptionEvent } from "../../../engine/subscriptions/SubscriptionEvent.ts"
import { EXAMPLE_EVENTS } from "../../../engine/webhooks/ExampleEvents.ts"
import { SUBSCRIPTION_TYPES } from "../../../engine/webhooks/SubscriptionMessages.ts"
import { outlineOf, messagesOf, wrongWith } from "../../lib/RenderedMessages.ts"

const ID = "sub_example0000000000000000000"
const BUYER = "cmp_example0buyer0000000000000"
const SELLER = "cmp_example0seller000000000000"

const tell = (events: ReadonlyArray<SubscriptionEvent>) => {
  const event = events.at(-1)
  if (event === undefined) throw new Error("there is no event to tell of")
  const messages = messagesOf(event, { [subscriptionStream(ID)]: events })
  expect(wrongWith(event, messages)).toEqual([])
  return messages
}

const example = (type: keyof typeof EXAMPLE_EVENTS) => EXAMPLE_EVENTS[type].events as ReadonlyArray<SubscriptionEvent>

describe("What is told of a subscription's event", () => {
  it("goes to the buyer and the seller, as it is then", () => {
    const messages = tell(example("subscription.renewed"))
    expect(outlineOf(messages)).toEqual([`subscription.renewed to ${BUYER}`, `subscription.renewed to ${SELLER}`])
    expect(messages[0]?.object()).toMatchObject({ paid_periods: 2, status: "active", amount: 50 })
    const later: SubscriptionEvent = {
      _tag: "SubscriptionCancelled",
      at: 1_775_000_000_000,
      userId: "usr_1",
      companyId: SELLER,
      subscriptionId: ID,
      reason: "requested"
    }
    expect(tell([...example("subscription.renewed"), later])[0]?.object()).toMatchObject({
      paid_periods: 2,
      status: "cancelled",
      ended_at: "2026-03-31T23:33:20.000Z"
    })
  })

  it("goes to a company once that sells to itself", () => {
    const [first] = example("subscription.created")
    if (first?._tag !== "SubscriptionCreated") throw new Error("it begins with its creation")
    const { terms } = first
    const own: SubscriptionEvent = { ...first, terms: { ...terms, seller: terms.buyer } }
    expect(outlineOf(tell([own]))).toEqual([`subscription.created to ${BUYER}`])
  })

  it("is nothing where it only will end", () => {
    expect(SUBSCRIPTION_TYPES.SubscriptionEndSet).toBeUndefined()
    const set: SubscriptionEvent = {
      _tag: "SubscriptionEndSet",
      at: 1_775_000_000_000,
      userId: "usr_1",
      companyId: BUYER,
      subscriptionId: ID,
      endsAt: 1_776_000_000_000
    }
    expect(tell([...example("subscription.created"), set])).toEqual([])
  })

  it("is nothing where the stream has no creation", () => {
    expect(tell(example("subscription.renewed").slice(1))).toEqual([])
  })
})
