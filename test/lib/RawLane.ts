import { Decoder, Encoder } from "@msgpack/msgpack"
import { Effect } from "effect"
import type { Scope } from "effect"
import { eventually } from "./ServerProcess.ts"

const LIMIT = 10_000

/** A message of the server, as it was written. */
export interface LaneFrame {
  readonly _tag: string
  readonly requestId?: number
  readonly values?: ReadonlyArray<Readonly<Record<string, unknown>>>
  readonly exit?: {
    readonly _tag: "Success" | "Failure"
    readonly value?: Readonly<Record<string, unknown>>
    readonly cause?: ReadonlyArray<{ readonly _tag: string; readonly error?: Readonly<Record<string, unknown>> }>
  }
  /** What the whole connection is told. */
  readonly defect?: Readonly<Record<string, unknown>>
}

/** How a connection is opened. */
export interface LaneOptions {
  readonly headers?: Readonly<Record<string, string>>
  readonly protocols?: ReadonlyArray<string>
  /** Such as `?format=msgpack`. */
  readonly query?: string
}

const Client = WebSocket as unknown as new (
  url: string,
  options: { readonly headers: Readonly<Record<string, string>>; readonly protocols?: ReadonlyArray<string> }
) => WebSocket

const encoder = new Encoder()
const decoder = new Decoder()

/** A client of `/rpc` that writes and reads every byte itself. */
export class RawLane {
  readonly socket: WebSocket
  readonly frames: Array<LaneFrame> = []
  /** The code it was closed with; undefined while it is open. */
  closedWith: number | undefined
  #asked = 0

  private constructor(socket: WebSocket) {
    this.socket = socket
    socket.binaryType = "arraybuffer"
    socket.addEventListener("message", ({ data }: { readonly data: unknown }) => {
      const read: unknown = typeof data === "string" ? JSON.parse(data) : decoder.decode(data as ArrayBuffer)
      this.frames.push(read as LaneFrame)
    })
    socket.addEventListener("close", ({ code }) => {
      this.closedWith = code
    })
  }

  /** Connects until the scope closes, and waits until it is open or refused. */
  static readonly open = Effect.fnUntraced(function* (
    serverUrl: string,
    { headers = {}, protocols = [], query = "" }: LaneOptions = {}
  ): Effect.fn.Return<RawLane, never, Scope.Scope> {
    const url = `${serverUrl.replace("http", "ws")}/rpc${query}`
    const lane = yield* Effect.acquireRelease(
      Effect.sync(() => new RawLane(new Client(url, { headers, ...(protocols.length > 0 ? { protocols } : {}) }))),
      ({ socket }) => Effect.sync(() => socket.close())
    )
    yield* eventually("a connection", LIMIT, () => (lane.socket.readyState === WebSocket.CONNECTING ? undefined : true))
    return lane
  })

  /** Sends a message that asks for something; answers its number. */
  ask(tag: string, payload?: unknown): number {
    this.#asked += 1
    this.send({ _tag: "Request", id: this.#asked, tag, payload, headers: [] })
    return this.#asked
  }

  /** Sends a message as JSON, or as MessagePack where the connection speaks it. */
  send(message: unknown): void {
    const { protocol, url } = this.socket
    const isBinary = (protocol === "" ? url : protocol).endsWith("msgpack")
    this.socket.send(isBinary ? encoder.encode(message) : JSON.stringify(message))
  }

  /** How a request ended, once it has. Dies where the connection ended before. */
  ended(id: number) {
    const look = () => {
      const exit = this.frames.find((frame) => isEnd(frame, id))?.exit
      return exit ?? (this.closedWith === undefined ? undefined : `closed with ${this.closedWith}`)
    }
    return Effect.flatMap(eventually(`the end of request ${id}`, LIMIT, look), (end) =>
      typeof end === "string" ? Effect.die(new Error(`request ${id}: ${end}`)) : Effect.succeed(end)
    )
  }

  /** What a request was answered: its value, or the code and message that it was refused with. */
  call(tag: string, payload?: unknown) {
    return Effect.map(this.ended(this.ask(tag, payload)), (exit) => exit.value ?? exit.cause?.[0]?.error)
  }

  /** The code that it was closed with, once it was. */
  get closed() {
    return eventually("the end of the connection", LIMIT, () => this.closedWith)
  }

  /** What a stream has told until now. */
  told(id: number): ReadonlyArray<Readonly<Record<string, unknown>>> {
    return this.frames.flatMap(({ _tag, requestId, values = [] }) =>
      _tag === "Chunk" && requestId === id ? values : []
    )
  }
}

const isEnd = ({ _tag, requestId }: LaneFrame, id: number): boolean => _tag === "Exit" && requestId === id
