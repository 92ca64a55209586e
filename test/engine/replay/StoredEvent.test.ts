import { Result } from "effect"
import fc from "fast-check"
import { describe, expect, it } from "bun:test"
import { decodeLine, encodeEnd, encodeLine, findingAt, type StoredEvent } from "../../../engine/replay/StoredEvent.ts"
import { property } from "../../lib/Property.ts"

const anyEvent: fc.Arbitrary<StoredEvent> = fc.record({
  seq: fc.integer({ min: 1 }),
  stream: fc.string(),
  version: fc.integer({ min: 1 }),
  type: fc.string(),
  data: fc.string({ unit: "binary" }),
  hash: fc.string()
})

describe("StoredEvent", () => {
  it("reads every line back as it was", () => {
    fc.assert(
      fc.property(anyEvent, fc.string(), (event, sum) => {
        expect(decodeLine(encodeLine(event, sum))).toEqual(Result.succeed({ _tag: "Event", event, sum }))
      }),
      property()
    )
    expect(decodeLine(encodeEnd(7))).toEqual(Result.succeed({ _tag: "End", events: 7 }))
  })

  it("takes no other bytes", () => {
    const line = encodeLine({ seq: 1, stream: "s", version: 1, type: "T", data: "{}", hash: "aa" }, "bb")
    const wrong = [
      ` ${line}`,
      line.replace(":1,", ":0,"),
      line.replace(":1,", ":1.0,"),
      line.slice(0, -1),
      "",
      "null",
      "{}"
    ]
    expect(wrong.map((text) => Result.isFailure(decodeLine(text)))).toEqual(wrong.map(() => true))
    expect(Result.isFailure(decodeLine(`{"end":1,"seq":2}`))).toBe(true)
  })

  it("names an event without its data", () => {
    const event = { seq: 1, stream: "s", version: 2, type: "T", data: "{}", hash: "aa" }
    expect(findingAt(event, "is wrong")).toEqual({ seq: 1, stream: "s", version: 2, type: "T", problem: "is wrong" })
  })
})
