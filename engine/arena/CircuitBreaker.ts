/** When a breaker opens, half-opens and closes, and what it stops. */

import { ASSET_TYPES, type AssetType } from "./AssetType.ts"
import type { PriceProblem } from "./PriceBand.ts"

/** What a breaker stops: all of the arena, or one asset type. Specification 4.3. */
export const BREAKER_SCOPES = ["global", ...ASSET_TYPES] as const

export type BreakerScope = (typeof BREAKER_SCOPES)[number]

/** closed: trading; open: commitments are refused; half_open: trading on trial. */
export type BreakerStatus = "closed" | "open" | "half_open"

/** What trips a breaker. A ledger that does not sum to zero keeps it open until an operator resets it. */
export type Trigger = PriceProblem | "order_overdue" | "ledger_imbalance"

export type TransitionReason = Trigger | "clean" | "operator_reset"

/** Something wrong now, in one scope. Overdue orders and the ledger are global; prices are their asset type's. */
export interface Problem {
  readonly scope: BreakerScope
  readonly reason: Trigger
}

/** A breaker changed. Transitions in order are all there is to know of a breaker: see {@link replay}, {@link wasOpen}. */
export interface Transition {
  readonly scope: BreakerScope
  readonly state: BreakerStatus
  readonly reason: TransitionReason
  /** Milliseconds since 1970. */
  readonly at: number
}

/** One scope's breaker. Times are milliseconds since 1970. */
export interface Breaker {
  readonly state: BreakerStatus
  /** When it came into this state; `undefined` for one that has never changed. */
  readonly since: number | undefined
  /** Only an operator closes it. */
  readonly latched: boolean
  /** The first of the unbroken run of clean checks that led here; `undefined` when the last one was not clean. */
  readonly cleanSince: number | undefined
}

/** All breakers, and when they were last checked. */
export interface Breakers {
  readonly scopes: Readonly<Record<BreakerScope, Breaker>>
  readonly checkedAt: number | undefined
}

/** The breakers after a step, and what changed, in order. */
export interface Step {
  readonly breakers: Breakers
  readonly transitions: ReadonlyArray<Transition>
}

/** An open breaker goes half-open after this long without a problem: 5 minutes. */
export const CLEAN_TO_HALF_OPEN_MILLIS = 300_000

/** A half-open breaker closes after this long without a problem: 60 seconds. */
export const CLEAN_TO_CLOSE_MILLIS = 60_000

/** Checks further apart than this prove nothing about the time between: the clean run starts again. */
export const LONGEST_CHECK_GAP_MILLIS = 30_000

/** An order is overdue when it is unsettled this long after its price was final: 60 seconds. */
export const OVERDUE_MILLIS = 60_000

const CLOSED: Breaker = { state: "closed", since: undefined, latched: false, cleanSince: undefined }

/** Every breaker closed and never checked. */
export const initial: Breakers = {
  scopes: { global: CLOSED, commodity: CLOSED, fx: CLOSED, options: CLOSED, gpu: CLOSED },
  checkedAt: undefined
}

/**
 * A complete look at everything: trips the scopes of the problems, and takes all other scopes to be clean at `at`.
 * Call it at least every {@link LONGEST_CHECK_GAP_MILLIS}. Here and below, a time before the last check counts as its.
 */
export const check = (breakers: Breakers, problems: ReadonlyArray<Problem>, at: number): Step => {
  const now = notBefore(breakers, at)
  const unbroken = breakers.checkedAt !== undefined && now - breakers.checkedAt <= LONGEST_CHECK_GAP_MILLIS
  const tripped = trip(breakers, problems, now)
  const dirty = new Set(problems.map(({ scope }) => scope))
  const scopes = { ...tripped.breakers.scopes }
  const transitions = [...tripped.transitions]
  for (const scope of BREAKER_SCOPES) {
    if (dirty.has(scope)) continue
    const before = scopes[scope]
    const after = stayClean(before, unbroken, now)
    scopes[scope] = after
    if (after.state !== before.state) transitions.push({ scope, state: after.state, reason: "clean", at: now })
  }
  return { breakers: { scopes, checkedAt: now }, transitions }
}

