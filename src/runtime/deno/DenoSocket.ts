import type { RuntimeSocket, SocketListener } from "../ServerRuntime.ts"

/** Bytes below which nobody waits for a socket to send. */
const FEW_BYTES = 16_384

/** How soon a socket is looked at that has more to send, and how rarely where nothing is read, in milliseconds. */
const FIRST_LOOK = 1
const RARE_LOOK = 16

/** How long a client has to read what was sent before it is closed, in milliseconds. */
const LINGER = 15_000

/** RFC 6455, 7.4.1: the connection ended without a close frame. */
const ABNORMAL = 1006

/** Who hears what is published. */
export class Topics {
  readonly #listeners = new Map<string, Set<DenoSocket<never>>>()

  add(topic: string, socket: DenoSocket<never>): void {
    const listeners = this.#listeners.get(topic)
    if (listeners === undefined) this.#listeners.set(topic, new Set([socket]))
    else listeners.add(socket)
  }

  delete(topic: string, socket: DenoSocket<never>): void {
    const listeners = this.#listeners.get(topic)
    if (listeners?.delete(socket) === true && listeners.size === 0) this.#listeners.delete(topic)
  }

  publish(topic: string, text: string): void {
    for (const socket of this.#listeners.get(topic) ?? []) socket.send(text)
  }
}

/** A WebSocket of Deno. What would wait beyond `maxBufferedBytes` is dropped. */
export class DenoSocket<Data> implements RuntimeSocket<Data> {
  readonly data: Data
  /** Deno pings by itself, and closes who does not answer. */
  readonly pingsByItself = true
  readonly #socket: WebSocket
  readonly #topics: Topics
  readonly #listener: SocketListener<Data>
  readonly #maxBufferedBytes: number
  readonly #subscribed = new Set<string>()
  #isWatched = false
  /** Bytes that waited at the last look. */
  #waiting = 0
  #isClosed = false
  #hasEnded = false

  constructor(socket: WebSocket, data: Data, listener: SocketListener<Data>, topics: Topics, maxBufferedBytes: number) {
    this.data = data
    this.#socket = socket
    this.#topics = topics
    this.#listener = listener
    this.#maxBufferedBytes = maxBufferedBytes
  }

  /** Tells the listener of it from its opening on. */
  static readonly listen = <Data>(
    socket: WebSocket,
    data: Data,
    listener: SocketListener<Data>,
    topics: Topics,
    maxBufferedBytes: number
  ): void => new DenoSocket(socket, data, listener, topics, maxBufferedBytes).#listen()

  #listen(): void {
    const [socket, listener] = [this.#socket, this.#listener]
    socket.binaryType = "arraybuffer"
    socket.addEventListener("open", () => listener.open(this))
    socket.addEventListener("message", ({ data: sent }: MessageEvent<string | ArrayBuffer>) =>
      listener.message(this, typeof sent === "string" ? sent : new Uint8Array(sent))
    )
    socket.addEventListener("close", ({ code, reason }) => this.#ended(code === 0 ? ABNORMAL : code, reason))
    // A handshake that fails tells nothing but this.
    socket.addEventListener("error", () => {
      if (socket.readyState === WebSocket.CONNECTING) this.#ended(ABNORMAL, "")
    })
  }

  get readyState(): number {
    return this.#isClosed ? Math.max(WebSocket.CLOSING, this.#socket.readyState) : this.#socket.readyState
  }

  send(message: string | Uint8Array<ArrayBuffer>): number {
    const socket = this.#socket
    if (this.#isClosed || socket.readyState !== WebSocket.OPEN) return 0
    const { length } = message
    if (this.getBufferedAmount() + length > this.#maxBufferedBytes) return 0
    socket.send(message)
    if (!this.#isWatched && socket.bufferedAmount > FEW_BYTES) this.#watch(FIRST_LOOK)
    return length
  }

  cork(act: () => void): void {
    act()
  }

  subscribe(topic: string): void {
    if (this.#isClosed) return
    this.#subscribed.add(topic)
    this.#topics.add(topic, this as never)
  }

  unsubscribe(topic: string): void {
    this.#subscribed.delete(topic)
    this.#topics.delete(topic, this as never)
  }

  /** Deno sends nothing before the event loop turns: what was just given to it does not wait for the client. */
  getBufferedAmount(): number {
    return Math.min(this.#waiting, this.#socket.bufferedAmount)
  }

  /** Does nothing: see {@link pingsByItself}. */
  ping(): void {}

  /** Deno would send the close frame before what waits. */
  close(code: number, reason = ""): void {
    if (this.#isClosed) return
    this.#closed(code, reason)
    this.#closeAfter(code, reason, LINGER, FIRST_LOOK)
  }

  #closeAfter(code: number, reason: string, left: number, millis: number): void {
    if (this.#socket.bufferedAmount === 0 || left <= 0) return this.#socket.close(code, reason)
    setTimeout(() => this.#closeAfter(code, reason, left - millis, Math.min(2 * millis, RARE_LOOK)), millis)
  }

  /** Deno does not tell when it has sent what waited. */
  #watch(millis: number): void {
    this.#isWatched = true
    setTimeout(() => this.#look(millis), millis)
  }

  #look(millis: number): void {
    this.#isWatched = false
    if (this.#isClosed) return
    const before = this.#waiting
    const waiting = this.#socket.bufferedAmount
    this.#waiting = waiting
    if (waiting > FEW_BYTES) this.#watch(waiting < before ? FIRST_LOOK : Math.min(2 * millis, RARE_LOOK))
    if (waiting < before) this.#listener.drain(this)
  }

  #closed(code: number, reason: string): void {
    if (this.#isClosed) return
    this.#isClosed = true
    for (const topic of this.#subscribed) this.#topics.delete(topic, this as never)
    this.#listener.close(this, code, reason)
  }

  #ended(code: number, reason: string): void {
    if (this.#hasEnded) return
    this.#hasEnded = true
    this.#closed(code, reason)
    this.#listener.ended(this)
  }
}
