import { describe, expect, it } from "bun:test"
import { profitText, quote } from "../../../../../src/dashboard/app/arena/Quote.ts"

describe("quote", () => {
  it("has the decimals that matter", () => {
    expect([4_139.352_927, 191.265_51, 3.282_124, 1.136_376, 0.633_404, 0].map(quote)).toEqual([
      "$4,139.35",
      "$191.266",
      "$3.2821",
      "$1.1364",
      "$0.633404",
      "$0.00"
    ])
  })
})

describe("profitText", () => {
  it("has a sign, and tells less than a cent", () => {
    expect([12, -3.5, 0, 0.00002, -0.004].map(profitText)).toEqual([
      "+$12.00",
      "−$3.50",
      "$0.00",
      "+$0.00002",
      "−$0.004"
    ])
  })
})
