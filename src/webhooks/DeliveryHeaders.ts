import manifest from "../../package.json" with { type: "json" }
import { signatureHeader, type SigningSecrets } from "../../engine/webhooks/SigningSecrets.ts"
import { standardHeaders } from "../../engine/webhooks/StandardSignature.ts"
import { HmacKey } from "./HmacKey.ts"

/** The name of the header that carries the signature of Specification 6.2, as it is sent. */
export const SIGNATURE_HEADER = "X-Service-Signature"

const USER_AGENT = `Emporion/${manifest.version}`

const PREFIX = "whsec_"

/** The bytes that a secret of Standard Webhooks stands for. */
export const keyOf = (secret: string): Buffer =>
  Buffer.from(secret.startsWith(PREFIX) ? secret.slice(PREFIX.length) : secret, "base64")

/** The keys of a secret: of its text, and of the bytes that it stands for. */
interface Keys {
  readonly text: HmacKey
  readonly bytes: HmacKey
}

/** How the secrets of one endpoint sign; their keys are made once. */
class Signing {
  readonly #keys = new Map<string, Keys>()

  readonly hex = (secret: string, text: string): string => this.#keysOf(secret).text.sign(text, "hex")
  readonly base64 = (secret: string, text: string): string => this.#keysOf(secret).bytes.sign(text, "base64")

  #keysOf(secret: string): Keys {
    const known = this.#keys.get(secret)
    if (known !== undefined) return known
    const keys = { text: new HmacKey(Buffer.from(secret)), bytes: new HmacKey(keyOf(secret)) }
    this.#keys.set(secret, keys)
    return keys
  }
}

/** As long as somebody holds the secrets. */
const signings = new WeakMap<SigningSecrets, Signing>()

const signingOf = (secrets: SigningSecrets): Signing => {
  const known = signings.get(secrets)
  if (known !== undefined) return known
  const made = new Signing()
  signings.set(secrets, made)
  return made
}

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
): Readonly<Record<string, string>> => {
  const { base64, hex } = signingOf(secrets)
  const standard = standardHeaders(secrets, eventId, body, at, base64)
  return {
    "content-type": "application/json",
    "user-agent": USER_AGENT,
    [SIGNATURE_HEADER]: signatureHeader(secrets, body, at, hex),
    "webhook-id": standard["webhook-id"],
    "webhook-timestamp": standard["webhook-timestamp"],
    "webhook-signature": standard["webhook-signature"]
  }
}
