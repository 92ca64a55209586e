import { Effect } from "effect"
import { SecureRandom } from "effect/crypto/SecureRandom"

const ALPHABET = "0123456789abcdefghjkmnpqrstvwxyz"

/** 120 random bits: 24 letters of 5 bits. */
const LETTERS = 24

/** Of an {@link ordered} id: those of its time, 45 bits of milliseconds, and of its place, 15 bits. The rest is random. */
const TIME_LETTERS = 9
const PLACE_LETTERS = 3

/** Random bytes of an {@link ordered} id, of each of which 5 bits are used. */
export const ORDERED_BYTES = LETTERS - TIME_LETTERS - PLACE_LETTERS

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

/** The lower bits of a whole number in base 32, so many letters, the highest first. */
const lettersOf = (value: number, count: number): string => {
  let [text, rest] = ["", value]
  for (let index = 0; index < count; index++) {
    text = `${ALPHABET[rest % 32]}${text}`
    rest = Math.floor(rest / 32)
  }
  return text
}

/**
 * Makes ids that follow on each other in the order of their texts: by the time `at` in milliseconds since 1970, and by their
 * `place` among those of one time, below 32,768. So the rows of one transaction go to the end of an index, not to a page
 * each. The rest of an id are 60 random bits from {@link ORDERED_BYTES} bytes.
 */
export const ordered = (prefix: Prefix, at: number): ((place: number, bytes: Uint8Array) => string) => {
  const head = `${prefix}_${lettersOf(at, TIME_LETTERS)}`
  return (place, bytes) => {
    let text = head + lettersOf(place, PLACE_LETTERS)
    for (const byte of bytes) text += ALPHABET[byte & 31]
    return text
  }
}

/** Ids whose bytes are drawn together: a call of the system's source costs as much as an id's letters. */
const DRAWN = 64

/**
 * What makes random ids without a fiber: their bytes are drawn many at a time, and used once. The source must answer at
 * once, as every source of the platform's does.
 */
export const making = (prefix: Prefix): Effect.Effect<() => string, never, SecureRandom> =>
  Effect.map(Effect.context<SecureRandom>(), (context) => {
    const draw = Effect.flatMap(SecureRandom, ({ randomBytes }) => randomBytes(DRAWN * LETTERS))
    let bytes: Uint8Array = new Uint8Array()
    let used = 0
    return () => {
      if (used >= bytes.length) {
        bytes = Effect.runSyncWith(context)(draw)
        used = 0
      }
      used += LETTERS
      return fromBytes(prefix, bytes.subarray(used - LETTERS, used))
    }
  })

/** A new random id. */
export const make = Effect.fnUntraced(function* (prefix: Prefix) {
  const random = yield* SecureRandom
  return fromBytes(prefix, yield* random.randomBytes(LETTERS))
})
