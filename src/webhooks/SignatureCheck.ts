import { Result } from "effect"
import { createHmac, timingSafeEqual } from "node:crypto"
import { keyOf } from "./DeliveryHeaders.ts"

/** How old a signature may be by default, in seconds: as Stripe's and Svix's libraries have it. */
export const TOLERANCE = 300

/** What a receiver got. */
export interface Signed {
  /** Headers by their names in lower case: `x-service-signature`, or the three of Standard Webhooks. */
  readonly headers: ReadonlyMap<string, string>
  /** Byte for byte. */
  readonly body: Uint8Array
}

/** The content of a valid signature. */
export interface Verified {
  readonly form: "X-Service-Signature" | "Standard Webhooks"
  /** When it was signed, in Unix seconds. */
  readonly signedAt: number
}

const isEqual = (one: Buffer, other: Buffer): boolean => one.length === other.length && timingSafeEqual(one, other)

const digest = (key: string | Buffer, head: string, body: Uint8Array): Buffer =>
  createHmac("sha256", key).update(head).update(body).digest()

interface Parsed {
  readonly form: Verified["form"]
  readonly time: string | undefined
  readonly signatures: ReadonlyArray<Buffer>
  readonly expected: (secret: string, time: string) => Buffer
}

const ownForm = (header: string, body: Uint8Array): Parsed => {
  const pairs = header.split(",").map((pair) => pair.trim().split("=", 2) as [string, string | undefined])
  return {
    form: "X-Service-Signature",
    time: pairs.find(([name]) => name === "t")?.[1],
    signatures: pairs.flatMap(([name, hex = ""]) => (name === "v1" ? [Buffer.from(hex, "hex")] : [])),
    expected: (secret, time) => digest(secret, `${time}.`, body)
  }
}

const standardForm = (header: string, { body, headers }: Signed): Parsed => ({
  form: "Standard Webhooks",
  time: headers.get("webhook-timestamp"),
  signatures: header
    .split(" ")
    .flatMap((each) => (each.startsWith("v1,") ? [Buffer.from(each.slice(3), "base64")] : [])),
  expected: (secret, time) => digest(keyOf(secret), `${headers.get("webhook-id") ?? ""}.${time}.`, body)
})

const parsed = (signed: Signed): Parsed | undefined => {
  const own = signed.headers.get("x-service-signature")
  if (own !== undefined) return ownForm(own, signed.body)
  const standard = signed.headers.get("webhook-signature")
  return standard === undefined ? undefined : standardForm(standard, signed)
}

/**
 * Checks what a receiver got against its secret. Fails with a sentence that says what is wrong. Specification 6.2.
 *
 * @param now - Unix seconds
 * @param tolerance - seconds; with `Infinity` a signature may be of any time
 */
export const checkSignature = (
  secret: string,
  signed: Signed,
  now: number,
  tolerance = TOLERANCE
): Result.Result<Verified, string> => {
  const found = parsed(signed)
  if (found === undefined) return Result.fail("There is no signature: X-Service-Signature, or webhook-signature.")
  const { expected, form, signatures, time = "" } = found
  if (!/^\d{1,12}$/.test(time)) return Result.fail("The signature tells no time in Unix seconds.")
  if (signatures.length === 0) return Result.fail("There is no signature of version 1.")
  const own = expected(secret, time)
  if (!signatures.some((signature) => isEqual(signature, own))) {
    return Result.fail(
      "No signature is of this secret over these bytes: it is another secret, or the body or the time was changed. The " +
        "body has to be as it was received, not parsed and written again."
    )
  }
  const signedAt = Number(time)
  const apart = Math.abs(now - signedAt)
  if (apart > tolerance) {
    return Result.fail(
      `It was signed ${apart} s ${signedAt < now ? "ago" : "ahead"}, which is more than ${tolerance} s.`
    )
  }
  return Result.succeed({ form, signedAt })
}