/** Trips the scopes of the problems at once, between checks, and says nothing about the others. */
export const trip = (breakers: Breakers, problems: ReadonlyArray<Problem>, at: number): Step => {
  const now = notBefore(breakers, at)
  const scopes = { ...breakers.scopes }
  const transitions: Array<Transition> = []
  for (const { scope, reason } of problems) {
    const before = scopes[scope]
    const latches = reason === "ledger_imbalance"
    const changes = before.state !== "open" || (latches && !before.latched)
    scopes[scope] = changes ? opened(before, latches, now) : { ...before, cleanSince: undefined }
    if (changes) transitions.push({ scope, state: "open", reason, at: now })
  }
  return { breakers: { ...breakers, scopes }, transitions }
}

/** An operator lets a latched breaker go half-open, where clean checks close it. Nothing happens to any other. */
export const reset = (breakers: Breakers, scope: BreakerScope, at: number): Step => {
  if (!breakers.scopes[scope].latched) return { breakers, transitions: [] }
  const now = notBefore(breakers, at)
  const scopes = { ...breakers.scopes, [scope]: { ...CLOSED, state: "half_open", since: now } as const }
  return {
    breakers: { ...breakers, scopes },
    transitions: [{ scope, state: "half_open", reason: "operator_reset", at: now }]
  }
}

/** The breakers that these transitions, in order, led to. Clean runs are not remembered: they start again. */
export const replay = (transitions: Iterable<Transition>): Breakers => {
  const scopes = { ...initial.scopes }
  for (const { scope, state, reason, at } of transitions) {
    const before = scopes[scope]
    scopes[scope] =
      state === "open" ? opened(before, reason === "ledger_imbalance", at) : { ...CLOSED, state, since: at }
  }
  return { scopes, checkedAt: undefined }
}

export const isOpen = (breakers: Breakers, scope: BreakerScope): boolean => breakers.scopes[scope].state === "open"

/** Whether commitments on this asset type are refused: its own breaker or the global one is open. */
export const isHalted = (breakers: Breakers, assetType: AssetType): boolean =>
  isOpen(breakers, "global") || isOpen(breakers, assetType)

/** Whether a scope was open at a time, from its transitions in order. It is open from the time that it opened on. */
export const wasOpen = (transitions: ReadonlyArray<Transition>, scope: BreakerScope, at: number): boolean =>
  transitions.findLast((transition) => transition.scope === scope && transition.at <= at)?.state === "open"

/** Whether commitments on this asset type were refused at a time, such as its order's expiry. */
export const wasHalted = (transitions: ReadonlyArray<Transition>, assetType: AssetType, at: number): boolean =>
  wasOpen(transitions, "global", at) || wasOpen(transitions, assetType, at)

/** The earliest that an open breaker can go half-open, in whole seconds from `at`, at least 1; for `Retry-After`. */
export const retryAfterSeconds = (breakers: Breakers, scope: BreakerScope, at: number): number => {
  const { cleanSince, latched } = breakers.scopes[scope]
  const from = latched ? at : (cleanSince ?? at)
  return Math.max(1, Math.ceil((from + CLEAN_TO_HALF_OPEN_MILLIS - at) / 1000))
}

/** Whether an order whose price was final at `finalAt` should have been settled long before `now`. */
export const isOverdue = (finalAt: number, now: number): boolean => now - finalAt > OVERDUE_MILLIS

/** Transitions stay in the order of time even where the caller's clock does not. */
const notBefore = (breakers: Breakers, at: number): number => Math.max(at, breakers.checkedAt ?? at)

const opened = (before: Breaker, latches: boolean, at: number): Breaker => ({
  state: "open",
  since: before.state === "open" ? before.since : at,
  latched: latches || before.latched,
  cleanSince: undefined
})

const stayClean = (before: Breaker, unbroken: boolean, now: number): Breaker => {
  const cleanSince = unbroken && before.cleanSince !== undefined ? before.cleanSince : now
  const clean = { ...before, cleanSince }
  if (before.state === "open" && !before.latched && now - cleanSince >= CLEAN_TO_HALF_OPEN_MILLIS) {
    return { ...clean, state: "half_open", since: now, cleanSince: now }
  }
  return before.state === "half_open" && now - cleanSince >= CLEAN_TO_CLOSE_MILLIS
    ? { ...clean, state: "closed", since: now }
    : clean
}
