import { describe, expect, it } from "bun:test"
import { BODY_ALLOWANCES, BodyBudgets, FREE_BODY_BYTES } from "../../../src/http/BodyBudgets.ts"
import { MAX_BODY_BYTES } from "../../../src/http/RequestRules.ts"

describe("BodyBudgets", () => {
  it("count a large body against its caller alone, and give back with time", () => {
    const budgets = new BodyBudgets(true)
    const whole = BODY_ALLOWANCES.signedIn.burst / MAX_BODY_BYTES
    for (let n = 0; n < whole; n++) expect(budgets.take("a", true, MAX_BODY_BYTES, 0)).toBe(true)
    expect(budgets.take("a", true, MAX_BODY_BYTES, 0)).toBe(false)
    expect(budgets.take("b", true, MAX_BODY_BYTES, 0)).toBe(true)
    expect(budgets.take("a", true, MAX_BODY_BYTES, 249)).toBe(false)
    expect(budgets.take("a", true, MAX_BODY_BYTES, 250)).toBe(true)
  })

  it("let strangers send less", () => {
    const budgets = new BodyBudgets(true)
    const taken = Array.from({ length: 10 }, () => budgets.take("address:192.0.2.1", false, MAX_BODY_BYTES, 0))
    expect(taken.filter(Boolean)).toHaveLength(BODY_ALLOWANCES.anonymous.burst / MAX_BODY_BYTES)
  })

  it("leave small bodies to the count of requests", () => {
    const budgets = new BodyBudgets(true)
    for (let n = 0; n < 1_000; n++) expect(budgets.take("a", false, FREE_BODY_BYTES, 0)).toBe(true)
    expect(budgets.size).toBe(0)
  })

  it("take any body where limits are off", () => {
    const budgets = new BodyBudgets(false)
    for (let n = 0; n < 100; n++) expect(budgets.take("a", false, MAX_BODY_BYTES, 0)).toBe(true)
  })

  it("remember the callers that sent last, and no more than so many", () => {
    const budgets = new BodyBudgets(true, 2)
    for (const caller of ["a", "a", "b", "a", "c"]) budgets.take(caller, false, MAX_BODY_BYTES, 0)
    expect(budgets.size).toBe(2)
    expect(budgets.take("a", false, MAX_BODY_BYTES, 0)).toBe(false)
    expect(budgets.take("b", false, MAX_BODY_BYTES, 0)).toBe(true)
  })
})
