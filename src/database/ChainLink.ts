import { createHash, hash } from "node:crypto"
import type { ChainHash } from "../../engine/actor/EventChain.ts"

/** Events of at most this many UTF-16 code units are hashed in one call, which takes half the time. */
const SHORT = 8_192

const HASH_BYTES = 32
const UTF8_BYTES = 3

const encoder = new TextEncoder()
const input = new Uint8Array(HASH_BYTES + SHORT * UTF8_BYTES)
const text = input.subarray(HASH_BYTES)

/** SHA-256(previous hash ‖ UTF-8 of the event's bytes). */
export const link: ChainHash = (previous, data) => {
  if (data.length > SHORT || previous.length !== HASH_BYTES) {
    return createHash("sha256").update(previous).update(data, "utf8").digest()
  }
  input.set(previous)
  const { written } = encoder.encodeInto(data, text)
  return hash("sha256", input.subarray(0, HASH_BYTES + written), "buffer")
}
