import type { ClientPlatform, ClientSocket } from "../../packages/client/src/ClientPlatform.ts"
import type { Order } from "../../packages/client/src/WireFrame.ts"
import { VirtualTime } from "./VirtualTime.ts"

type Data = Readonly<Record<string, unknown>>

interface Told {
  readonly type: string
  readonly data: Data
}

interface Logged {
  readonly seq: number
  readonly told: ReadonlyArray<Told>
}

interface Subscription {
  readonly snapshot?: boolean
  readonly resume?: { readonly epoch: string; readonly seq: number }
}

type Listener = (event: never) => void

const TIME = "2026-01-01T00:00:00.000Z"

interface Numbers {
  readonly type: string
  readonly seq?: number
}

const numbersOf = (text: string | undefined): Numbers | undefined =>
  text === undefined ? undefined : (JSON.parse(text) as Numbers)

/** What a client may do without: the next of its kind says the same, or more. */
const DISPENSABLE: ReadonlySet<string> = new Set(["heartbeat", "pong", "price_update"])

/** What the fake server and a client say to each other, delivered only when the test says so. */
class FakeSocket implements ClientSocket {
  readonly url: string
  readonly protocols: ReadonlyArray<string>
  readonly sent: Array<{ readonly type: string; readonly data: Subscription }> = []
  /** Frames under way to the client. */
  readonly outgoing: Array<string> = []
  isOpen = false
  isSubscribed = false
  prev = 0
  last: string | undefined
  readonly #listeners = new Map<string, Listener>()
  readonly #received: (socket: FakeSocket) => void

  constructor(url: string, protocols: ReadonlyArray<string>, received: (socket: FakeSocket) => void) {
    this.url = url
    this.protocols = protocols
    this.#received = received
  }

  send(text: string): void {
    this.sent.push(JSON.parse(text))
    this.#received(this)
  }

  /** A client's close is told to it later, or never. */
  close(): void {
    this.isOpen = false
  }

  addEventListener(type: string, listener: Listener): void {
    this.#listeners.set(type, listener)
  }

  emit(type: string, event: object): void {
    this.#listeners.get(type)?.(event as never)
  }

  say(type: string, data: object, numbers: object = {}): void {
    this.outgoing.push(JSON.stringify({ type, data, timestamp: TIME, ...numbers }))
  }

  deliver(count: number): void {
    for (const text of this.outgoing.splice(0, count)) {
      this.last = text
      this.emit("message", { data: text })
    }
  }

  /** Loses a frame that is under way. */
  lose(at: number): void {
    const lost = numbersOf(this.outgoing[at])
    if (lost !== undefined && !DISPENSABLE.has(lost.type)) this.outgoing.splice(at, 1)
  }

  /** Tells frames of two events in the wrong order. */
  swap(at: number): void {
    const [one, other] = [this.#placeOf(at), this.#placeOf(at + 1)]
    if (one === undefined || other === undefined || one === other) return
    this.outgoing.splice(at, 2, this.outgoing[at + 1]!, this.outgoing[at]!)
  }

  #placeOf(at: number): number | undefined {
    return numbersOf(this.outgoing[at])?.seq
  }

  /** Ends the connection; what is under way is lost. */
  end(code: number): void {
    this.outgoing.length = 0
    this.isOpen = false
    this.emit("close", { code })
  }
}

/** A small arena with the stream's protocol, which can be told to misbehave. */
export class FakeArena {
  readonly time = new VirtualTime()
  readonly sockets: Array<FakeSocket> = []
  /** Every log there was. */
  readonly logs = new Map<string, Array<Logged>>([["epoch-1", []]])
  epoch = "epoch-1"
  orders = new Map<string, Order>()
  readonly platform: Partial<ClientPlatform>

  constructor() {
    const accept = (socket: FakeSocket) => this.#accept(socket)
    const receive = (socket: FakeSocket) => this.#receive(socket)
    this.platform = {
      WebSocket: class extends FakeSocket {
        constructor(url: string, protocols: Array<string>) {
          super(url, protocols, receive)
          accept(this)
        }
      },
      now: this.time.now,
      random: () => 0.5,
      after: this.time.after
    }
  }

  get log(): Array<Logged> {
    return this.logs.get(this.epoch)!
  }

  /** The connection made last. */
  get socket(): FakeSocket {
    return this.sockets.at(-1)!
  }

