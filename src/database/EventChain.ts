import { createHash } from "node:crypto"

/** The hash before a stream's first event: 32 zero bytes. */
export const GENESIS: Uint8Array = new Uint8Array(32)

/**
 * The bytes of an event as they are stored, hashed and replayed: its JSON in the order of its fields, bigints as
 * decimal strings.
 */
export const encodeEvent = (event: object): string =>
  JSON.stringify(event, (_, value: unknown) => (typeof value === "bigint" ? value.toString() : value))

/** The next link of a stream's chain: SHA-256(previous hash ‖ UTF-8 of the event's bytes). */
export const link = (previous: Uint8Array, data: string): Uint8Array =>
  createHash("sha256").update(previous).update(data, "utf8").digest()

export const toHex = (hash: Uint8Array): string => Buffer.from(hash).toString("hex")
