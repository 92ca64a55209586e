import type { WebhookEvents } from "./Contract.ts"

/** Everything that a webhook may be sent; `type` says which. */
export type WebhookEvent = WebhookEvents[keyof WebhookEvents]

/** Seconds that a delivery's time may be away from the receiver's clock. */
export const TOLERANCE_SECONDS = 300

/** Headers as Fetch has them, or as objects of any server's have them. */
export type WebhookHeaders =
  | { readonly get: (name: string) => string | null }
  | Readonly<Record<string, string | ReadonlyArray<string> | undefined>>

/** Why a delivery was not taken: `too_old` says also that it is from the future. */
export class WebhookRefused extends Error {
  override readonly name = "WebhookRefused"
  readonly code: "not_signed" | "too_old" | "wrong_signature" | "not_an_event"

  constructor(code: WebhookRefused["code"], message: string) {
    super(message)
    this.code = code
  }
}

export interface WebhookOptions {
  /** {@link TOLERANCE_SECONDS} by default. */
  readonly toleranceSeconds?: number
  /** Milliseconds since 1970; the present by default. */
  readonly now?: number
}

type Bytes = Uint8Array<ArrayBuffer>

const SECRET_PREFIX = "whsec_"

const encoder = new TextEncoder()

const headerOf = (headers: WebhookHeaders, name: string): string | undefined => {
  if ("get" in headers && typeof headers.get === "function") return headers.get(name) ?? undefined
  const entry = Object.entries(headers).find(([each]) => each.toLowerCase() === name)?.[1]
  return typeof entry === "string" || entry === undefined ? (entry as string | undefined) : String(entry)
}

const fromBase64 = (text: string): Bytes | undefined => {
  try {
    return Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0))
  } catch {
    return undefined
  }
}

const fromHex = (text: string): Bytes | undefined =>
  /^([0-9a-f]{2})+$/i.test(text)
    ? Uint8Array.from(text.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16))
    : undefined

/** A signature of a delivery, and what it signs. */
interface Claim {
  /** Seconds since 1970. */
  readonly time: string
  readonly prefix: string
  readonly signatures: ReadonlyArray<Bytes>
  readonly keyOf: (secret: string) => Bytes | undefined
}

const bytesOf = (
  parts: ReadonlyArray<string>,
  mark: string,
  read: (text: string) => Bytes | undefined
): ReadonlyArray<Bytes> =>
  parts.flatMap((part) => (part.startsWith(mark) ? (read(part.slice(mark.length)) ?? []) : []) as ReadonlyArray<Bytes>)

/** The signature of Standard Webhooks, whose key is what the secret encodes. */
const standardClaim = (headers: WebhookHeaders): Claim | undefined => {
  const [id, time, signature] = ["webhook-id", "webhook-timestamp", "webhook-signature"].map((name) =>
    headerOf(headers, name)
  )
  if (id === undefined || time === undefined || signature === undefined) return undefined
  return {
    time,
    prefix: `${id}.${time}.`,
    signatures: bytesOf(signature.split(" "), "v1,", fromBase64),
    keyOf: (secret) => fromBase64(secret.startsWith(SECRET_PREFIX) ? secret.slice(SECRET_PREFIX.length) : secret)
  }
}

/** The platform's own signature, whose key is the text of the secret. */
const serviceClaim = (headers: WebhookHeaders): Claim | undefined => {
  const parts = headerOf(headers, "x-service-signature")?.split(",") ?? []
  const time = parts.find((part) => part.startsWith("t="))?.slice(2)
  if (time === undefined) return undefined
  return {
    time,
    prefix: `${time}.`,
    signatures: bytesOf(parts, "v1=", fromHex),
    keyOf: (secret) => encoder.encode(secret)
  }
}

const joined = (prefix: string, body: Uint8Array): Bytes => {
  const head = encoder.encode(prefix)
  const whole = new Uint8Array(head.length + body.length)
  whole.set(head)
  whole.set(body, head.length)
  return whole
}

const HMAC = { name: "HMAC", hash: "SHA-256" } as const

/** Whether one of the secrets made one of the signatures. Compares in constant time. */
const isGenuine = async (claim: Claim, body: Uint8Array, secrets: ReadonlyArray<string>): Promise<boolean> => {
  const signed = joined(claim.prefix, body)
  let found = false
  for (const bytes of secrets.map(claim.keyOf)) {
    if (bytes === undefined || bytes.length === 0) continue
    const key = await crypto.subtle.importKey("raw", bytes, HMAC, false, ["verify"])
    for (const signature of claim.signatures) {
      if (await crypto.subtle.verify("HMAC", key, signature, signed)) found = true
    }
  }
  return found
}

const eventOf = (text: string): WebhookEvent => {
  try {
    const event: unknown = JSON.parse(text)
    if (typeof event === "object" && event !== null && "type" in event && "data" in event) return event as WebhookEvent
  } catch {
    // Not JSON is no event either.
  }
  throw new WebhookRefused("not_an_event", "The body is signed and is not an event.")
}

/**
 * The event of a delivery, once its signature and its time were checked. `payload` is the body as it came, byte for byte,
 * before it was parsed. Of several secrets each may have signed it. Rejects with {@link WebhookRefused}.
 */
export const verifyWebhook = async (
  payload: string | Uint8Array,
  headers: WebhookHeaders,
  secret: string | ReadonlyArray<string>,
  { now = Date.now(), toleranceSeconds = TOLERANCE_SECONDS }: WebhookOptions = {}
): Promise<WebhookEvent> => {
  const claim = standardClaim(headers) ?? serviceClaim(headers)
  if (claim === undefined) throw new WebhookRefused("not_signed", "The delivery has no signature.")
  const isRecent = /^\d+$/.test(claim.time) && Math.abs(now / 1000 - Number(claim.time)) <= toleranceSeconds
  if (!isRecent) throw new WebhookRefused("too_old", "The delivery's time is too far from the receiver's.")
  const body = typeof payload === "string" ? encoder.encode(payload) : payload
  if (!(await isGenuine(claim, body, typeof secret === "string" ? [secret] : secret))) {
    throw new WebhookRefused("wrong_signature", "No signature of the delivery is by the secret.")
  }
  return eventOf(typeof payload === "string" ? payload : new TextDecoder().decode(payload))
}