  openOrder(orderId: string): void {
    if (this.orders.has(orderId)) return this.silent()
    const order = { order_id: orderId, status: "open" }
    this.orders.set(orderId, { ...order, commitments: [] } as unknown as Order)
    this.#commit([
      { type: "order_created", data: { order_id: orderId } },
      { type: "order_updated", data: order }
    ])
  }

  bid(orderId: string): void {
    const order = this.orders.get(orderId)
    if (order === undefined) return this.openOrder(orderId)
    if (order.status !== "open") return this.silent()
    const bid = { commitment_id: `${orderId}-${order.commitments.length}`, status: "open", rank: null }
    this.#change(orderId, { commitments: [...order.commitments, bid as never] })
    this.#commit([
      { type: "commitment_submitted", data: { commitment_id: bid.commitment_id } },
      { type: "commitment_updated", data: { order_id: orderId, ...bid } }
    ])
  }

  /** Ranks the last bid first, and settles the order. */
  settle(orderId: string): void {
    const order = this.orders.get(orderId)
    if (order === undefined || order.status !== "open") return this.silent()
    const bids = order.commitments.toReversed().map((bid, index) => ({ ...bid, rank: index + 1 }))
    this.#change(orderId, { status: "settled", commitments: bids })
    this.#commit([
      { type: "order_updated", data: { order_id: orderId, status: "settled" } },
      ...bids.toReversed().map((bid) => ({ type: "commitment_updated", data: { order_id: orderId, ...bid } }))
    ])
  }

  /** An event of which nobody is told. */
  silent(): void {
    this.#commit([])
  }

  heartbeat(): void {
    const position = { epoch: this.epoch, seq: this.log.length }
    for (const socket of this.#listening()) socket.say("heartbeat", { ...position, prev: socket.prev })
  }

  /** Starts again with another log, and nothing in it. */
  renew(): void {
    this.epoch = `epoch-${this.logs.size + 1}`
    this.logs.set(this.epoch, [])
    this.orders = new Map()
    for (const socket of this.sockets) if (socket.isOpen) socket.end(1006)
  }

  /** Delivers all, and lets time pass, until nothing happens any more. */
  rest(): void {
    for (let round = 0; round < 50; round++) {
      this.time.pass(1_000)
      this.socket.deliver(Infinity)
    }
  }

  #change(orderId: string, changes: Partial<Order>): void {
    this.orders.set(orderId, { ...this.orders.get(orderId)!, ...changes })
  }

  #listening(): ReadonlyArray<FakeSocket> {
    return this.sockets.filter(({ isOpen, isSubscribed }) => isOpen && isSubscribed)
  }

  #accept(socket: FakeSocket): void {
    this.sockets.push(socket)
    this.time.after(1, () => {
      socket.isOpen = true
      socket.emit("open", {})
    })
  }

  #commit(told: ReadonlyArray<Told>): void {
    const logged = { seq: this.log.length + 1, told }
    this.log.push(logged)
    for (const socket of this.#listening()) this.#tell(socket, logged)
  }

  #tell(socket: FakeSocket, { seq, told }: Logged): void {
    for (const [index, { data, type }] of told.entries()) {
      socket.say(type, data, { seq, prev: socket.prev, frame: index + 1, frames: told.length })
    }
    if (told.length > 0) socket.prev = seq
  }

  #receive(socket: FakeSocket): void {
    const { data, type } = socket.sent.at(-1)!
    if (type === "ping") return socket.say("pong", {})
    const { resume, snapshot } = data
    const position = { epoch: this.epoch, seq: this.log.length }
    socket.isSubscribed = true
    const reason = this.#obstacleTo(resume)
    if (resume !== undefined && reason === undefined) {
      socket.prev = resume.seq
      this.#subscribed(socket, resume)
      for (const logged of this.log.slice(resume.seq)) this.#tell(socket, logged)
      return
    }
    if (reason !== undefined) socket.say("resync_required", { ...position, reason })
    socket.prev = position.seq
    this.#subscribed(socket, position)
    if (snapshot !== true) return
    const live = [...this.orders.values()].filter(({ status }) => status !== "settled")
    const pages = live.length + 1
    const page = (index: number, orders: ReadonlyArray<Order>) =>
      socket.say("snapshot", { ...position, page: index + 1, pages, orders })
    for (const [index, order] of live.entries()) page(index, [order])
    page(live.length, [])
  }

  #subscribed(socket: FakeSocket, position: object): void {
    socket.say("subscribed", { ...position, channels: ["orders", "commitments"], asset_type: [], order_id: [] })
  }

  #obstacleTo(resume: Subscription["resume"]): string | undefined {
    if (resume === undefined) return undefined
    if (resume.epoch !== this.epoch) return "epoch_changed"
    return resume.seq > this.log.length ? "position_unknown" : undefined
  }
}
