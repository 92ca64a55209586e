import { describe, expect, it } from "bun:test"
import type { StoredEvent } from "../../../engine/replay/StoredEvent.ts"
import { Verification } from "../../../engine/replay/Verification.ts"
import { forged, hashing, sampleLog } from "../../lib/ReplayLog.ts"

const events = sampleLog()

const verify = (log: ReadonlyArray<StoredEvent>) => {
  const verification = new Verification(hashing)
  for (const event of log) {
    const finding = verification.step(event)
    if (finding !== undefined) return { verification, finding }
  }
  return { verification, finding: undefined }
}

describe("Verification", () => {
  it("finds nothing in a log as it was written", () => {
    const { verification, finding } = verify(events)
    expect(finding).toBeUndefined()
    expect([verification.chain.events, verification.winners.recomputed]).toEqual([events.length, 3])
  })

  it("names an altered event, and a chosen winner that its key does not bear out under whole chains", () => {
    const { seq, stream } = events.find(({ type }) => type === "WinnerChosen")!
    const altered = events.map((event) => (event.seq === seq ? { ...event, data: `${event.data} ` } : event))
    expect(verify(altered).finding).toMatchObject({ seq, stream })
    const cheaper = forged(events, seq, (data) =>
      data.replace('"clearingPrice":"102000000"', '"clearingPrice":"101000000"')
    )
    expect(verify(cheaper).finding).toMatchObject({ seq, stream, problem: expect.stringContaining("published key") })
  })

  it("names an event that cannot be read", () => {
    const { seq } = events.find(({ type }) => type === "OrderClosed")!
    const unreadable = forged(events, seq, (data) => data.replace('"at"', '"when"'))
    expect(verify(unreadable).finding).toMatchObject({ seq, problem: expect.stringContaining("cannot be read") })
  })
})
