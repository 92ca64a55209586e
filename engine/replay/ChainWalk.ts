import { type ChainHash, fromHex, GENESIS, toHex } from "../actor/EventChain.ts"
import { type Finding, findingAt, type StoredEvent } from "./StoredEvent.ts"

/** The end of a stream as the walk found it. */
export interface StreamEnd {
  readonly version: number
  /** In hex. */
  readonly hash: string
  readonly last: StoredEvent
}

interface Head {
  readonly hash: Uint8Array
  /** Without its data. */
  readonly last: StoredEvent
}

/**
 * Walks all events in the order of their sequence: the sequence and each stream's versions have no gap, each hash is
 * SHA-256(previous hash of its stream ‖ data), and the recorded type is the event's own.
 *
 * It also sums up the whole log: SHA-256(sum so far ‖ sequence, stream, version, type and hash of the event), so that
 * two logs with one sum are the same, and one sum kept elsewhere vouches for everything before it. Its memory grows
 * with the number of streams, not of events.
 *
 * A walk over a part of the log takes the first event of each stream that began before as given.
 */
export class ChainWalk {
  readonly #link: ChainHash
  readonly #heads = new Map<string, Head>()
  readonly #isPart: boolean
  #seq: number
  #sum: Uint8Array = GENESIS

  /** @param before - the sequence of the event that the walk begins behind; 0: with the log's first */
  constructor(link: ChainHash, before = 0) {
    this.#link = link
    this.#seq = before
    this.#isPart = before > 0
  }

  /** How many events were walked without a finding, those before a part among them. */
  get events(): number {
    return this.#seq
  }

  get streams(): number {
    return this.#heads.size
  }

  /** The log's running hash, in hex. */
  get sum(): string {
    return toHex(this.#sum)
  }

  end(stream: string): StreamEnd | undefined {
    const head = this.#heads.get(stream)
    return head === undefined ? undefined : { version: head.last.version, hash: head.last.hash, last: head.last }
  }

  /** The event that data is once it stands in its stream behind what was walked. Its type is empty where data names none. */
  following({ seq, stream, data }: Pick<StoredEvent, "seq" | "stream" | "data">): StoredEvent {
    const head = this.#heads.get(stream)
    const [, named = ""] = /^\{"_tag":"(\w+)",/.exec(data) ?? []
    return {
      seq,
      stream,
      version: (head?.last.version ?? 0) + 1,
      type: named,
      data,
      hash: toHex(this.#link(head?.hash ?? GENESIS, data))
    }
  }

  /** Takes the next event; answers what is wrong with it, or nothing. After a finding the walk is over. */
  step(event: StoredEvent): Finding | undefined {
    const head = this.#heads.get(event.stream)
    const isGiven = this.#isPart && head === undefined && event.version > 1
    const hash = isGiven ? fromHex(event.hash) : this.#link(head?.hash ?? GENESIS, event.data)
    const misplaced = this.#sequence(event) ?? (isGiven ? undefined : version(event, head))
    const problem = misplaced ?? type(event) ?? chain(event, toHex(hash))
    if (problem !== undefined) return findingAt(event, problem)
    this.#seq = event.seq
    this.#heads.set(event.stream, { hash, last: { ...event, data: "" } })
    this.#sum = this.#link(this.#sum, placed(event))
    return undefined
  }

  #sequence({ seq }: StoredEvent): string | undefined {
    const expected = this.#seq + 1
    return seq === expected ? undefined : `stands where event ${expected} of the sequence is expected`
  }
}

const placed = ({ seq, stream, version, type, hash }: StoredEvent): string =>
  JSON.stringify([seq, stream, version, type, hash])

const version = ({ version: found }: StoredEvent, head: Head | undefined): string | undefined => {
  const expected = (head?.last.version ?? 0) + 1
  return found === expected ? undefined : `stands where version ${expected} of its stream is expected`
}

const type = ({ type: found, data }: StoredEvent): string | undefined =>
  data.startsWith(`{"_tag":${JSON.stringify(found)},`) ? undefined : "has a type that its data does not name"

const chain = ({ hash }: StoredEvent, expected: string): string | undefined =>
  hash === expected ? undefined : `was altered: its bytes hash to ${expected}, recorded is ${hash}`
