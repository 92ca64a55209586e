import { describe, expect, it } from "bun:test"
import fc from "fast-check"
import { TOLERANCE_SECONDS, verifyWebhook } from "../../../packages/client/src/WebhookVerification.ts"
import { deliveryHeaders } from "../../../src/webhooks/DeliveryHeaders.ts"
import { property } from "../../lib/Property.ts"

const secretOf = (bytes: Uint8Array): string => `whsec_${Buffer.from(bytes).toString("base64")}`

const anySecret = fc.uint8Array({ minLength: 24, maxLength: 32 }).map(secretOf)
const anyAt = fc.integer({ min: 1_600_000_000_000, max: 1_900_000_000_000 })
const anyBody = fc
  .string({ unit: "grapheme" })
  .map((name) => JSON.stringify({ type: "company.updated", data: { name } }))

const FORMS = [["webhook-id", "webhook-timestamp", "webhook-signature"], ["X-Service-Signature"]] as const

const delivery = (secret: string, previous: string | null, body: string, at: number) =>
  deliveryHeaders(
    { current: secret, previous: previous === null ? [] : [{ secret: previous, until: at + 1 }] },
    { eventId: "evt_1", body, at }
  )

/** The headers of one form of signature alone. */
const only = (headers: Readonly<Record<string, string>>, form: ReadonlyArray<string>) =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => form.includes(name)))

const codeOf = (verified: Promise<unknown>): Promise<unknown> =>
  verified.then(
    () => "taken",
    ({ code }: { readonly code: string }) => code
  )

describe("verifyWebhook", () => {
  it("takes what the platform signs, in either form, by either secret while both hold", () =>
    fc.assert(
      fc.asyncProperty(anySecret, anySecret, anyBody, anyAt, async (secret, previous, body, at) => {
        const headers = delivery(secret, previous, body, at)
        for (const form of FORMS) {
          for (const known of [secret, previous, ["whsec_AAAA", secret]]) {
            const one = only(headers, form)
            const event: unknown = JSON.parse(body)
            expect(await verifyWebhook(body, new Headers(one), known, { now: at })).toEqual(event as never)
            expect(await verifyWebhook(Buffer.from(body), one, known, { now: at })).toEqual(event as never)
          }
        }
      }),
      property(20)
    ))

  it("refuses a body, time or secret that is another one", () =>
    fc.assert(
      fc.asyncProperty(anySecret, anySecret, anyBody, anyAt, fc.nat(), async (secret, other, body, at, place) => {
        fc.pre(secret !== other)
        const headers = delivery(secret, null, body, at)
        const bytes = Buffer.from(body)
        bytes[place % bytes.length]! ^= 1
        for (const form of FORMS) {
          const one = only(headers, form)
          const wrong = "wrong_signature"
          expect(await codeOf(verifyWebhook(bytes, one, secret, { now: at }))).toBe(wrong)
          expect(await codeOf(verifyWebhook(body, one, other, { now: at }))).toBe(wrong)
          const late = at + (TOLERANCE_SECONDS + 1) * 1000
          expect(await codeOf(verifyWebhook(body, one, secret, { now: late }))).toBe("too_old")
          const early = at - (TOLERANCE_SECONDS + 2) * 1000
          expect(await codeOf(verifyWebhook(body, one, secret, { now: early }))).toBe("too_old")
        }
      }),
      property(20)
    ))

  it("refuses what is not signed or not signed well, and never throws anything else", async () => {
    const now = 1_700_000_000_000
    const time = String(now / 1000)
    expect(await codeOf(verifyWebhook("{}", {}, "whsec_AAAA"))).toBe("not_signed")
    for (const header of ["v1=", `t=${time}`, `t=${time},v1=zz`, `t=${time},v2=00`, "t=soon,v1=00", ","]) {
      const code = await codeOf(verifyWebhook("{}", { "X-Service-Signature": header }, "secret", { now }))
      expect(["not_signed", "too_old", "wrong_signature"]).toContain(code as string)
    }
    const body = "not JSON"
    const headers = delivery(secretOf(new Uint8Array(24)), null, body, now)
    expect(await codeOf(verifyWebhook(body, headers, secretOf(new Uint8Array(24)), { now }))).toBe("not_an_event")
    expect(await codeOf(verifyWebhook(body, headers, "no base64!", { now }))).toBe("wrong_signature")
  })
})
