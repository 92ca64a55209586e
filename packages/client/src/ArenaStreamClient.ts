import {
  ARENA_STREAM_PATH,
  HEARTBEAT_MILLIS,
  type PriceUpdate,
  STREAM_CLOSE,
  STREAM_PROTOCOL,
  type StreamError,
  type SubscribeData,
  TICKET_PROTOCOL_PREFIX
} from "./Contract.ts"
import { isFinal } from "./ApiError.ts"
import { Backoff } from "./Backoff.ts"
import { type ClientPlatform, type ClientSocket, standardPlatform, withWebSocket } from "./ClientPlatform.ts"
import type { TokenSource } from "./Credentials.ts"
import { ItemQueue } from "./ItemQueue.ts"
import { PriceProgress } from "./PriceProgress.ts"
import { StreamedOrders } from "./StreamedOrders.ts"
import { type CompleteEvent, type LogPosition, type NewState, type Resync, StreamProgress } from "./StreamProgress.ts"
import { ticketFor } from "./StreamTicket.ts"
import { webSocketUrl } from "./WebSocketUrl.ts"
import { type Order, readWireFrame, type WireFrame } from "./WireFrame.ts"

/** Items that wait for the reader of the client's loop. Beyond them the client disconnects, and resumes once half is read. */
export const MAX_QUEUED_ITEMS = 10_000

/** Silence after which the server is asked for a sign, and after which the connection is given up, in milliseconds. */
export const ASK_AFTER = HEARTBEAT_MILLIS + 5_000
export const GIVE_UP_AFTER = 45_000

const NORMAL = 1000

type AssetType = NonNullable<SubscribeData["asset_type"]>[number]

/** What a subscription chooses from. `my` needs authentication. */
export type Channel = NonNullable<SubscribeData["channels"]>[number]

/** A price, as it is told. Prices have no place in the log, and only the newest counts, unless all are asked for. */
export interface Price {
  readonly kind: "price"
  readonly price: PriceUpdate["data"]
  readonly timestamp: string
  /** With `priceSequence`: its place among the prices, milliseconds since 1970. */
  readonly seq?: number
  /** With `priceSequence`: whether prices of the asset before it were missed that the server keeps no longer. */
  readonly missed?: boolean
}

/** What a consumer is told, in order. */
export type StreamItem = CompleteEvent | NewState | Resync | Price

/** `paused`: the queue is full. `waiting`: until it connects again. */
export type StreamStatus = "connecting" | "live" | "waiting" | "paused" | "ended"

/** Why the client stopped for good. */
export class StreamRefused extends Error {
  /** `unauthorized`: the token is refused. A reason of {@link Resync}: what was missed cannot be told. */
  readonly code: StreamError["data"]["code"] | Resync["reason"] | "authentication_expired" | "item_not_taken"

  constructor(code: StreamRefused["code"], message: string, cause?: unknown) {
    super(message, { cause })
    this.code = code
  }
}

export interface ArenaStreamOptions {
  /** The server, such as `https://arena.example`. */
  readonly url: string
  /** All public ones where there are none. {@link ArenaStreamClient.state} needs `orders` and `commitments`. */
  readonly channels?: ReadonlyArray<Channel>
  readonly assetTypes?: ReadonlyArray<AssetType>
  readonly orderIds?: ReadonlyArray<string>
  /** Whether to begin with the state of the orders, also where what was missed cannot be told. True by default. */
  readonly snapshot?: boolean
  /** Goes on after the position of the last item that was kept. */
  readonly from?: LogPosition
  /** Whether every recorded price is told, once and in order, across disconnections too. */
  readonly priceSequence?: boolean
  /** With `priceSequence`: goes on after this place among the prices, such as `pricePosition` of another time. */
  readonly pricesFrom?: number
  /** An access token, or what gives one that is valid now: the channel `my` needs it. Asked before every connection. */
  readonly token?: TokenSource
  /**
   * In place of a token, asked for a fresh ticket before every connection. Null ends the client; a failure is tried
   * again, unless the platform refuses it.
   */
  readonly ticket?: () => Promise<string | null>
  /** Whether the client ends where what was missed cannot be told, in place of telling so. */
  readonly endOnResync?: boolean
  /** Told of every item at once. Where it throws, the client ends. */
  readonly onItem?: (item: StreamItem) => void
  /** Told of every change, and why where there is a reason. */
  readonly onStatus?: (status: StreamStatus, why?: string) => void
  /** {@link MAX_QUEUED_ITEMS} by default. */
  readonly maxQueuedItems?: number
  readonly platform?: Partial<ClientPlatform>
}

/**
 * A consumer of `/ws/arena` that is told of every event once, in order, across disconnections, and can prove it: what the
 * server says counts only where its numbers follow from each other. Read it as an async iterable, or `start()` it and
 * take the items by `onItem`.
 */
