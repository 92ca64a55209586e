import { describe, expect, it } from "bun:test"
import fc from "fast-check"
import type { Principal } from "../../../src/api/Authorization.ts"
import { make, MAX_CALLERS, TIER_LIMITS } from "../../../src/http/RateLimiter.ts"
import { property } from "../../lib/Property.ts"

const NOW = 1_800_000_000_000

const principal = { userId: "u" } as Principal

describe("RateLimiter", () => {
  it("refuses the request after the limit and starts anew with the minute", () => {
    const limiter = make(true, () => "standard")
    for (let n = 1; n <= TIER_LIMITS.standard; n++) {
      const { allowed, remaining } = limiter.take("a", undefined, NOW)
      expect([allowed, remaining]).toEqual([true, TIER_LIMITS.standard - n])
    }
    expect(limiter.take("a", undefined, NOW + 59_999)).toEqual({
      limit: 100,
      remaining: 0,
      reset: NOW / 1000 + 60,
      allowed: false
    })
    expect(limiter.take("b", undefined, NOW).allowed).toBe(true)
    expect(limiter.take("a", undefined, NOW + 60_000)).toMatchObject({ allowed: true, remaining: 99 })
  })

  it("gives each tier its own limit", () => {
    for (const tier of ["standard", "pro", "enterprise"] as const) {
      expect(make(true, () => tier).take("a", principal, NOW).limit).toBe(
        { standard: 100, pro: 500, enterprise: 2000 }[tier]
      )
    }
    expect(make(true, () => "enterprise").take("a", undefined, NOW).limit).toBe(100)
  })

  it("keeps the headers and refuses nothing when off", () => {
    const limiter = make(false, () => "standard")
    for (let n = 0; n < 300; n++)
      expect(limiter.take("a", undefined, NOW)).toMatchObject({ allowed: true, remaining: 100 })
  })

  it("does not grow without bound", () => {
    const limiter = make(true, () => "standard")
    for (let n = 0; n < MAX_CALLERS; n++) limiter.take(`caller ${n}`, undefined, NOW)
    for (let n = 0; n < TIER_LIMITS.standard; n++) expect(limiter.take(`late ${n}`, undefined, NOW).allowed).toBe(true)
    expect(limiter.take("late", undefined, NOW).allowed).toBe(false)
    expect(limiter.take("caller 1", undefined, NOW).allowed).toBe(true)
  })

  it("never allows a caller more than the limit in a minute, and never counts a look", () => {
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.constantFrom("a", "b"), fc.nat(180_000), fc.boolean()), { maxLength: 500 }),
        (asked) => {
          const limiter = make(true, () => "standard")
          const allowed = new Map<string, number>()
          for (const [caller, offset, take] of asked.toSorted((left, right) => left[1] - right[1])) {
            const now = NOW + offset
            const before = limiter.peek(caller, undefined, now)
            if (!take) continue
            const key = `${caller} ${Math.floor(now / 60_000)}`
            const answer = limiter.take(caller, undefined, now)
            expect(answer.remaining).toBe(answer.allowed ? before.remaining - 1 : 0)
            if (answer.allowed) allowed.set(key, (allowed.get(key) ?? 0) + 1)
          }
          for (const count of allowed.values()) expect(count).toBeLessThanOrEqual(100)
        }
      ),
      property()
    )
  })
})
