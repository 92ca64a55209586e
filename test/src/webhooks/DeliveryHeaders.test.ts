import { describe, expect, it } from "bun:test"
import { createHmac, randomBytes } from "node:crypto"
import { rotated } from "../../../engine/webhooks/SigningSecrets.ts"
import { deliveryHeaders, SIGNATURE_HEADER } from "../../../src/webhooks/DeliveryHeaders.ts"
import { version } from "../../../package.json"

const bytes = randomBytes(24)
const secret = `whsec_${bytes.toString("base64")}`
const secrets = { current: secret, previous: [] }
const attempt = { eventId: "evt_1", body: '{"a":1}', at: 1_700_000_000_999 }

describe("DeliveryHeaders", () => {
  it("sign by the secret's text, and by its bytes", () => {
    const hex = createHmac("sha256", secret).update('1700000000.{"a":1}').digest("hex")
    const base64 = createHmac("sha256", bytes).update('evt_1.1700000000.{"a":1}').digest("base64")
    expect(deliveryHeaders(secrets, attempt)).toEqual({
      "content-type": "application/json",
      "user-agent": `Emporion/${version}`,
      [SIGNATURE_HEADER]: `t=1700000000,v1=${hex}`,
      "webhook-id": "evt_1",
      "webhook-timestamp": "1700000000",
      "webhook-signature": `v1,${base64}`
    })
  })

  it("sign by both secrets while a rotation overlaps", () => {
    const both = rotated(secrets, `whsec_${randomBytes(24).toString("base64")}`, attempt.at)
    const headers = deliveryHeaders(both, attempt)
    expect(headers[SIGNATURE_HEADER]).toMatch(/^t=1700000000(,v1=[0-9a-f]{64}){2}$/)
    expect(headers["webhook-signature"]).toMatch(/^v1,[\w+/]{43}= v1,[\w+/]{43}=$/)
  })
})
