import fc from "fast-check"
import { describe, expect, it } from "bun:test"
import { STATE_COLUMNS } from "../../../engine/replay/StateTable.ts"
import { WebhookReplay } from "../../../engine/replay/WebhookReplay.ts"
import { webhookStream } from "../../../engine/webhooks/Webhook.ts"
import { webhookRow, webhooks } from "../../../engine/webhooks/WebhookRows.ts"
import { expectDerivedRows, rowsOfAggregate } from "../../lib/DerivedRows.ts"
import { property } from "../../lib/Property.ts"
import { anyAct, CREATED_AT, webhookCase } from "../../lib/WebhookCases.ts"

describe("the rows of webhooks", () => {
  it("have a value for each column", () => {
    const [state] = webhookCase([]).states
    const row = webhookRow(state!, { createdSeq: 3, seq: 7 })
    expect(row.values).toHaveLength(STATE_COLUMNS.webhooks.length)
    expect(row.values.slice(-5)).toEqual([`${CREATED_AT}`, `${CREATED_AT}`, "3", "7", "{}"])
  })

  it("leave what a replay derives", () => {
    fc.assert(
      fc.property(fc.array(anyAct, { maxLength: 12 }), (acts) => {
        const events = webhookCase(acts).events.map((event, index) => ({ event, seq: index + 10 }))
        const rows = rowsOfAggregate(webhooks, events)
        expectDerivedRows(
          events.map(({ event, seq }, index) => {
            const place = { seq, stream: webhookStream(event.webhookId), version: index + 1, hash: "" }
            return { event, stored: { ...place, type: event._tag, data: "" }, rows: rows[index]! }
          }),
          (sink) => new WebhookReplay(sink)
        )
      }),
      property()
    )
  })
})
