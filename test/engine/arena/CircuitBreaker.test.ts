import { describe, expect, it } from "bun:test"
import fc from "fast-check"
import { ASSET_TYPES } from "../../../engine/arena/AssetType.ts"
import {
  BREAKER_SCOPES,
  type Breakers,
  type BreakerStatus,
  type BreakerScope,
  check,
  initial,
  isHalted,
  isOpen,
  isOverdue,
  type Problem,
  replay,
  reset,
  retryAfterSeconds,
  type Step,
  type Transition,
  trip,
  wasHalted,
  wasOpen
} from "../../../engine/arena/CircuitBreaker.ts"
import { property } from "../../lib/Property.ts"

const SECOND = 1000
const STALE: Problem = { scope: "fx", reason: "stale_price" }
const IMBALANCE: Problem = { scope: "global", reason: "ledger_imbalance" }
const OVERDUE: Problem = { scope: "global", reason: "order_overdue" }

/** Clean checks every `every` milliseconds after `from`, the last one at `to`. */
const runClean = (breakers: Breakers, from: number, to: number, every = 10 * SECOND): Step => {
  let step: Step = { breakers, transitions: [] }
  const checkAt = (at: number): void => {
    const next = check(step.breakers, [], at)
    step = { breakers: next.breakers, transitions: [...step.transitions, ...next.transitions] }
  }
  for (let at = from + every; at < to; at += every) checkAt(at)
  checkAt(to)
  return step
}

/** The fx breaker opened at 0 and first clean at 1,000. */
const openedAt0 = (): Breakers => check(check(initial, [STALE], 0).breakers, [], SECOND).breakers

/** The fx breaker half-open since 301,000. */
const halfOpen = (): Breakers => runClean(openedAt0(), SECOND, 301 * SECOND).breakers

