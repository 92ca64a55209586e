import { Redacted } from "effect"
import { createHmac, timingSafeEqual } from "node:crypto"

/** The credential that the nodes show each other. It is derived from their shared secret, which is never sent. */
export interface NodeCredential {
  readonly text: string
  /** Whether another node showed the same. */
  readonly isSame: (shown: string | null) => boolean
}

/** The credential of a shared secret. */
export const make = (secret: Redacted.Redacted): NodeCredential => {
  const text = createHmac("sha256", Redacted.value(secret)).update("emporion node").digest("hex")
  const expected = Buffer.from(text)
  return {
    text,
    isSame: (shown) => {
      const given = Buffer.from(shown ?? "")
      return given.length === expected.length && timingSafeEqual(given, expected)
    }
  }
}
