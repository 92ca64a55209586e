import { expect, it } from "bun:test"
import { causeOf, causesWith } from "../../../engine/simulation/EventCauses.ts"
import { UNREACHABLE_CAUSES } from "../../../engine/simulation/ReachedGaps.ts"
import { REACHABLE_EVENTS } from "../../../engine/simulation/ReachableEvents.ts"

/** An event as it is recorded. */
const recorded = (_tag: string, fields: Readonly<Record<string, string | null>>) => ({ _tag, ...fields })

it("An event is named by its cause, where it has one of several", () => {
  expect(causeOf(recorded("CommitmentHaltSet", { cause: "restarted" }))).toBe("CommitmentHaltSet by restarted")
  expect(causeOf(recorded("CommitmentHaltSet", { cause: null }))).toBeUndefined()
  expect(causeOf(recorded("SubscriptionCancelled", { reason: "requested" }))).toBe("SubscriptionCancelled by requested")
  expect(causeOf(recorded("PaymentFailed", { reason: "declined" }))).toBeUndefined()
  expect(causeOf(recorded("OrderOpened", {}))).toBeUndefined()
})

it("The causes are those that the schemas of the events have", () => {
  expect(causesWith(["OrderOpened", "WebhookDisabled", "CommitmentHaltSet"])).toEqual([
    "CommitmentHaltSet by asked",
    "CommitmentHaltSet by deadline",
    "CommitmentHaltSet by disconnected",
    "CommitmentHaltSet by restarted",
    "WebhookDisabled by failing",
    "WebhookDisabled by requested"
  ])
  expect(new Set(causesWith(REACHABLE_EVENTS).map((name) => name.slice(0, name.indexOf(" "))))).toEqual(
    new Set([
      "BotSuspended",
      "CommitmentHaltSet",
      "OrderVoided",
      "PaymentVoidRequested",
      "SubscriptionCancelled",
      "SubscriptionPaymentFailed",
      "WebhookDisabled"
    ])
  )
})

it("A cause that is left out is one that there is", () => {
  expect(causesWith(REACHABLE_EVENTS)).toEqual(expect.arrayContaining(Object.keys(UNREACHABLE_CAUSES)))
})
