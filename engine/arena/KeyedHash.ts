/**
 * HMAC-SHA-256 of a label, 32 bytes, under a secret 256-bit key that the hash keeps to itself.
 *
 * Every use has its own prefix of the label (`order-id/`, `order-terms/`, `walk/`), so that no draw tells another.
 */
export type KeyedHash = (label: string) => Uint8Array

const DRAW_BYTES = 6

/** A uniform integer in [0, bound) for a bound of at most 2³², off by less than 2⁻¹⁶ of each chance. */
export const drawBelow = (hash: KeyedHash, label: string, bound: number): number =>
  hash(label)
    .subarray(0, DRAW_BYTES)
    .reduce((drawn, byte) => drawn * 256 + byte, 0) % bound

/** The first `bytes` bytes of a label's hash, in hex. */
export const hexOf = (hash: KeyedHash, label: string, bytes: number): string =>
  Array.from(hash(label).subarray(0, bytes), (byte) => byte.toString(16).padStart(2, "0")).join("")
