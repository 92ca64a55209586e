/** The hash chain of a stream's events. */

/** The hash before a stream's first event: 32 zero bytes. */
export const GENESIS: Uint8Array = new Uint8Array(32)

/** The next link of a stream's chain: SHA-256(previous hash ‖ UTF-8 of the event's bytes). */
export type ChainHash = (previous: Uint8Array, data: string) => Uint8Array

/** Whether two hashes have the same bytes. */
export const isSameHash = (one: Uint8Array, other: Uint8Array): boolean => {
  for (let index = 0; index < one.length; index++) if (one[index] !== other[index]) return false
  return one.length === other.length
}

/**
 * The bytes of an event as they are stored, hashed and replayed: its JSON in the order of its fields, bigints as
 * decimal strings.
 */
export const encodeEvent = (event: object): string => JSON.stringify(plain(event))

/** The same with strings for bigints. Copying costs less than half of what a replacer does. */
export const plain = (value: unknown): unknown => {
  if (typeof value === "bigint") return value.toString()
  if (typeof value !== "object" || value === null) return value
  if (Array.isArray(value)) return value.map(plain)
  const copy: Record<string, unknown> = { ...value }
  for (const key of Object.keys(copy)) {
    const part = copy[key]
    if (typeof part === "bigint") copy[key] = part.toString()
    else if (typeof part === "object") copy[key] = plain(part)
  }
  return copy
}

const HEX = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, "0"))

/** ECMAScript has this since 2026; not every runtime does. */
interface HexWriter {
  readonly toHex?: () => string
}

/** Lower-case hexadecimal digits, two a byte. */
export const toHex = (bytes: Uint8Array & HexWriter): string => {
  if (bytes.toHex !== undefined) return bytes.toHex()
  let text = ""
  for (const byte of bytes) text += HEX[byte]
  return text
}

/** The bytes that {@link toHex} gives the text of; other bytes for other texts. */
export const fromHex = (hex: string): Uint8Array =>
  Uint8Array.from({ length: hex.length >> 1 }, (_, at) => Number.parseInt(hex.slice(2 * at, 2 * at + 2), 16))
