import { describe, expect, it } from "bun:test"
import type { CreditAssessed } from "../../../engine/credit/CreditEvent.ts"
import { fromUnits, ONE } from "../../../engine/money/Amount.ts"
import { creditObject } from "../../../engine/credit/CreditObject.ts"
import { EXAMPLE_EVENTS } from "../../../engine/webhooks/ExampleEvents.ts"

const [EXAMPLE] = EXAMPLE_EVENTS["credit.score_updated"].events as ReadonlyArray<CreditAssessed>

const usd = (whole: bigint) => fromUnits(whole * ONE)

describe("creditObject", () => {
  it("says the limit, what it was, and what is free of it", () => {
    if (EXAMPLE === undefined) throw new Error("there is no example")
    expect(creditObject({ ...EXAMPLE, used: usd(3_000n) }, usd(20_000n))).toMatchObject({
      id: EXAMPLE.userId,
      object: "credit_profile",
      status: "approved",
      amount: 18_000,
      previous_amount: 20_000,
      used: 3_000,
      available: 15_000,
      score: 642,
      band: "B",
      apr: 11.5
    })
  })

  it("has nothing free where more is used than the user may owe", () => {
    if (EXAMPLE === undefined) throw new Error("there is no example")
    const lowered = creditObject({ ...EXAMPLE, granted: usd(0n), used: usd(5n) }, usd(9n))
    expect([lowered.status, lowered.available]).toEqual(["declined", 0])
  })
})