export class ArenaStreamClient implements AsyncIterable<StreamItem, undefined> {
  readonly #options: ArenaStreamOptions
  readonly #platform: ClientPlatform
  readonly #url: string
  readonly #progress: StreamProgress
  readonly #prices: PriceProgress
  readonly #backoff: Backoff
  readonly #orders = new StreamedOrders()
  readonly #maxQueued: number
  readonly #ticket: (() => Promise<string | null>) | undefined
  #hasState = false
  #queue: ItemQueue<StreamItem> | undefined
  #socket: ClientSocket | undefined
  #status: StreamStatus | undefined
  #cancelTimer: () => void = () => {}
  #heardAt = 0
  #connections = 0
  #breaches = 0
  #askedToWait = 0

  constructor(options: ArenaStreamOptions) {
    this.#options = options
    this.#platform = withWebSocket({ ...standardPlatform(), ...options.platform })
    this.#url = webSocketUrl(options.url, ARENA_STREAM_PATH)
    this.#progress = new StreamProgress(options.snapshot ?? true, options.from)
    this.#prices = new PriceProgress(options.pricesFrom)
    this.#backoff = new Backoff(this.#platform.random)
    this.#maxQueued = options.maxQueuedItems ?? MAX_QUEUED_ITEMS
    const { ticket, token, url } = options
    this.#ticket = ticket ?? (token === undefined ? undefined : () => ticketFor(url, token, this.#platform))
  }

  /** Undefined before the start. */
  get status(): StreamStatus | undefined {
    return this.#status
  }

  /** The place up to which everything was told; where to go on `from` another time. */
  get position(): LogPosition | undefined {
    return this.#progress.position
  }

  /** With `priceSequence`: the place up to which every price was told; where to go on `pricesFrom` another time. */
  get pricePosition(): number | undefined {
    return this.#prices.position
  }

  /** Connections that it has tried. */
  get connections(): number {
    return this.#connections
  }

  /** How often the server's frames did not follow from each other. */
  get breaches(): number {
    return this.#breaches
  }

  /** Every order at `position`; undefined without a snapshot. Orders that settled long ago are left out. */
  state(): ReadonlyMap<string, Order> | undefined {
    return this.#hasState ? this.#orders.all() : undefined
  }

  /** One order at `position`. */
  order(orderId: string): Order | undefined {
    return this.#hasState ? this.#orders.get(orderId) : undefined
  }

  /** Connects, once. */
  start(): void {
    if (this.#status === undefined) this.#connect()
  }

  close(): void {
    this.#end()
  }

  /** The items from here on, for one reader. Connects; leaving the loop closes the client. */
  [Symbol.asyncIterator](): AsyncIterableIterator<StreamItem, undefined> {
    if (this.#queue !== undefined || this.#status === "ended") throw new Error("The client has a reader, or has ended.")
    this.#queue = new ItemQueue(
      this.#maxQueued,
      () => this.#drained(),
      () => this.#end()
    )
    this.start()
    return this.#queue
  }

  #connect(): void {
    this.#connections += 1
    this.#become("connecting")
    this.#heardAt = this.#platform.now()
    this.#watch()
    const ticket = this.#ticket
    if (ticket === undefined) return this.#open([STREAM_PROTOCOL])
    const connection = this.#connections
    const isCurrent = () => this.#connections === connection && this.#status === "connecting"
    const granted = (text: string | null): void => {
      if (!isCurrent()) return
      if (text === null) this.#end(new StreamRefused("authentication_expired", "There is no ticket any more."))
      else this.#open([STREAM_PROTOCOL, TICKET_PROTOCOL_PREFIX + text])
    }
    const failed = (cause: unknown): void => {
      if (!isCurrent()) return
      if (isFinal(cause)) this.#end(new StreamRefused("unauthorized", cause.message, cause))
      else this.#retry("no ticket")
    }
    void ticket().then(granted, failed)
  }

