import { createHash } from "node:crypto"

export const FIFTHS = 5

/** The fifth that is kept out of the training. */
export const HELD_OUT = 0

/**
 * The fifth a record belongs to, from 0 to 4: SHA-256 over seed and line. The order of the lines does not matter, and
 * equal lines never stand on both sides.
 */
export const fifthOf = (seed: string, line: string): number =>
  createHash("sha256").update(`${seed}\n${line}`).digest().readUInt32BE(0) % FIFTHS
