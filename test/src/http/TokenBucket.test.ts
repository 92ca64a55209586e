import { describe, expect, it } from "bun:test"
import fc from "fast-check"
import { BLOCKS } from "../../../engine/cluster/QuotaPart.ts"
import { TokenBucket } from "../../../src/http/TokenBucket.ts"
import { property } from "../../lib/Property.ts"

const REFILL = { burst: 60, perSecond: 10 }

describe("TokenBucket", () => {
  it("gives its burst at once, then what time brings back, and never more than the burst", () => {
    const bucket = new TokenBucket(REFILL, 0)
    for (let n = 0; n < 60; n++) expect(bucket.take(0)).toBe(true)
    expect([bucket.take(0), bucket.take(99), bucket.take(100), bucket.take(100)]).toEqual([false, false, true, false])
    expect([bucket.take(3_600_000, 61), bucket.take(3_600_000, 60)]).toEqual([false, true])
  })

  it("makes no tokens by lending and giving back, and has never less than a block", () => {
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.nat(2_000), fc.boolean(), fc.integer({ min: 1, max: 5 }), fc.nat(60)), { maxLength: 50 }),
        (acts) => {
          const [home, other] = [new TokenBucket(REFILL, 0), new TokenBucket(REFILL, 0, 0)]
          let now = 0
          let taken = 0
          for (const [passed, isLent, blocks, cost] of acts) {
            now += passed
            if (isLent && home.blocks > blocks) other.regain(now, blocks, home.lend(now, blocks))
            else if (!isLent && other.blocks >= blocks) home.regain(now, blocks, other.lend(now, blocks))
            for (const bucket of [home, other]) if (bucket.take(now, cost)) taken += cost
            expect(home.blocks + other.blocks).toBe(BLOCKS)
          }
          // The other one has a block's refill also while it has none.
          const rate = (REFILL.perSecond * (BLOCKS + 1)) / BLOCKS / 1_000
          expect(taken).toBeLessThanOrEqual(REFILL.burst + now * rate + 1e-6)
        }
      ),
      property()
    )
  })

  it("lets through at most the burst and the rate over every span of time, and refuses only what passes them", () => {
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.integer({ min: -50, max: 3_000 }), fc.integer({ min: 1, max: 70 })), { maxLength: 100 }),
        (asked) => {
          const bucket = new TokenBucket(REFILL, 0)
          const taken: Array<{ readonly at: number; readonly cost: number }> = []
          let now = 0
          let latest = 0
          let level = REFILL.burst
          for (const [passed, cost] of asked) {
            now = Math.max(0, now + passed)
            level = Math.min(REFILL.burst, level + (Math.max(0, now - latest) * REFILL.perSecond) / 1_000)
            latest = now
            const isLet = bucket.take(now, cost)
            expect(isLet).toBe(level >= cost)
            if (!isLet) continue
            level -= cost
            taken.push({ at: now, cost })
          }
          const forward = asked.every(([passed]) => passed >= 0)
          if (!forward) return
          for (const [index, { at: from }] of taken.entries()) {
            let sum = 0
            for (const { at, cost } of taken.slice(index)) {
              sum += cost
              expect(sum).toBeLessThanOrEqual(REFILL.burst + ((at - from) * REFILL.perSecond) / 1_000 + 1e-6)
            }
          }
        }
      ),
      property()
    )
  })
})
