import { signing, type SigningSecrets } from "./SigningSecrets.ts"

/** HMAC-SHA-256 of a text, in base64, under the bytes that a `whsec_` secret stands for. */
export type Base64Hmac = (secret: string, text: string) => string

/** The headers of the Standard Webhooks specification, 1.0. */
export interface StandardHeaders {
  readonly "webhook-id": string
  /** Unix seconds of the attempt. */
  readonly "webhook-timestamp": string
  /** `v1,<base64>` over `<id>.<timestamp>.<body>` for each secret that signs, with spaces between. */
  readonly "webhook-signature": string
}

/** Signs an attempt at `at` (milliseconds since 1970) to deliver the event `id`. */
export const standardHeaders = (
  secrets: SigningSecrets,
  id: string,
  body: string,
  at: number,
  hmac: Base64Hmac
): StandardHeaders => {
  const seconds = Math.floor(at / 1_000)
  const signatures = signing(secrets, at).map((secret) => `v1,${hmac(secret, `${id}.${seconds}.${body}`)}`)
  return { "webhook-id": id, "webhook-timestamp": String(seconds), "webhook-signature": signatures.join(" ") }
}
