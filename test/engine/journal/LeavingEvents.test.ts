import { describe, expect, it } from "bun:test"
import { LeavingEvents } from "../../../engine/journal/LeavingEvents.ts"
import type { StoredEvent } from "../../../engine/replay/StoredEvent.ts"

const event = (seq: number, stream: string, type: string): StoredEvent => ({
  seq,
  stream,
  version: seq,
  type,
  data: "{}",
  hash: ""
})

describe("LeavingEvents", () => {
  it("lets commitments go once their order has ended in the archive", () => {
    const leaving = new LeavingEvents()
    expect(leaving.take(event(1, "order/a", "OrderOpened"), true)).toBeUndefined()
    expect(leaving.take(event(2, "order/a", "CommitmentSubmitted"), false)).toBeUndefined()
    expect(leaving.take(event(3, "order/b", "CommitmentSubmitted"), false)).toBeUndefined()
    expect(leaving.finding?.seq).toBe(2)
    expect(leaving.take(event(4, "order/a", "OrderVoided"), true)).toBeUndefined()
    expect(leaving.finding?.seq).toBe(3)
    expect(leaving.take(event(5, "order/b", "OrderSettled"), true)).toBeUndefined()
    expect(leaving.finding).toBeUndefined()
  })

  it("lets no other event go but what nothing reads back", () => {
    const leaving = new LeavingEvents()
    expect(leaving.take(event(1, "company/a", "CompanyUpdated"), false)).toBeUndefined()
    expect(leaving.take(event(2, "company/a", "CompanyCreated"), false)?.seq).toBe(2)
    expect(leaving.take(event(3, "order/a", "OrderSettled"), false)?.seq).toBe(3)
    expect(leaving.take(event(4, "order/a", "OrderOpened"), true)).toBeUndefined()
  })
})