describe("CircuitBreaker", () => {
  it("begins closed everywhere", () => {
    expect(BREAKER_SCOPES).toEqual(["global", ...ASSET_TYPES])
    for (const scope of BREAKER_SCOPES) {
      expect(initial.scopes[scope]).toEqual({
        state: "closed",
        since: undefined,
        latched: false,
        cleanSince: undefined
      })
      expect(isOpen(initial, scope)).toBe(false)
    }
    expect(initial.checkedAt).toBeUndefined()
    expect(check(initial, [], 5).transitions).toEqual([])
  })

  it("opens on each trigger, in its scope alone", () => {
    const triggers: ReadonlyArray<Problem> = [
      { scope: "commodity", reason: "missing_price" },
      { scope: "fx", reason: "stale_price" },
      { scope: "options", reason: "price_outside_band" },
      OVERDUE,
      IMBALANCE
    ]
    for (const problem of triggers) {
      for (const step of [check(initial, [problem], 7), trip(initial, [problem], 7)]) {
        expect(step.transitions).toEqual([{ ...problem, state: "open", at: 7 }])
        expect(BREAKER_SCOPES.filter((scope) => isOpen(step.breakers, scope))).toEqual([problem.scope])
        expect(step.breakers.scopes[problem.scope].since).toBe(7)
      }
    }
  })

  it("says once that it is open, with the first reason", () => {
    const step = check(initial, [STALE, { scope: "fx", reason: "missing_price" }], 7)
    expect(step.transitions).toEqual([{ ...STALE, state: "open", at: 7 }])
    const again = check(step.breakers, [{ scope: "fx", reason: "missing_price" }], 8)
    expect(again.transitions).toEqual([])
    expect(again.breakers.scopes.fx.since).toBe(7)
  })

  it("goes half-open after exactly 5 minutes of clean checks", () => {
    const before = runClean(openedAt0(), SECOND, 301 * SECOND - 1)
    expect(before.transitions).toEqual([])
    expect(isOpen(before.breakers, "fx")).toBe(true)
    const after = runClean(openedAt0(), SECOND, 301 * SECOND)
    expect(after.transitions).toEqual([{ scope: "fx", state: "half_open", reason: "clean", at: 301 * SECOND }])
    expect(isOpen(after.breakers, "fx")).toBe(false)
    expect(after.breakers.scopes.fx.since).toBe(301 * SECOND)
  })

  it("closes after exactly 60 more clean seconds", () => {
    const before = runClean(halfOpen(), 301 * SECOND, 361 * SECOND - 1)
    expect(before.transitions).toEqual([])
    const after = runClean(halfOpen(), 301 * SECOND, 361 * SECOND)
    expect(after.transitions).toEqual([{ scope: "fx", state: "closed", reason: "clean", at: 361 * SECOND }])
    expect(after.breakers.scopes.fx).toMatchObject({ state: "closed", since: 361 * SECOND, latched: false })
    expect(runClean(after.breakers, 361 * SECOND, 1000 * SECOND).transitions).toEqual([])
  })

  it("reopens from half-open on one trigger, for another 5 minutes", () => {
    const step = check(halfOpen(), [STALE], 302 * SECOND)
    expect(step.transitions).toEqual([{ ...STALE, state: "open", at: 302 * SECOND }])
    const clean = check(step.breakers, [], 303 * SECOND).breakers
    expect(isOpen(runClean(clean, 303 * SECOND, 603 * SECOND - 1).breakers, "fx")).toBe(true)
    expect(isOpen(runClean(clean, 303 * SECOND, 603 * SECOND).breakers, "fx")).toBe(false)
  })

  it("starts the clean run again after a problem, checked or tripped", () => {
    const almost = runClean(openedAt0(), SECOND, 300 * SECOND).breakers
    for (const dirty of [check(almost, [STALE], 301 * SECOND), trip(almost, [STALE], 301 * SECOND)]) {
      expect(dirty.transitions).toEqual([])
      expect(dirty.breakers.scopes.fx).toMatchObject({ state: "open", since: 0, cleanSince: undefined })
      const clean = check(dirty.breakers, [], 302 * SECOND).breakers
      expect(clean.scopes.fx.cleanSince).toBe(302 * SECOND)
      expect(isOpen(runClean(clean, 302 * SECOND, 602 * SECOND - 1).breakers, "fx")).toBe(true)
      expect(isOpen(runClean(clean, 302 * SECOND, 602 * SECOND).breakers, "fx")).toBe(false)
    }
  })

  it("counts no time that was not checked: 30 seconds may pass, not more", () => {
    const kept = check(openedAt0(), [], 31 * SECOND).breakers
    expect(kept.scopes.fx.cleanSince).toBe(SECOND)
    const lost = check(openedAt0(), [], 31 * SECOND + 1).breakers
    expect(lost.scopes.fx.cleanSince).toBe(31 * SECOND + 1)
    expect(check(openedAt0(), [], 1000 * SECOND).transitions).toEqual([])
  })

  it("never goes back in time", () => {
    const checked = check(initial, [], 100).breakers
    expect(check(checked, [STALE], 50).transitions).toEqual([{ ...STALE, state: "open", at: 100 }])
    expect(check(checked, [], 50).breakers.checkedAt).toBe(100)
    expect(trip(checked, [STALE], 50).transitions).toEqual([{ ...STALE, state: "open", at: 100 }])
    const latched = check(initial, [IMBALANCE], 100).breakers
    expect(reset(latched, "global", 50).transitions[0]!.at).toBe(100)
    expect(reset(latched, "global", 50).breakers.scopes.global.since).toBe(100)
  })

  it("says nothing of other scopes when tripped between checks", () => {
    const step = trip(openedAt0(), [OVERDUE], 2 * SECOND)
    expect(step.breakers.scopes.fx).toEqual(openedAt0().scopes.fx)
    expect(step.breakers.checkedAt).toBe(SECOND)
  })

  it("stays open on a ledger imbalance until an operator resets it", () => {
    const latched = check(initial, [IMBALANCE], 0).breakers
    expect(latched.scopes.global.latched).toBe(true)
    const waited = runClean(latched, 0, 3600 * SECOND)
    expect(waited.transitions).toEqual([])
    const step = reset(waited.breakers, "global", 3601 * SECOND)
    expect(step.transitions).toEqual([
      { scope: "global", state: "half_open", reason: "operator_reset", at: 3601 * SECOND }
    ])
    expect(step.breakers.scopes.global).toEqual({
      state: "half_open",
      since: 3601 * SECOND,
      latched: false,
      cleanSince: undefined
    })
    const clean = check(step.breakers, [], 3602 * SECOND).breakers
    expect(runClean(clean, 3602 * SECOND, 3662 * SECOND - 1).transitions).toEqual([])
    expect(runClean(clean, 3602 * SECOND, 3662 * SECOND).transitions).toEqual([
      { scope: "global", state: "closed", reason: "clean", at: 3662 * SECOND }
    ])
  })

  it("latches an open breaker too, and says so", () => {
    const overdue = check(initial, [OVERDUE], 0).breakers
    expect(overdue.scopes.global.latched).toBe(false)
    const step = check(overdue, [IMBALANCE], SECOND)
    expect(step.transitions).toEqual([{ ...IMBALANCE, state: "open", at: SECOND }])
    expect(step.breakers.scopes.global).toMatchObject({ state: "open", since: 0, latched: true })
    const again = check(step.breakers, [IMBALANCE, OVERDUE], 2 * SECOND)
    expect(again.transitions).toEqual([])
    expect(again.breakers.scopes.global.latched).toBe(true)
    expect(runClean(again.breakers, 2 * SECOND, 3600 * SECOND).transitions).toEqual([])
  })

  it("resets nothing that is not latched", () => {
    const open = check(initial, [STALE], 0).breakers
    for (const scope of BREAKER_SCOPES) {
      expect(reset(open, scope, SECOND)).toEqual({ breakers: open, transitions: [] })
    }
  })

  it("halts an asset type by its own breaker or the global one", () => {
    const fx = check(initial, [STALE], 0).breakers
    expect(ASSET_TYPES.filter((type) => isHalted(fx, type))).toEqual(["fx"])
    const all = check(initial, [OVERDUE], 0).breakers
    expect(ASSET_TYPES.filter((type) => isHalted(all, type))).toEqual([...ASSET_TYPES])
    expect(isHalted(halfOpen(), "fx")).toBe(false)
  })

  it("knows what was open at a time, from the transition's own millisecond on", () => {
    const history: ReadonlyArray<Transition> = [
      { scope: "fx", state: "open", reason: "stale_price", at: 100 },
      { scope: "global", state: "open", reason: "order_overdue", at: 150 },
      { scope: "fx", state: "half_open", reason: "clean", at: 200 },
      { scope: "global", state: "half_open", reason: "clean", at: 250 },
      { scope: "fx", state: "closed", reason: "clean", at: 300 },
      { scope: "fx", state: "open", reason: "stale_price", at: 300 }
    ]
    const at = [99, 100, 199, 200, 299, 300]
    expect(at.map((time) => wasOpen(history, "fx", time))).toEqual([false, true, true, false, false, true])
    expect(at.map((time) => wasHalted(history, "fx", time))).toEqual([false, true, true, true, false, true])
    expect([149, 150, 249, 250].map((time) => wasHalted(history, "gpu", time))).toEqual([false, true, true, false])
    expect(wasOpen([], "fx", 100)).toBe(false)
  })

  it("tells when to come back: 5 clean minutes on, at least a second", () => {
    expect(retryAfterSeconds(check(initial, [STALE], 0).breakers, "fx", 0)).toBe(300)
    expect(retryAfterSeconds(openedAt0(), "fx", SECOND)).toBe(300)
    expect(retryAfterSeconds(openedAt0(), "fx", SECOND + 1)).toBe(300)
    expect(retryAfterSeconds(openedAt0(), "fx", 2 * SECOND)).toBe(299)
    expect(retryAfterSeconds(openedAt0(), "fx", 301 * SECOND)).toBe(1)
    expect(retryAfterSeconds(openedAt0(), "fx", 900 * SECOND)).toBe(1)
    const latched = check(check(initial, [IMBALANCE], 0).breakers, [], SECOND).breakers
    expect(retryAfterSeconds(latched, "global", 200 * SECOND)).toBe(300)
  })

  it("finds an order overdue more than 60 seconds after its price was final", () => {
    expect(isOverdue(1000, 61_000)).toBe(false)
    expect(isOverdue(1000, 61_001)).toBe(true)
  })

  const problems = fc.constantFrom<Problem>(STALE, { scope: "gpu", reason: "missing_price" }, OVERDUE, IMBALANCE)
  const acts = fc.array(
    fc.record({
      after: fc.constantFrom(0, 1, 10_000, 29_999, 30_000, 30_001),
      times: fc.integer({ min: 1, max: 14 }),
      kind: fc.constantFrom("check", "check", "check", "trip", "reset"),
      problems: fc.oneof({ weight: 3, arbitrary: fc.constant([]) }, fc.array(problems, { maxLength: 2 })),
      scope: fc.constantFrom<BreakerScope>(...BREAKER_SCOPES)
    }),
    { maxLength: 30 }
  )

  it("agrees with a naive reading of its rules over any history, which its transitions retell", () => {
    fc.assert(
      fc.property(acts, (history) => {
        let breakers = initial
        const transitions: Array<Transition> = []
        const naive = new Naive()
        let now = 0
        for (const act of history) {
          for (let n = 0; n < (act.kind === "check" ? act.times : 1); n += 1) {
            now += act.after
            const step =
              act.kind === "check"
                ? check(breakers, act.problems, now)
                : act.kind === "trip"
                  ? trip(breakers, act.problems, now)
                  : reset(breakers, act.scope, now)
            naive.act(act.kind, act.problems, act.scope, now)
            breakers = step.breakers
            transitions.push(...step.transitions)
            for (const scope of BREAKER_SCOPES) expect(breakers.scopes[scope].state).toBe(naive.state(scope))
          }
        }
        const told = replay(transitions)
        for (const scope of BREAKER_SCOPES) {
          const { state, since, latched } = breakers.scopes[scope]
          expect(told.scopes[scope]).toEqual({ state, since, latched, cleanSince: undefined })
          expect(wasOpen(transitions, scope, now)).toBe(isOpen(breakers, scope))
        }
        expect(told.checkedAt).toBeUndefined()
        expect(transitions.every(({ at }, n) => n === 0 || at >= transitions[n - 1]!.at)).toBe(true)
      }),
      property()
    )
  })
})

