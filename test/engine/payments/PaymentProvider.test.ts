import { describe, expect, it } from "bun:test"
import { fromUnits } from "../../../engine/money/Amount.ts"
import { CENT, isWholeCents } from "../../../engine/payments/PaymentProvider.ts"

describe("isWholeCents", () => {
  it("is so of cents alone", () => {
    expect([0n, CENT, 7n * CENT].map((units) => isWholeCents(fromUnits(units)))).toEqual([true, true, true])
    expect([1n, CENT - 1n, CENT + 1n].map((units) => isWholeCents(fromUnits(units)))).toEqual([false, false, false])
  })
})
