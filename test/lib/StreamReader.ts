import { expect } from "bun:test"
import { Effect, Schema } from "effect"
import { ARENA_STREAM_PATH, ServerFrame } from "../../src/api/ArenaStreamProtocol.ts"
import { eventually } from "./ServerProcess.ts"

/** An order as its detail shows it. */
export interface SeenOrder {
  readonly order_id: string
  readonly commitments: ReadonlyArray<SeenCommitment>
}

interface SeenCommitment {
  readonly proposed_entry_price: number | null
  readonly expected_exit_price: number | null
  readonly commitment_id: string
  readonly rank: number | null
}

interface Sequenced {
  readonly type: string
  readonly data: Readonly<Record<string, unknown>> & { readonly order_id: string }
  readonly seq: number
  readonly prev: number
  readonly frame: number
  readonly frames: number
}

const LIMIT = 20_000

const decode = Schema.decodeUnknownSync(ServerFrame, { onExcessProperty: "error" })

const Client = WebSocket as unknown as new (
  url: string,
  options: { readonly headers: Readonly<Record<string, string>>; readonly protocols?: ReadonlyArray<string> }
) => WebSocket

/** Connects with headers and subprotocols, as a program can. */
export const openSocket = (
  serverUrl: string,
  headers: Readonly<Record<string, string>> = {},
  protocols: ReadonlyArray<string> = []
): WebSocket => {
  const url = serverUrl.replace("http", "ws")
  const path = url.endsWith(ARENA_STREAM_PATH) ? url : `${url}${ARENA_STREAM_PATH}`
  return new Client(path, protocols.length === 0 ? { headers } : { headers, protocols: [...protocols] })
}

/**
 * A consumer that trusts nothing: it keeps the orders from a snapshot and what follows, proves at each event that none is
 * missing or told twice, and goes on after a disconnection where it was.
 */
export class StreamReader {
  readonly orders = new Map<string, SeenOrder>()
  /** Every sequenced frame, in order. */
  readonly events: Array<Sequenced> = []
  readonly problems: Array<string> = []
  /** The types of all frames. */
  readonly types = new Set<string>()
  position: number | undefined
  epoch = ""
  resumes = 0
  #last = 0
  #left = 0
  #pages = 0
  #socket: WebSocket | undefined
  /** Whether the snapshot that was asked for is not yet whole. */
  #isWaiting = false
  readonly #subscription: object
  readonly #headers: Readonly<Record<string, string>>

  constructor(subscription: object, headers: Readonly<Record<string, string>> = {}) {
    this.#subscription = subscription
    this.#headers = headers
  }

  get isOpen(): boolean {
    return this.#socket?.readyState === WebSocket.OPEN
  }

  /** Connects, and subscribes where it was. */
  connect(serverUrl: string, headers = this.#headers): Effect.Effect<void> {
    return Effect.suspend(() => {
      this.#forget()
      const socket = openSocket(serverUrl, headers)
      this.#socket = socket
      const { epoch, position: seq } = this
      const data = { ...this.#subscription, ...(seq === undefined ? {} : { resume: { epoch, seq } }) }
      if (seq !== undefined) this.resumes += 1
      this.#isWaiting = seq === undefined && "snapshot" in this.#subscription
      let isSubscribed = false
      socket.addEventListener("open", () => socket.send(JSON.stringify({ type: "subscribe", id: "s", data })))
      socket.addEventListener("message", ({ data: text }) => {
        if (this.#socket !== socket) return
        const frame: Sequenced = JSON.parse(String(text))
        if (frame.type === "subscribed") isSubscribed = true
        if (!isSubscribed && frame.type !== "resync_required") return
        this.#take(frame)
      })
      return Effect.asVoid(eventually("a subscription", LIMIT, () => (isSubscribed ? true : undefined)))
    })
  }

  /** Is cut off. */
  disconnect(): void {
    this.#socket?.close()
    this.#socket = undefined
    this.#forget()
  }

  /** Waits until everything up to an event is told. */
  reached(seq: number): Effect.Effect<void> {
    return Effect.asVoid(
      eventually(`event ${seq}`, LIMIT, () =>
        (!this.#isWaiting && (this.position ?? -1) >= seq) || this.problems.length > 0 ? true : undefined
      )
    )
  }

  /** Frames of an event, and pages of a snapshot, that were not told to their end do not count. */
  #forget(): void {
    if (this.#isWaiting) this.position = undefined
    this.#pages = 0
    if (this.#left === 0) return
    const { seq } = this.events.at(-1)!
    while (this.events.at(-1)?.seq === seq) this.events.pop()
    this.#left = 0
  }

  #take(frame: Sequenced): void {
    this.types.add(frame.type)
    decode(frame)
    if (frame.type === "subscribed") {
      this.epoch = String(frame.data["epoch"])
      this.#last = Number(frame.data["seq"])
      this.position ??= this.#last
      expect(this.#last).toBeGreaterThanOrEqual(this.position)
      this.position = this.#last
    } else if (frame.type === "snapshot") {
      for (const order of frame.data["orders"] as ReadonlyArray<SeenOrder>) this.orders.set(order.order_id, order)
      this.#pages += 1
      const { page, pages } = frame.data
      if (page !== this.#pages) this.problems.push(`page ${page} of ${pages} in place of ${this.#pages}`)
      if (page === pages) this.#isWaiting = false
    } else if (frame.type === "heartbeat") {
      const seq = Number(frame.data["seq"])
      if (seq > (this.position ?? 0)) this.position = seq
      if (frame.data["prev"] !== this.#last)
        this.problems.push(`heartbeat after ${frame.data["prev"]}, not ${this.#last}`)
    } else if (frame.seq !== undefined) {
      this.#event(frame)
    }
  }

  #event(frame: Sequenced): void {
    const isFirst = this.#left === 0
    const before = isFirst ? this.#last : this.events.at(-1)!.prev
    const left = frame.frames - frame.frame
    const isNext = isFirst
      ? frame.seq > this.#last && frame.frame === 1
      : frame.seq === this.events.at(-1)!.seq && left === this.#left - 1
    if (frame.prev !== before || !isNext) {
      this.problems.push(`${frame.prev}→${frame.seq} (${left} more) after ${this.#last} (${this.#left} left)`)
    }
    this.events.push(frame)
    this.#left = left
    this.#apply(frame)
    if (left > 0) return
    this.#last = frame.seq
    this.position = frame.seq
  }

  #apply({ data, type }: Sequenced): void {
    const { order_id: id, ...rest } = data
    const order = this.orders.get(id)
    if (type === "order_updated") {
      this.orders.set(id, { order_id: id, ...rest, commitments: order?.commitments ?? [] })
    } else if (type === "commitment_updated" && order !== undefined) {
      this.orders.set(id, { ...order, commitments: inserted(order.commitments, rest as unknown as SeenCommitment) })
    }
  }
}

/** By rank, then as they came. */
const inserted = (known: ReadonlyArray<SeenCommitment>, changed: SeenCommitment): ReadonlyArray<SeenCommitment> => {
  const at = known.findIndex(({ commitment_id: id }) => id === changed.commitment_id)
  const all = at === -1 ? [...known, changed] : known.with(at, changed)
  return all.toSorted((one, other) => (one.rank ?? Infinity) - (other.rank ?? Infinity) || 0)
}
