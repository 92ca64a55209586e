import { describe, expect, it } from "bun:test"
import { drafted, reading, toEach } from "../../../engine/webhooks/History.ts"
import { exampleOf } from "../../../engine/webhooks/WebhookExample.ts"

describe("History", () => {
  it("goes on with a stream that was read, an empty one too, and asks for another", () => {
    const next = () => drafted([])
    expect(reading(new Map([["a", []]]), "a", next)).toEqual({ _tag: "Drafted", drafts: [] })
    expect(reading(new Map(), "a", next)).toEqual({ _tag: "Needs", stream: "a" })
  })

  it("tells each company of the thing as that one sees it", () => {
    const seen: Array<string> = []
    const drafts = toEach(["one", "other"], "order.paid", (companyId) => {
      seen.push(companyId)
      return exampleOf("order.paid").object()
    })
    expect([drafts.map(({ companyId }) => companyId), seen]).toEqual([["one", "other"], []])
    for (const { object } of drafts) object()
    expect(seen).toEqual(["one", "other"])
  })
})
