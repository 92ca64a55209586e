import { describe, expect, it } from "bun:test"
import fc from "fast-check"
import { MAX_OF_A_CALLER, MAX_WAITING, RequestBuffer } from "../../../src/requests/RequestBuffer.ts"
import { property } from "../../lib/Property.ts"

interface Noted {
  readonly caller: string
}

const fill = (buffer: RequestBuffer<Noted>, caller: string, count: number): void => {
  for (let one = 0; one < count; one++) if (buffer.takeRoom(caller)) buffer.add({ caller })
}

describe("RequestBuffer", () => {
  it("keeps a flood of one caller from the room of others, and counts what it dropped", () => {
    const buffer = new RequestBuffer<Noted>()
    fill(buffer, "flood", 100_000)
    fill(buffer, "quiet", 1)
    const taken = buffer.take()
    expect(taken.length).toBe(MAX_OF_A_CALLER + 1)
    expect(taken.at(-1)?.caller).toBe("quiet")
    expect(buffer.takeDropped()).toBe(100_000 - MAX_OF_A_CALLER)
    expect(buffer.takeDropped()).toBe(0)
    fill(buffer, "flood", 1)
    expect(buffer.take()).toEqual([{ caller: "flood" }])
  })

  it("never has more than its bound, and loses none uncounted", () => {
    const act = fc.oneof(
      fc.record({ caller: fc.integer({ min: 0, max: 30 }), count: fc.integer({ min: 1, max: 400 }) }),
      fc.constantFrom("written" as const, "failed" as const)
    )
    fc.assert(
      fc.property(fc.array(act, { maxLength: 40 }), (acts) => {
        const buffer = new RequestBuffer<Noted>()
        let [sent, written, dropped] = [0, 0, 0]
        for (const one of acts) {
          if (typeof one === "object") {
            fill(buffer, `caller ${one.caller}`, one.count)
            sent += one.count
            continue
          }
          const taken = buffer.take()
          expect(taken.length).toBeLessThanOrEqual(MAX_WAITING)
          if (one === "written") written += taken.length
          else buffer.restore(taken)
          dropped += buffer.takeDropped()
        }
        dropped += buffer.takeDropped()
        expect(written + dropped + buffer.take().length).toBe(sent)
      }),
      property()
    )
  })

  it("puts back the oldest first", () => {
    const buffer = new RequestBuffer<Noted>()
    buffer.add({ caller: "old" })
    const taken = buffer.take()
    for (let one = 0; one < MAX_WAITING; one++) buffer.add({ caller: "new" })
    buffer.restore(taken)
    const kept = buffer.take()
    expect([kept.length, kept[0]?.caller, buffer.takeDropped()]).toEqual([MAX_WAITING, "old", 1])
  })

  it("has no more than its share of one caller while nothing can be written", () => {
    const buffer = new RequestBuffer<Noted>()
    for (let second = 0; second < 10; second++) {
      fill(buffer, "flood", 1_000)
      buffer.restore(buffer.take())
    }
    fill(buffer, "quiet", 1)
    expect(buffer.take().map(({ caller }) => caller)).toEqual([
      ...Array<string>(MAX_OF_A_CALLER).fill("flood"),
      "quiet"
    ])
  })

  it("tells one refusal by a rate limit of each caller and minute", () => {
    const buffer = new RequestBuffer<Noted>()
    const told = (caller: string, now: number) => buffer.isFirstLimited(caller, now)
    expect([told("one", 60_000), told("one", 119_999), told("other", 119_999), told("one", 120_000)]).toEqual([
      true,
      false,
      true,
      true
    ])
  })
})
