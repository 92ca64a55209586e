import { describe, expect, it } from "bun:test"
import fc from "fast-check"
import { sampling } from "../../../src/http/RequestTracing.ts"
import { property } from "../../lib/Property.ts"

const share = fc.double({ min: 0, max: 1, noNaN: true })
const trace = fc.bigInt({ min: 1n, max: 2n ** 128n - 1n }).map((id) => id.toString(16).padStart(32, "0"))

const parentOf = (id: string, flags: string): string => `00-${id}-00f067aa0ba902b7-${flags}`

describe("The choice of traced requests", () => {
  it("leaves those without a trace to chance", () => {
    fc.assert(
      fc.property(share, share, fc.constantFrom(null, "", "nonsense"), (part, drawn, parent) => {
        expect(sampling(part, () => drawn)(parent)).toBe(part >= 1 || drawn < part)
      }),
      property()
    )
  })

  it("chooses a caller's trace alike wherever the share is the same, and wherever it is larger", () => {
    fc.assert(
      fc.property(share, share, trace, (one, other, id) => {
        const [less, more] = [Math.min(one, other), Math.max(one, other)]
        const chosen = (part: number, drawn: number): boolean => sampling(part, () => drawn)(parentOf(id, "01"))
        expect(chosen(less, 0)).toBe(chosen(less, 0.999))
        if (chosen(less, 0)) expect(chosen(more, 0)).toBe(true)
        expect(chosen(1, 0)).toBe(true)
        expect(chosen(0, 0)).toBe(false)
      }),
      property()
    )
  })

  it("chooses about the share of many traces", () => {
    const of = sampling(0.01, () => 0)
    const ids = Array.from({ length: 50_000 }, (_, index) => (BigInt(index) * 2_654_435_761n) % 2n ** 32n)
    const chosen = ids.filter((id) => of(parentOf(id.toString(16).padStart(32, "0"), "01")))
    expect(Math.abs(chosen.length / ids.length - 0.01)).toBeLessThan(0.002)
  })

  it("leaves out what the caller leaves out", () => {
    fc.assert(
      fc.property(trace, (id) => {
        expect(sampling(1, () => 0)(parentOf(id, "00"))).toBe(false)
      }),
      property()
    )
  })
})
