import { Effect } from "effect"
import { SecureRandom } from "effect/crypto/SecureRandom"

const ALPHABET = "0123456789abcdefghjkmnpqrstvwxyz"

/** 120 random bits: 24 letters of 5 bits. */
const LETTERS = 24

/** The kinds of things that the contexts name, by the prefix of their ids. */
export type Prefix =
  | "usr"
  | "cmp"
  | "cli"
  | "rtf"
  | "key"
  | "tok"
  | "prd"
  | "plt"
  | "pur"
  | "pay"
  | "rfd"
  | "sub"
  | "trf"
  | "wdr"
  | "ben"
  | "fxq"
  | "kyc"
  | "bot"
  | "whk"
  | "evt"
  | "whd"

/** An id such as `usr_4k2m…`: the prefix and 24 letters of Crockford's base 32, from `bytes` (24 of them). */
export const fromBytes = (prefix: Prefix, bytes: Uint8Array): string => {
  let text = `${prefix}_`
  for (const byte of bytes) text += ALPHABET[byte & 31]
  return text
}

/** A new random id. */
export const make = Effect.fnUntraced(function* (prefix: Prefix) {
  const random = yield* SecureRandom
  return fromBytes(prefix, yield* random.randomBytes(LETTERS))
})
