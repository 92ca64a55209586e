import { describe, expect, it } from "bun:test"
import { Schema } from "effect"
import { after, type SubscriptionState } from "../../../engine/subscriptions/Subscription.ts"
import type { SubscriptionEvent } from "../../../engine/subscriptions/SubscriptionEvent.ts"
import { EXAMPLE_EVENTS } from "../../../engine/webhooks/ExampleEvents.ts"
import { SubscriptionAnswer, subscriptionObject } from "../../../engine/subscriptions/SubscriptionObject.ts"

const encode = Schema.encodeSync(SubscriptionAnswer)

describe("subscriptionObject", () => {
  it("is what the subscription's own endpoint answers, with what every object says", () => {
    for (const [type, { events }] of Object.entries(EXAMPLE_EVENTS)) {
      if (!type.startsWith("subscription.")) continue
      const told = events as ReadonlyArray<SubscriptionEvent>
      const state = told.reduce<SubscriptionState | undefined>(after, undefined)
      if (state === undefined) throw new Error("the first event creates it")
      const answer = encode(subscriptionObject(state))
      const expected: unknown = { ...answer, object: "subscription", amount: answer.price }
      expect(subscriptionObject(state) as unknown).toEqual(expected)
    }
  })
})
