import { describe, expect, it } from "bun:test"
import {
  bytesText,
  noBodyText,
  phaseParts,
  queryOf,
  requestPath,
  toneOf
} from "../../../../../src/dashboard/app/requests/RequestReading.ts"

describe("A request in the dashboard", () => {
  it("has an address, whatever its caller named it", () => {
    expect(requestPath("1816123456789012")).toBe("/requests/1816123456789012")
    expect(requestPath("a/b")).toBe("/requests/a%2Fb")
  })

  it("has the colour of its status", () => {
    expect([200, 302, 404, 429, 500, 503].map(toneOf)).toEqual(["good", "good", "wait", "wait", "bad", "bad"])
  })

  it("tells its length where it is known", () => {
    expect([null, 0, 999, 1_000, 12_345].map(bytesText)).toEqual(["", "0 B", "999 B", "1.0 KB", "12.3 KB"])
  })

  it("tells why its body is not shown, and that it had none only where it said no length", () => {
    expect([null, 0, 9_000].map((bytes) => noBodyText(bytes).includes("had none"))).toEqual([true, false, false])
  })

  it("tells the parts of its time that add up to it", () => {
    const phases = { checks_ms: 1, decision_ms: 2, append_ms: 4, answer_ms: 8, projection_ms: 100 }
    expect(phaseParts(phases).reduce((sum, [, millis]) => sum + millis, 0)).toBe(15)
  })

  it("is looked for by what was written, and by nothing that was not", () => {
    expect(queryOf({ shown: "all", operation: " ", path: "", code: "" })).toEqual({})
    expect(queryOf({ shown: "refused", operation: "POST /v1/funds ", path: "/fu", code: "not_found" })).toEqual({
      status: "refused",
      operation: "POST /v1/funds",
      path: "/fu",
      code: "not_found"
    })
  })
})
