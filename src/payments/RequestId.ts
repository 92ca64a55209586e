import { Effect } from "effect"
import { createHash } from "node:crypto"
import { fromBytes, make, type Prefix } from "../Identifier.ts"

/** Letters of an id after its prefix. */
const LETTERS = 24

/**
 * The id of what a request makes: always the same for one `Idempotency-Key`, so that its repetition after a crash finds
 * what the first one began, and begins nothing anew.
 *
 * @param key - the keyed request's own, undefined where the caller sent none
 */
export const requestIdOf = (prefix: Prefix, key: string | undefined) =>
  key === undefined
    ? make(prefix)
    : Effect.sync(() => fromBytes(prefix, createHash("sha256").update(key).digest().subarray(0, LETTERS)))
