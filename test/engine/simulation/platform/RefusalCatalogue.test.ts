import { describe, expect, it } from "bun:test"
import { IllegalOrderAct } from "../../../../engine/commerce/PurchaseOrderError.ts"
import { nameOfRefusal, REFUSALS } from "../../../../engine/simulation/platform/RefusalCatalogue.ts"
import { QuoteGone } from "../../../../engine/transfers/TransferError.ts"
import { refusal } from "../../../../engine/wire/Refusal.ts"

class Other extends refusal("Other", "conflict") {}

describe("REFUSALS", () => {
  it("has every refusal of the contexts, each once", () => {
    expect(REFUSALS).toContain("transfers/QuoteGone")
    expect(REFUSALS).toContain("commerce/IllegalOrderAct")
    expect(REFUSALS).toContain("credit/TooManyAssessments")
    expect(new Set(REFUSALS).size).toBe(REFUSALS.length)
    expect(REFUSALS.length).toBeGreaterThan(30)
  })
})

describe("nameOfRefusal", () => {
  it("names one of a context by it, and another by its tag", () => {
    expect(nameOfRefusal(new QuoteGone({ quoteId: "q", reason: "used" }))).toBe("transfers/QuoteGone")
    expect(nameOfRefusal(new IllegalOrderAct({ act: "pay", status: "paid", fulfilment: "fulfilled" }))).toBe(
      "commerce/IllegalOrderAct"
    )
    expect(nameOfRefusal(new Other())).toBe("Other")
  })
})
