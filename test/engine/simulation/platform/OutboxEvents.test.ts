import { describe, expect, it } from "bun:test"
import { Effect } from "effect"
import { OutboxEvents } from "../../../../engine/simulation/platform/OutboxEvents.ts"
import { storedOf } from "../../../../engine/simulation/StoredKept.ts"
import { TYPES_OF } from "../../../../engine/webhooks/WebhookRendering.ts"
import { cardOrder } from "../../../lib/CardOrder.ts"

describe("OutboxEvents", () => {
  it("has what companies are told of each event that the tables have, with the streams that it needs", () => {
    const { journal, pay, run } = cardOrder()
    pay("approves", "p")
    run(Effect.sleep(1_000))
    const outbox = new OutboxEvents(journal)
    const { events, to } = outbox.after(0, 1_000)
    expect(to).toBe(journal.lastSeq)
    const types = events.flatMap(({ messages }) => messages.map(({ type }) => type))
    expect(types).toEqual(expect.arrayContaining(["order.created", "payment.captured", "order.paid"]))
    expect(outbox.after(1, 1).events.map(({ recorded }) => recorded.seq)).toEqual([2])
    expect(outbox.registryAt(to).size).toBe(0)
    const tags = journal.events.map(({ data }) => storedOf({ seq: 0, stream: "", version: 0, hash: "", data }).type)
    const heard = tags.flatMap((tag, index) => (tag in TYPES_OF || tag.startsWith("Webhook") ? [index + 1] : []))
    expect(heard.length).toBeLessThan(tags.length)
    expect(events.map(({ recorded }) => recorded.seq)).toEqual(heard)
  })
})
