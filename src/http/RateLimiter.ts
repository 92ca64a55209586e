import { Context, Effect, Layer } from "effect"
import type { Principal } from "../api/Authorization.ts"
import { Settings } from "../Config.ts"

/** Requests a minute of each tier. Specification 8. Anonymous callers have the standard one, by address. */
export const TIER_LIMITS = { standard: 100, pro: 500, enterprise: 2000 } as const

export type Tier = keyof typeof TIER_LIMITS

const WINDOW = 60_000

/** Callers counted in one window; those beyond share one count, so that memory stays bounded. */
export const MAX_CALLERS = 100_000

/** The tier of a principal's company. */
export const TierOf = Context.Reference<(principal: Principal) => Tier>("emporion/http/RateLimiter/TierOf", {
  defaultValue: () => () => "standard"
})

/** What the three headers say, and whether the request may go on. */
export interface Allowance {
  readonly limit: number
  readonly remaining: number
  /** Unix seconds at which the window ends. */
  readonly reset: number
  readonly allowed: boolean
}

/** Counts requests of each caller in windows of one minute. A refused request is not counted. */
export class RateLimiter extends Context.Service<
  RateLimiter,
  {
    /** `now` is in milliseconds. */
    readonly take: (caller: string, principal: Principal | undefined, now: number) => Allowance
    /** The allowance without counting. */
    readonly peek: (caller: string, principal: Principal | undefined, now: number) => Allowance
  }
>()("emporion/http/RateLimiter") {
  static readonly layer = Layer.effect(
    this,
    Effect.gen(function* () {
      const { server } = yield* Settings
      return make(server.rateLimits, yield* TierOf)
    })
  )
}

/** A limiter of its own. Off: the headers stay and nothing is refused. */
export const make = (enabled: boolean, tierOf: (principal: Principal) => Tier): RateLimiter["Service"] => {
  const counts = new Map<string, number>()
  let window = -1

  const allowance = (caller: string, principal: Principal | undefined, now: number, cost: 0 | 1): Allowance => {
    const current = Math.floor(now / WINDOW)
    if (current !== window) {
      window = current
      counts.clear()
    }
    const limit = TIER_LIMITS[principal === undefined ? "standard" : tierOf(principal)]
    const reset = (current + 1) * (WINDOW / 1000)
    if (!enabled) return { limit, remaining: limit, reset, allowed: true }
    const key = counts.size < MAX_CALLERS || counts.has(caller) ? caller : "others"
    const used = counts.get(key) ?? 0
    if (used + cost > limit) return { limit, remaining: 0, reset, allowed: false }
    if (cost > 0) counts.set(key, used + cost)
    return { limit, remaining: limit - used - cost, reset, allowed: true }
  }

  return {
    take: (caller, principal, now) => allowance(caller, principal, now, 1),
    peek: (caller, principal, now) => allowance(caller, principal, now, 0)
  }
}
