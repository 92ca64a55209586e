import { describe, expect, it } from "bun:test"
import { quote } from "../../../../../src/dashboard/app/arena/Quote.ts"

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
