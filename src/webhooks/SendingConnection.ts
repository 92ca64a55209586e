import type { Socket } from "node:net"
import { ResponseParser, type AnswerState } from "./ResponseParser.ts"

/** What a connection tells its user. After `onEnd` or `onFailure` it tells nothing more. */
export interface ConnectionUser {
  readonly onHead: (status: number, location: string | undefined) => void
  readonly onBody: (bytes: Uint8Array) => void
  /** The answer is complete. */
  readonly onEnd: () => void
  /** The connection broke, could not be made, or received something that is not an answer. */
  readonly onFailure: (error: Error) => void
}

const hungUp = (): Error => Object.assign(new Error("the connection was closed"), { code: "ECONNRESET" })

/** One connection, on which a request waits for the answer to the one before. */
export class SendingConnection {
  /** Since when nobody uses it, in milliseconds of the monotonic clock. */
  freeSince = 0
  /** Whether an answer came on it before. */
  isReused = false
  readonly #socket: Socket
  readonly #parser: ResponseParser
  readonly #onFree: (connection: SendingConnection) => void
  readonly #onClosed: (connection: SendingConnection) => void
  #isReady = false
  #unsent: string | undefined
  #user: ConnectionUser | undefined

  /** `ready` is the socket's event after which it may be written to: not before the other end has proved its name. */
  constructor(
    socket: Socket,
    ready: "connect" | "secureConnect",
    onFree: (connection: SendingConnection) => void,
    onClosed: (connection: SendingConnection) => void
  ) {
    this.#socket = socket
    this.#onFree = onFree
    this.#onClosed = onClosed
    this.#parser = new ResponseParser({
      onHead: (status, location) => this.#user?.onHead(status, location),
      onBody: (bytes) => this.#user?.onBody(bytes)
    })
    socket.once(ready, () => this.#open())
    socket.on("data", (bytes: Buffer) => this.#take(bytes))
    socket.on("error", (error) => this.#fail(error))
    socket.on("end", () => this.#closed())
    socket.on("close", () => this.#closed())
  }

  /** Sends a request and tells the user about it. Nobody else may use the connection. */
  send(request: string, user: ConnectionUser): void {
    this.#user = user
    if (this.#isReady) this.#socket.write(request)
    else this.#unsent = request
  }

  /** Closes it. Its user hears nothing more. */
  destroy(): void {
    this.#user = undefined
    this.#socket.destroy()
  }

  #open(): void {
    this.#isReady = true
    if (this.#unsent !== undefined) this.#socket.write(this.#unsent)
    this.#unsent = undefined
  }

  #take(bytes: Buffer): void {
    // Nobody asked.
    if (this.#user === undefined) return void this.#socket.destroy()
    const state = this.#parser.take(bytes)
    if (state instanceof Error) this.#fail(state)
    else this.#ended(state)
  }

  #ended(state: AnswerState): void {
    const user = this.#user
    if (state === "open" || user === undefined) return
    this.#user = undefined
    if (state === "kept") {
      this.#parser.next()
      this.isReused = true
      this.#onFree(this)
    } else this.#socket.destroy()
    user.onEnd()
  }

  #closed(): void {
    this.#ended(this.#user === undefined ? "open" : this.#parser.end())
    this.#fail(hungUp())
  }

  #fail(error: Error): void {
    const user = this.#user
    this.destroy()
    this.#onClosed(this)
    user?.onFailure(error)
  }
}
