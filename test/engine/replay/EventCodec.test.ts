import { Result } from "effect"
import { describe, expect, it } from "bun:test"
import { encodeEvent } from "../../../engine/actor/EventChain.ts"
import { readEvent } from "../../../engine/replay/EventCodec.ts"
import { sampleLog } from "../../lib/ReplayLog.ts"

describe("EventCodec", () => {
  it("reads every kind of event back to the bytes it was recorded with", () => {
    for (const stored of sampleLog()) {
      const { of, event } = Result.getOrThrow(readEvent(stored))
      expect(encodeEvent(event)).toBe(stored.data)
      expect(of).toBe(stored.stream.startsWith("order/") ? "order" : "funds")
    }
  })

  it("says so of bytes that are no event", () => {
    const [first] = sampleLog()
    expect(Result.isFailure(readEvent({ ...first!, data: "{" }))).toBe(true)
    expect(Result.isFailure(readEvent({ ...first!, type: "OrderOpened" }))).toBe(true)
  })
})
