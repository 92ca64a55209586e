import { describe, expect, it } from "bun:test"
import { EXAMPLE_EVENTS } from "../../../engine/webhooks/ExampleEvents.ts"
import { WEBHOOK_EVENTS } from "../../../engine/webhooks/WebhookEventTypes.ts"
import { WEBHOOK_EVENT_TYPES } from "../../../engine/webhooks/WebhookEventType.ts"
import { companiesToldOf, render, TYPES_OF, typesOf } from "../../../engine/webhooks/WebhookRendering.ts"
import { HASH, messagesOf } from "../../lib/RenderedMessages.ts"

const paid = EXAMPLE_EVENTS["order.paid"].events

describe("Rendering an event", () => {
  it("asks for the stream that it needs, and for none where the event says all", () => {
    expect(render({ event: paid[1]!, hash: HASH })).toEqual({
      _tag: "Needs",
      stream: "purchase/pur_example0000000000000000000"
    })
    expect(render({ event: paid[0]!, hash: HASH })._tag).toBe("Rendered")
  })

  it("gives each message an id of its own, and the event's time", () => {
    const messages = messagesOf(paid[1]!, { "purchase/pur_example0000000000000000000": paid })
    expect(new Set(messages.map(({ id }) => id)).size).toBe(2)
    expect(messages.map(({ createdAt }) => createdAt)).toEqual([paid[1]!.at, paid[1]!.at])
  })

  it("tells nobody of what moves money between companies' own accounts", () => {
    const minted = { _tag: "FundsMinted", at: 1 } as never
    expect(render({ event: minted, hash: HASH })).toEqual({ _tag: "Rendered", messages: [] })
    expect([typesOf(minted), companiesToldOf(minted)]).toEqual([[], undefined])
  })

  it("foretells every type but the test's, each of them in the table with the same events", () => {
    const foretold = Object.entries(TYPES_OF).flatMap(([tag, types]) => types.map((type) => `${type} ${tag}`))
    const listed = WEBHOOK_EVENTS.flatMap(({ emissions, type }) =>
      emissions.flatMap(({ recorded }) => (recorded === null ? [] : [`${type} ${recorded}`]))
    )
    expect([...new Set(listed)].toSorted()).toEqual(foretold.toSorted())
    expect(WEBHOOK_EVENTS.map(({ type }) => type)).toEqual([...WEBHOOK_EVENT_TYPES])
  })
})
