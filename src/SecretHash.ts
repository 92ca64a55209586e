import { Redacted } from "effect"
import { createHmac } from "node:crypto"
import type { KeyedHash } from "../engine/arena/KeyedHash.ts"
import type { SecretKey } from "./SecretKey.ts"

/** HMAC-SHA-256 under a key of its own for each purpose, such as `walk`: HMAC(secret key, purpose). */
export const secretHash = (secret: SecretKey, purpose: string): KeyedHash => {
  const key = createHmac("sha256", Redacted.value(secret)).update(purpose).digest()
  return (label) => createHmac("sha256", key).update(label).digest()
}