/** Keeps every check and trigger, and reads each scope's state out of the whole log anew. */
class Naive {
  readonly #log: Array<{
    readonly kind: string
    readonly problems: ReadonlyArray<Problem>
    readonly scope: BreakerScope
    readonly at: number
  }> = []

  act(kind: string, problems: ReadonlyArray<Problem>, scope: BreakerScope, at: number): void {
    this.#log.push({ kind, problems, scope, at })
  }

  state(scope: BreakerScope): BreakerStatus {
    let state: BreakerStatus = "closed"
    let latched = false
    let lastCheck: number | undefined
    let clean: number | undefined
    for (const { kind, problems, scope: target, at } of this.#log) {
      const mine = problems.filter((problem) => problem.scope === scope)
      if (kind === "reset") {
        if (latched && target === scope) [state, latched, clean] = ["half_open", false, undefined]
        continue
      }
      if (mine.length > 0) {
        state = "open"
        clean = undefined
        latched ||= mine.some(({ reason }) => reason === "ledger_imbalance")
      } else if (kind === "check") {
        if (lastCheck === undefined || at - lastCheck > 30_000) clean = at
        clean ??= at
        if (state === "open" && !latched && at - clean >= 300_000) [state, clean] = ["half_open", at]
        else if (state === "half_open" && at - clean >= 60_000) state = "closed"
      }
      if (kind === "check") lastCheck = at
    }
    return state
  }
}
