import { describe, expect, it } from "bun:test"
import fc from "fast-check"
import { webhookEventId } from "../../../engine/webhooks/WebhookId.ts"
import { runs } from "../../lib/Property.ts"

const hash = fc.stringMatching(/^[0-9a-f]{64}$/)
const index = fc.integer({ min: 0, max: 32_767 })

describe("webhookEventId", () => {
  it("is 24 letters of Crockford's base 32, the same for the same message", () => {
    fc.assert(
      fc.property(hash, index, (of, at) => {
        expect(webhookEventId(of, at)).toMatch(/^evt_[0-9a-hjkmnp-tv-z]{24}$/)
        expect(webhookEventId(of, at)).toBe(webhookEventId(of, at))
      }),
      { numRuns: runs() }
    )
  })

  it("does not tell how many others are told", () => {
    const lasts = fc.sample(hash, 200).map((of) => webhookEventId(of, 0).slice(-3))
    expect(new Set(lasts).size).toBeGreaterThan(100)
  })

  it("differs where the first 105 bits of the hash do, or the message", () => {
    fc.assert(
      fc.property(hash, hash, index, index, (one, other, first, second) => {
        const isSame = BigInt(`0x${one}`) >> 151n === BigInt(`0x${other}`) >> 151n && first === second
        expect(webhookEventId(one, first) === webhookEventId(other, second)).toBe(isSame)
      }),
      { numRuns: runs(), examples: [["0".repeat(64), `${"0".repeat(26)}8${"0".repeat(37)}`, 0, 0]] }
    )
  })
})
