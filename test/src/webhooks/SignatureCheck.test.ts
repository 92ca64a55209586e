import { describe, expect, it } from "bun:test"
import { Result } from "effect"
import fc from "fast-check"
import { rotated } from "../../../engine/webhooks/SigningSecrets.ts"
import { deliveryHeaders } from "../../../src/webhooks/DeliveryHeaders.ts"
import { checkSignature, TOLERANCE } from "../../../src/webhooks/SignatureCheck.ts"
import { property } from "../../lib/Property.ts"

const NOW = 1_700_000_000

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text)

const secretOf = (key: Uint8Array): string => `whsec_${Buffer.from(key).toString("base64")}`

const SECRET = secretOf(new Uint8Array(32).fill(7))

const sent = (body: string, secrets = { current: SECRET, previous: [] } as Parameters<typeof deliveryHeaders>[0]) =>
  new Map(
    Object.entries(deliveryHeaders(secrets, { eventId: "evt_1", body, at: NOW * 1_000 })).map(
      ([name, value]) => [name.toLowerCase(), value] as const
    )
  )

const only = (headers: ReadonlyMap<string, string>, ...names: ReadonlyArray<string>) =>
  new Map([...headers].filter(([name]) => names.includes(name)))

const FORMS = [["x-service-signature"], ["webhook-id", "webhook-timestamp", "webhook-signature"]] as const

const reason = (result: Result.Result<unknown, string>): string | undefined =>
  Result.match(result, { onSuccess: () => undefined, onFailure: (text) => text })

describe("SignatureCheck", () => {
  it("takes what is sent in both forms, and refuses every other body and secret", () => {
    const key = fc.uint8Array({ minLength: 24, maxLength: 64 })
    fc.assert(
      fc.property(fc.string(), fc.string(), key, key, (body, otherBody, one, other) => {
        const secret = secretOf(one)
        const all = sent(body, { current: secret, previous: [] })
        for (const names of FORMS) {
          const headers = only(all, ...names)
          const check = (by: string, text: string) =>
            Result.isSuccess(checkSignature(by, { headers, body: bytes(text) }, NOW))
          expect(check(secret, body)).toBe(true)
          expect(check(secret, otherBody)).toBe(otherBody === body)
          expect(check(secretOf(other), body)).toBe(Buffer.compare(one, other) === 0)
        }
      }),
      property()
    )
  })

  it("takes both secrets while a rotation overlaps", () => {
    const next = secretOf(new Uint8Array(32).fill(8))
    const all = sent("{}", rotated({ current: SECRET, previous: [] }, next, NOW * 1_000))
    for (const names of FORMS) {
      for (const secret of [SECRET, next]) {
        const result = checkSignature(secret, { headers: only(all, ...names), body: bytes("{}") }, NOW)
        expect(Result.isSuccess(result)).toBe(true)
      }
    }
  })

  it("refuses what is too old or ahead, unless any time will do", () => {
    const signed = { headers: sent("{}"), body: bytes("{}") }
    const verified = { form: "X-Service-Signature" as const, signedAt: NOW }
    expect(checkSignature(SECRET, signed, NOW + TOLERANCE)).toEqual(Result.succeed(verified))
    expect(reason(checkSignature(SECRET, signed, NOW + 301))).toBe("It was signed 301 s ago, which is more than 300 s.")
    expect(reason(checkSignature(SECRET, signed, NOW - 301))).toBe(
      "It was signed 301 s ahead, which is more than 300 s."
    )
    expect(Result.isSuccess(checkSignature(SECRET, signed, NOW + 1e9, Infinity))).toBe(true)
  })

  it("says what is missing", () => {
    const check = (headers: Record<string, string>) =>
      reason(checkSignature(SECRET, { headers: new Map(Object.entries(headers)), body: bytes("{}") }, NOW))
    expect(check({})).toBe("There is no signature: X-Service-Signature, or webhook-signature.")
    expect(check({ "x-service-signature": "v1=00" })).toBe("The signature tells no time in Unix seconds.")
    expect(check({ "x-service-signature": `t=${NOW}` })).toBe("There is no signature of version 1.")
    expect(check({ "x-service-signature": `t=${NOW},v0=00` })).toBe("There is no signature of version 1.")
    expect(check({ "x-service-signature": `t=${NOW},v1=zz` })).toStartWith("No signature is of this secret")
    expect(check({ "webhook-signature": "v1,AA==" })).toBe("The signature tells no time in Unix seconds.")
    expect(check({ "webhook-signature": "v2,AA==", "webhook-timestamp": `${NOW}` })).toBe(
      "There is no signature of version 1."
    )
  })
})
