import type { CompanyPlan } from "../../engine/company/CompanyEvent.ts"
import { Context, Effect, Layer } from "effect"
import type { Principal } from "../api/Authorization.ts"
import { Settings } from "../Config.ts"
import { AddressCounts } from "./AddressCounts.ts"

/** Requests a minute of each plan. Specification 8. Anonymous callers have the standard one, by address. */
export const PLAN_LIMITS = { standard: 100, pro: 500, enterprise: 2000 } as const satisfies Readonly<
  Record<CompanyPlan, number>
>

const WINDOW = 60_000

/** What a request counts for. */
export const REQUEST_COST = 5

/** The cost of a message of /rpc that makes a single commitment: a fifth of a request. */
export const COMMITMENT_COST = 1

/** Refused tokens of one address in a minute after which only tokens known to be good are checked. */
export const MAX_REFUSED_TOKENS = 100

/** The plan of a principal's company. */
export const PlanOf = Context.Reference<(principal: Principal) => CompanyPlan>("emporion/http/RateLimiter/PlanOf", {
  defaultValue: () => () => "standard"
})

/** The values of the three headers, and whether the request may go on. */
export interface Allowance {
  readonly limit: number
  readonly remaining: number
  /** Unix seconds at which the window ends. */
  readonly reset: number
  readonly allowed: boolean
}

/** Costs that a caller was let spend in the window. */
interface Spent {
  cost: number
}

/**
 * Counts requests of each caller in windows of one minute. A refused request is not counted. Callers who are signed in
 * always count alone. When there are too many addresses, they share the count of their networks.
 */
export class RateLimiter extends Context.Service<
  RateLimiter,
  {
    /** `now` is in milliseconds. `cost` is its weight, {@link REQUEST_COST} by default. */
    readonly take: (caller: string, principal: Principal | undefined, now: number, cost?: number) => Allowance
    /** The allowance without counting. */
    readonly peek: (caller: string, principal: Principal | undefined, now: number) => Allowance
    /** Counts a token that was refused, by the address that it came from. */
    readonly tokenRefused: (address: string, now: number) => void
    /** Whether to check an address's tokens that are not known to be good. */
    readonly looksAtTokens: (address: string, now: number) => boolean
  }
>()("emporion/http/RateLimiter") {
  static readonly layer = Layer.effect(
    this,
    Effect.gen(function* () {
      const { server } = yield* Settings
      return make(server.rateLimits, yield* PlanOf)
    })
  )
}

const ADDRESS_AT = "address:".length

/** A limiter of its own. Off: the headers stay and nothing is refused. */
export const make = (enabled: boolean, planOf: (principal: Principal) => CompanyPlan): RateLimiter["Service"] => {
  const signedIn = new Map<string, Spent>()
  const anonymous = new AddressCounts()
  const refused = new AddressCounts()
  let window = -1

  const signedInSpent = (caller: string): Spent => {
    const known = signedIn.get(caller)
    if (known !== undefined) return known
    const made = { cost: 0 }
    signedIn.set(caller, made)
    return made
  }

  /** The window of a time. It counts nothing before the first request. */
  const enter = (now: number): number => {
    const current = Math.floor(now / WINDOW)
    if (current !== window) {
      window = current
      signedIn.clear()
      anonymous.clear()
      refused.clear()
    }
    return current
  }

  const allowance = (caller: string, principal: Principal | undefined, now: number, cost: number): Allowance => {
    const current = enter(now)
    const limit = PLAN_LIMITS[principal === undefined ? "standard" : planOf(principal)]
    const reset = (current + 1) * (WINDOW / 1000)
    if (!enabled) return { limit, remaining: limit, reset, allowed: true }
    const spent = principal === undefined ? undefined : signedInSpent(caller)
    const address = caller.slice(ADDRESS_AT)
    const left = limit * REQUEST_COST - (spent?.cost ?? anonymous.get(address)) - cost
    if (left < 0) return { limit, remaining: Math.floor((left + cost) / REQUEST_COST), reset, allowed: false }
    if (spent !== undefined) spent.cost += cost
    else if (cost > 0) anonymous.add(address, cost)
    return { limit, remaining: Math.floor(left / REQUEST_COST), reset, allowed: true }
  }

  return {
    take: (caller, principal, now, cost = REQUEST_COST) => allowance(caller, principal, now, cost),
    peek: (caller, principal, now) => allowance(caller, principal, now, 0),
    tokenRefused: (address, now) => {
      enter(now)
      refused.add(address, 1)
    },
    looksAtTokens: (address, now) => {
      enter(now)
      return !enabled || refused.get(address) < MAX_REFUSED_TOKENS
    }
  }
}