  #open(protocols: Array<string>): void {
    const socket = this.#socketOf(protocols)
    if (socket === undefined) return
    this.#socket = socket
    this.#askedToWait = 0
    const ifCurrent = (use: () => void): void => {
      if (this.#socket === socket) use()
    }
    socket.addEventListener("open", () => ifCurrent(() => this.#subscribe(socket)))
    socket.addEventListener("message", ({ data }) => ifCurrent(() => this.#hear(data)))
    socket.addEventListener("close", ({ code }) => ifCurrent(() => this.#closed(code)))
  }

  /** Undefined where the address or the ticket cannot be one: that does not get better by itself. */
  #socketOf(protocols: Array<string>): ClientSocket | undefined {
    try {
      return new this.#platform.WebSocket(this.#url, protocols)
    } catch (cause) {
      this.#end(new StreamRefused("invalid_request", "The address or the ticket is not a valid one.", cause))
      return undefined
    }
  }

  #subscribe(socket: ClientSocket): void {
    const { assetTypes, channels, orderIds, priceSequence = false, snapshot = true } = this.#options
    const resume = this.#progress.connect()
    const after = this.#prices.position
    const data: SubscribeData = {
      sequence: true,
      snapshot,
      ...(channels === undefined ? {} : { channels }),
      ...(assetTypes === undefined ? {} : { asset_type: assetTypes }),
      ...(orderIds === undefined ? {} : { order_id: orderIds }),
      ...(resume === undefined ? {} : { resume }),
      ...(priceSequence ? { price_sequence: true, ...(after === undefined ? {} : { price_resume: after }) } : {})
    }
    socket.send(JSON.stringify({ type: "subscribe", id: String(this.#connections), data }))
  }

  #hear(text: unknown): void {
    this.#heardAt = this.#platform.now()
    const frame = readWireFrame(text)
    if (frame === undefined) return this.#distrust("a frame that is not of the protocol")
    switch (frame.type) {
      case "other":
        return
      case "server_shutdown":
        this.#askedToWait = frame.data.reconnect_after_ms
        return
      case "error":
        return this.#refused(frame.data)
      case "price_update":
        return this.#price(frame)
      default:
        return this.#queue?.isFull === true ? this.#pause() : this.#take(frame)
    }
  }

  #price(frame: PriceUpdate): void {
    if (!this.#progress.isLive) return
    const isFull = this.#queue?.isFull === true
    const { data: price, price_seq: seq, timestamp } = frame
    if (this.#options.priceSequence !== true || seq === undefined) {
      return isFull ? undefined : this.#tell({ kind: "price", price, timestamp })
    }
    if (isFull) return this.#pause()
    const step = this.#prices.take(frame)
    if (step === "breach") return this.#distrust(`a price of ${price.asset} that does not follow`)
    if (step === "known") return
    this.#tell({ kind: "price", price, timestamp, seq, missed: step === "missed" })
  }

  #take(frame: WireFrame): void {
    const step = this.#progress.take(frame)
    if (step?.kind === "breach") return this.#distrust(step.what)
    if (step !== undefined || frame.type === "heartbeat") this.#backoff.succeeded()
    if (this.#progress.isLive && this.#status === "connecting") this.#become("live")
    if (step === undefined) return
    if (step.kind === "resync" && this.#options.endOnResync === true) {
      return this.#end(new StreamRefused(step.reason, "What was missed cannot be told."))
    }
    this.#hasState = step.kind === "snapshot" || (this.#hasState && step.kind === "event")
    if (step.kind === "snapshot") this.#orders.replace(step.orders)
    if (step.kind === "event" && this.#hasState) this.#orders.apply(step)
    this.#tell(step)
  }

  #tell(item: StreamItem): void {
    this.#queue?.push(item)
    try {
      this.#options.onItem?.(item)
    } catch (cause) {
      this.#end(new StreamRefused("item_not_taken", "The consumer did not take an item.", cause))
    }
  }

  #refused({ code, message }: StreamError["data"]): void {
    if (code === "unavailable" || (code === "unauthorized" && this.#ticket !== undefined)) {
      return this.#retry(message)
    }
    this.#end(new StreamRefused(code, message))
  }

  #distrust(what: string): void {
    this.#breaches += 1
    this.#retry(what)
  }

  #closed(code: number): void {
    if (code === STREAM_CLOSE.authenticationExpired && this.#ticket === undefined) {
      return this.#end(new StreamRefused("authentication_expired", "Connect again with fresh authentication."))
    }
    this.#retry(`closed with ${code}`, code)
  }

  #retry(why: string, code?: number): void {
    this.#disconnect()
    this.#become("waiting", why)
    this.#cancelTimer = this.#platform.after(this.#backoff.next(code, this.#askedToWait), () => this.#connect())
  }

  #pause(): void {
    this.#disconnect()
    this.#become("paused", "the queue is full")
  }

  #drained(): void {
    if (this.#status === "paused") this.#connect()
  }

  /** Looks after the connection: a server that says nothing for too long is asked, then given up. */
  #watch(): void {
    this.#cancelTimer = this.#platform.after(ASK_AFTER / 2, () => {
      const silence = this.#platform.now() - this.#heardAt
      if (silence >= GIVE_UP_AFTER) return this.#retry("silence")
      if (silence >= ASK_AFTER && this.#status === "live") this.#socket?.send(`{"type":"ping"}`)
      this.#watch()
    })
  }

  #disconnect(): void {
    this.#cancelTimer()
    const socket = this.#socket
    this.#socket = undefined
    socket?.close(NORMAL)
  }

  #end(failure?: StreamRefused): void {
    if (this.#status === "ended") return
    this.#disconnect()
    this.#become("ended", failure?.message)
    this.#queue?.end(failure)
  }

  #become(status: StreamStatus, why?: string): void {
    this.#status = status
    this.#options.onStatus?.(status, why)
  }
}
