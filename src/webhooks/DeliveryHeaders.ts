import { createHmac } from "node:crypto"
import manifest from "../../package.json" with { type: "json" }
import { signatureHeader, type SigningSecrets } from "../../engine/webhooks/SigningSecrets.ts"
import { standardHeaders } from "../../engine/webhooks/StandardSignature.ts"

/** The name of the header that carries the signature of Specification 6.2, as it is sent. */
export const SIGNATURE_HEADER = "X-Service-Signature"

const PREFIX = "whsec_"

const hex = (secret: string, text: string): string => createHmac("sha256", secret).update(text).digest("hex")

/** The bytes that a secret of Standard Webhooks stands for. */
export const keyOf = (secret: string): Buffer =>
  Buffer.from(secret.startsWith(PREFIX) ? secret.slice(PREFIX.length) : secret, "base64")

const base64 = (secret: string, text: string): string =>
  createHmac("sha256", keyOf(secret)).update(text).digest("base64")

/** What an attempt delivers. */
export interface Attempt {
  /** The event's id, the same at each attempt: receivers recognize duplicates by it. */
  readonly eventId: string
  readonly body: string
  /** When the attempt is made, in milliseconds since 1970. */
  readonly at: number
}

/**
 * The headers of an attempt, signed in both forms: that of Specification 6.2, whose key is the whole text of the secret,
 * and that of Standard Webhooks, whose key is the bytes after `whsec_`.
 */
export const deliveryHeaders = (
  secrets: SigningSecrets,
  { at, body, eventId }: Attempt
): Readonly<Record<string, string>> => ({
  "content-type": "application/json",
  "user-agent": `Emporion/${manifest.version}`,
  [SIGNATURE_HEADER]: signatureHeader(secrets, body, at, hex),
  ...standardHeaders(secrets, eventId, body, at, base64)
})
