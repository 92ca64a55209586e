/** The hash before a stream's first event: 32 zero bytes. */
export const GENESIS: Uint8Array = new Uint8Array(32)

/** The next link of a stream's chain: SHA-256(previous hash ‖ UTF-8 of the event's bytes). */
export type ChainHash = (previous: Uint8Array, data: string) => Uint8Array

/**
 * The bytes of an event as they are stored, hashed and replayed: its JSON in the order of its fields, bigints as
 * decimal strings.
 */
export const encodeEvent = (event: object): string =>
  JSON.stringify(event, (_, value: unknown) => (typeof value === "bigint" ? value.toString() : value))

const HEX = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, "0"))

/** Lower-case hexadecimal digits, two a byte. */
export const toHex = (bytes: Uint8Array): string => {
  let text = ""
  for (const byte of bytes) text += HEX[byte]
  return text
}
