import { describe, expect, it } from "bun:test"
import { rotated, ROTATION_OVERLAP, type SigningSecrets } from "../../../engine/webhooks/SigningSecrets.ts"
import { standardHeaders } from "../../../engine/webhooks/StandardSignature.ts"

const hmac = (secret: string, text: string): string => `${secret}(${text})`

const first: SigningSecrets = { current: "one", previous: [] }

describe("standard signatures", () => {
  it("sign the id, the time in seconds and the body", () => {
    expect(standardHeaders(first, "evt_1", "{}", 1_999, hmac)).toEqual({
      "webhook-id": "evt_1",
      "webhook-timestamp": "1",
      "webhook-signature": "v1,one(evt_1.1.{})"
    })
  })

  it("are one for each secret while a rotation overlaps", () => {
    const second = rotated(first, "two", 1_000)
    const signature = (at: number) => standardHeaders(second, "a", "b", at, hmac)["webhook-signature"]
    expect(signature(1_000)).toBe("v1,two(a.1.b) v1,one(a.1.b)")
    expect(signature(1_000 + ROTATION_OVERLAP)).toBe(`v1,two(a.${(1_000 + ROTATION_OVERLAP) / 1_000}.b)`)
  })
})
