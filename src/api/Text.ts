/** Texts of requests: of one line, of several, and mail addresses. */

import { Schema } from "effect"
import { SEALED_PREFIX } from "../../engine/erasure/SealedText.ts"

/** No text that somebody sends is taken for a sealed one of somebody else. */
const notSealed = Schema.makeFilter((text: string) => !text.includes(SEALED_PREFIX), {
  expected: `a text without ${SEALED_PREFIX}`
})

/**
 * Half of a surrogate pair, such as JSON's `\ud83d` alone, is no character (RFC 8259, section 8.2): UTF-8 cannot say it, so
 * another character would be kept in its place. It alone is told.
 */
export const WHOLE = "text in which no half of a surrogate pair (\\ud800 to \\udfff) stands alone"
const whole = Schema.makeFilter((text: string) => text.isWellFormed(), { expected: WHOLE }).abort()

/** Neither control characters, which no field needs and the database cannot all store, nor half of a surrogate pair. */
const PRINTABLE = /^[^\p{Cc}\p{Cs}]*$/u

/** Text of one line: `min` to `max` characters without control characters. */
export const text = (min: number, max: number) => {
  const expected = `${min} to ${max} characters without control characters`
  return Schema.String.check(
    whole,
    Schema.isMinLength(min, { expected }),
    Schema.isMaxLength(max, { expected }),
    Schema.isPattern(PRINTABLE, { expected }),
    notSealed
  )
}

/** Control characters but line breaks and tabs, and halves of surrogate pairs. */
const PRINTED_LINES = /^(?:[^\p{Cc}\p{Cs}]|[\t\n\r])*$/u

/** Text of several lines: `min` to `max` characters, of control characters line breaks and tabs alone. */
export const lines = (min: number, max: number) => {
  const expected = `${min} to ${max} characters, of control characters line breaks and tabs alone`
  return Schema.String.check(
    whole,
    Schema.isMinLength(min, { expected }),
    Schema.isMaxLength(max, { expected }),
    Schema.isPattern(PRINTED_LINES, { expected }),
    notSealed
  )
}

const EMAIL = "a mail address such as buyer@example.com, at most 254 characters"

/** A mail address: its shape alone. */
export const EmailAddress = Schema.String.check(
  Schema.isMaxLength(254, { expected: EMAIL }),
  Schema.isPattern(/^[^\s\p{Cc}\p{Cs}@]+@[^\s\p{Cc}\p{Cs}@]+\.[^\s\p{Cc}\p{Cs}@]+$/u, { expected: EMAIL }),
  notSealed
)
