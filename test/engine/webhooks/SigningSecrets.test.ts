import { describe, expect, it } from "bun:test"
import { createHmac } from "node:crypto"
import {
  rotated,
  ROTATION_OVERLAP,
  signatureHeader,
  signing,
  type SigningSecrets
} from "../../../engine/webhooks/SigningSecrets.ts"

const hmac = (secret: string, text: string): string => createHmac("sha256", secret).update(text).digest("hex")

const first: SigningSecrets = { current: "one", previous: [] }

describe("signing secrets", () => {
  it("sign together for a day after a rotation", () => {
    const second = rotated(first, "two", 1_000)
    expect(signing(second, 1_000 + ROTATION_OVERLAP - 1)).toEqual(["two", "one"])
    expect(signing(second, 1_000 + ROTATION_OVERLAP)).toEqual(["two"])
  })

  it("sign each until its own day is over, however many came after it", () => {
    const third = rotated(rotated(first, "two", 1_000), "three", 2_000)
    expect(signing(third, 1_000 + ROTATION_OVERLAP - 1)).toEqual(["three", "two", "one"])
    expect(signing(third, 1_000 + ROTATION_OVERLAP)).toEqual(["three", "two"])
    expect(signing(rotated(third, "four", 1_000 + ROTATION_OVERLAP), 2_000 + ROTATION_OVERLAP)).toEqual([
      "four",
      "three"
    ])
  })

  it("sign the time and the body", () => {
    const digest = hmac("one", "1700000000.{}")
    expect(signatureHeader(first, "{}", 1_700_000_000_999, hmac)).toBe(`t=1700000000,v1=${digest}`)
    const both = signatureHeader(rotated(first, "two", 1_700_000_000_000), "{}", 1_700_000_000_999, hmac)
    expect(both).toBe(`t=1700000000,v1=${hmac("two", "1700000000.{}")},v1=${digest}`)
  })
})
