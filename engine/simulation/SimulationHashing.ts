import { type ChainHash, fromHex, toHex } from "../actor/EventChain.ts"
import type { KeyedHash } from "../arena/KeyedHash.ts"

/** A running SHA-256. */
export interface Digest {
  /** Adds the UTF-8 of a text. */
  readonly update: (text: string) => void
  /** The hash of everything added, in lower-case hex. Ends the digest. */
  readonly hex: () => string
}

/** Characters that are digested at once, at least. */
const DIGEST_CHARACTERS = 262_144

/** Digests lines, each followed by a line feed, many at once. */
export class LineDigest {
  readonly #digest: Digest
  #waiting: Array<string> = []
  #length = 0

  constructor(digest: Digest) {
    this.#digest = digest
  }

  add(line: string): void {
    this.#waiting.push(line, "\n")
    this.#length += line.length
    if (this.#length >= DIGEST_CHARACTERS) this.#flush()
  }

  /** The hash of everything added, in lower-case hex. Ends the digest. */
  hex(): string {
    this.#flush()
    return this.#digest.hex()
  }

  #flush(): void {
    this.#digest.update(this.#waiting.join(""))
    this.#waiting = []
    this.#length = 0
  }
}

/** SHA-256 as the simulation needs it; every runtime brings its own. */
export interface SimulationHashing {
  readonly link: ChainHash
  readonly digest: () => Digest
}

/** SHA-256(key ‖ label): good enough to draw from, where nobody guesses keys. */
export const keyedHash = (link: ChainHash, seed: number, purpose: string): KeyedHash => {
  const key = link(new Uint8Array(32), `simulation/${seed}/${purpose}`)
  return (label) => link(key, label)
}

/** The secrets of orders, derived from the seed. */
export interface SimulatedKeys {
  /** Draws ids and terms. */
  readonly hash: KeyedHash
  /** 32 bytes in hex. */
  readonly tieKey: (orderId: string) => string
  /** SHA-256 of the key's bytes, in hex. */
  readonly tieKeyHash: (orderId: string) => string
  /** SHA-256(tie key ‖ UTF-8 of the owner), in hex. */
  readonly tieHash: (tieKey: string, owner: string) => string
}

export const simulatedKeys = (link: ChainHash, seed: number): SimulatedKeys => {
  const ties = keyedHash(link, seed, "ties")
  const known = new Map<string, string>()
  const last = { key: "", bytes: new Uint8Array(0) }
  const tieKey = (orderId: string): string => {
    const before = known.get(orderId)
    if (before !== undefined) return before
    const key = toHex(ties(`tie/${orderId}`))
    known.set(orderId, key)
    return key
  }
  return {
    hash: keyedHash(link, seed, "orders"),
    tieKey,
    tieKeyHash: (orderId) => toHex(link(fromHex(tieKey(orderId)), "")),
    tieHash: (key, owner) => {
      if (key !== last.key) Object.assign(last, { key, bytes: fromHex(key) })
      return toHex(link(last.bytes, owner))
    }
  }
}
