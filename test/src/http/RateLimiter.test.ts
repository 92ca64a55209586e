import { describe, expect, it } from "bun:test"
import fc from "fast-check"
import type { Principal } from "../../../src/api/Authorization.ts"
import { COMMITMENT_COST, make, PLAN_LIMITS } from "../../../src/http/RateLimiter.ts"
import { property } from "../../lib/Property.ts"

const NOW = 1_800_000_000_000

const A = "address:198.51.100.1"
const B = "address:198.51.100.2"

const principal = { userId: "u" } as Principal

describe("RateLimiter", () => {
  it("refuses the request after the limit and starts anew with the minute", () => {
    const limiter = make(true, () => "standard")
    for (let n = 1; n <= PLAN_LIMITS.standard; n++) {
      const { allowed, remaining } = limiter.take(A, undefined, NOW)
      expect([allowed, remaining]).toEqual([true, PLAN_LIMITS.standard - n])
    }
    expect(limiter.take(A, undefined, NOW + 59_999)).toEqual({
      limit: 100,
      remaining: 0,
      reset: NOW / 1000 + 60,
      allowed: false
    })
    expect(limiter.take(B, undefined, NOW).allowed).toBe(true)
    expect(limiter.take(A, undefined, NOW + 60_000)).toMatchObject({ allowed: true, remaining: 99 })
  })

  it("gives each plan its own limit", () => {
    for (const plan of ["standard", "pro", "enterprise"] as const) {
      expect(make(true, () => plan).take("user:a", principal, NOW).limit).toBe(
        { standard: 100, pro: 500, enterprise: 2000 }[plan]
      )
    }
    expect(make(true, () => "enterprise").take(A, undefined, NOW).limit).toBe(100)
  })

  it("keeps the headers and refuses nothing when off", () => {
    const limiter = make(false, () => "standard")
    for (let n = 0; n < 300; n++)
      expect(limiter.take(A, undefined, NOW)).toMatchObject({ allowed: true, remaining: 100 })
  })

  it("takes a fifth of a request for what costs a fifth, and shows whole requests that are left", () => {
    const limiter = make(true, () => "enterprise")
    const left: Array<number> = []
    for (let n = 0; n < 6; n++) left.push(limiter.take("user:a", principal, NOW, COMMITMENT_COST).remaining)
    expect(left).toEqual([1_999, 1_999, 1_999, 1_999, 1_999, 1_998])
    for (let n = 6; n < 100 * 60; n++)
      expect(limiter.take("user:a", principal, NOW, COMMITMENT_COST).allowed).toBe(true)
    expect(limiter.peek("user:a", principal, NOW).remaining).toBe(800)
  })

  it("counts addresses that are too many by their networks alone, and who is signed in never with others", () => {
    const limiter = make(true, () => "standard")
    for (let n = 0; n < 100_500; n++) {
      limiter.take(`address:10.${n >> 16}.${(n >> 8) & 255}.${n & 255}`, undefined, NOW)
    }
    for (let n = 0; n < PLAN_LIMITS.standard; n++) {
      expect(limiter.take(`address:192.0.2.${n}`, undefined, NOW).allowed).toBe(true)
    }
    expect(limiter.take("address:192.0.2.200", undefined, NOW).allowed).toBe(false)
    expect(limiter.take("address:198.51.100.1", undefined, NOW)).toMatchObject({ allowed: true, remaining: 99 })
    expect(limiter.take("address:10.0.0.1", undefined, NOW)).toMatchObject({ allowed: true, remaining: 98 })
    expect(limiter.take("user:admin", principal, NOW)).toMatchObject({ allowed: true, remaining: 99 })
    expect(limiter.take("address:192.0.2.200", undefined, NOW + 60_000).remaining).toBe(99)
  })

  it("never allows a caller more than the limit in a minute, and never counts a look", () => {
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.constantFrom(A, B), fc.nat(180_000), fc.boolean()), { maxLength: 500 }),
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
