import { Context, Effect, Predicate, Queue, Schema } from "effect"
import { RpcSerialization, RpcServer } from "effect/rpc"
import type { FromClientEncoded, FromServerEncoded, RequestEncoded } from "effect/rpc/RpcMessage"
import { AUTHENTICATE_WITHIN, CLOSE, MAX_FRAME_MESSAGES } from "../api/rpc/FastLane.ts"
import { RpcConnection, type RpcSocket } from "./RpcConnection.ts"
import { refusedJson } from "./RpcDispatcher.ts"
import { connections as openConnections } from "./RpcMetrics.ts"
import { FRAMES, UnknownFrame } from "./UnknownFrame.ts"

const NOBODY = "Nobody was named in time: authenticate, or connect with a bearer token."
const TOO_MANY = `A frame carries at most ${MAX_FRAME_MESSAGES} messages.`
const FLOOD = "This client sends too many messages."
const UNREADABLE = "The frame cannot be read in this connection's format."

/** What answers the messages whose names nobody knows, and the frames. The name, or the kind of frame, is their payload. */
export const UNKNOWN = "unknown"

type Receive = (clientId: number, message: FromClientEncoded) => Effect.Effect<void>

const isMessage = (value: unknown): value is FromClientEncoded =>
  Predicate.isObject(value) && "_tag" in value && typeof value._tag === "string"

/** The open connections, and the way of messages between them and the procedures. */
export class RpcConnections {
  readonly #open = new Map<number, RpcConnection>()
  readonly #gone: Queue.Queue<number>
  readonly #context: Context.Context<never>
  readonly #fork: (effect: Effect.Effect<void>) => unknown
  readonly #names: ReadonlySet<string>
  #receive: Receive = () => Effect.void
  #opened = 0

  private constructor(gone: Queue.Queue<number>, context: Context.Context<never>, names: ReadonlySet<string>) {
    this.#gone = gone
    this.#context = context
    this.#names = names
    this.#fork = Effect.runForkWith(context)
  }

  /**
   * `context` is what the handlers of messages find: the smaller it is, the less a message costs. Messages of other
   * names than `names` go to {@link UNKNOWN}.
   */
  static readonly make = (context: Context.Context<never>, names: ReadonlySet<string>): Effect.Effect<RpcConnections> =>
    Effect.map(Queue.make<number>(), (gone) => new RpcConnections(gone, context, names))

  get size(): number {
    return this.#open.size
  }

  /** Requests and streams under way, of all. */
  get underWay(): number {
    let sum = 0
    for (const { underWay } of this.#open.values()) sum += underWay
    return sum
  }

  /** A connection by the number that the procedures know it by; undefined once it is closed. */
  find(id: number): RpcConnection | undefined {
    return this.#open.get(id)
  }

  /** @param now - milliseconds of the monotonic clock */
  open(socket: RpcSocket, now: number): void {
    this.#opened += 1
    const connection = new RpcConnection(this.#opened, socket, now, this.#fork)
    socket.data.state.connection = connection
    this.#open.set(connection.id, connection)
    this.#count()
  }

  /** @param isLost - the node between is gone */
  close(connection: RpcConnection, isLost: boolean): void {
    connection.closed(isLost)
    this.#open.delete(connection.id)
    Queue.offerUnsafe(this.#gone, connection.id)
    this.#count()
  }

  /** Takes what a client sent. What it asks for runs in fibers of its own. */
  take(connection: RpcConnection, frame: string | Uint8Array, now: number): void {
    const { format, isOpen, socket } = connection
    if (!isOpen) return
    const messages = readable(() => format.read(frame))
    if (messages === undefined) return socket.close(CLOSE.unreadable, UNREADABLE)
    if (messages.length > MAX_FRAME_MESSAGES) return socket.close(CLOSE.policyViolation, TOO_MANY)
    if (!messages.every(isMessage)) return socket.close(CLOSE.unreadable, UNREADABLE)
    if (!connection.takes(messages, now)) return socket.close(CLOSE.policyViolation, FLOOD)
    for (const message of messages) {
      if (!connection.isOpen) return
      this.#fork(this.#taken(connection, message))
    }
  }

  #taken(connection: RpcConnection, message: FromClientEncoded): Effect.Effect<void> {
    const { _tag } = message
    if (_tag === "Request") return this.#receive(connection.id, this.#addressed(bare(message)))
    if (FRAMES.has(_tag)) return this.#receive(connection.id, message)
    const frame = new UnknownFrame(_tag)
    const { id } = message as { readonly id?: unknown }
    if (typeof id !== "number" && typeof id !== "string") {
      // Nobody waits for an answer to it: the whole connection is told.
      connection.noteRefusal(true)
      return connection.send({ _tag: "Defect", defect: refusedJson(frame.refusal) })
    }
    return this.#receive(connection.id, { _tag: "Request", id, tag: UNKNOWN, payload: frame, headers: [] })
  }

  /**
   * Closes the connections that have not said in time whom they speak for.
   *
   * @param now - milliseconds of the monotonic clock
   */
  closeStrangers(now: number): void {
    for (const { openedAt, socket, token } of this.#open.values()) {
      if (token === undefined && now - openedAt >= AUTHENTICATE_WITHIN) socket.close(CLOSE.unauthenticated, NOBODY)
    }
  }

  /** The connections as the procedures' server sees them. */
  get protocol(): Effect.Effect<RpcServer.Protocol["Service"]> {
    return RpcServer.Protocol.make((receive) => {
      this.#receive = receive
      return Effect.succeed({
        disconnects: this.#gone,
        send: (id: number, message: FromServerEncoded) => this.#open.get(id)?.send(message) ?? Effect.void,
        end: (id: number) => Effect.sync(() => this.#open.get(id)?.socket.close(1000)),
        clientIds: Effect.sync(() => new Set(this.#open.keys())),
        initialMessage: Effect.succeedNone,
        supportsAck: true,
        supportsTransferables: false,
        supportsSpanPropagation: false,
        supportsNotifications: true,
        codecFor: Schema.toCodecJson as RpcSerialization.CodecFor
      })
    })
  }

  #addressed(message: RequestEncoded): RequestEncoded {
    const { tag } = message
    return this.#names.has(tag) ? message : Object.assign(message, { tag: UNKNOWN, payload: tag })
  }

  #count(): void {
    openConnections.updateUnsafe(this.#open.size, this.#context)
  }
}

const readable = <A>(read: () => A): A | undefined => {
  try {
    return read()
  } catch {
    return undefined
  }
}

/** Nothing is taken from the headers of a message: who sends it, the connection knows. */
const bare = (message: RequestEncoded): RequestEncoded => Object.assign(message, { headers: [] })
