import { NODE_LOST } from "../http/WebSocketRoutes.ts"
import type { RuntimeSocket, SocketListener } from "../runtime/ServerRuntime.ts"

/** RFC 6455, 7.4.1: the server goes away, so that the client connects again. */
export const GOING_AWAY = 1001

/** The codes that a peer may close with: those of RFC 6455, 7.4.1, and those of programs. */
const isGivable = (code: number): boolean =>
  (code >= 1000 && code <= 1014 && code !== 1004 && code !== 1005 && code !== 1006) || (code >= 3000 && code <= 4999)

/** Bytes that may wait for the writer's node before the caller is told to send less. */
const MAX_WAITING_BYTES = 4_194_304

/** RFC 6455, 7.4.1: the client sends more than the server can take. */
const TRY_LATER = 1013

/** The code with which the arena's stream closes a slow reader. */
const TOO_SLOW = 4408

const TOO_SLOW_REASON = "This client reads too slowly."

/** Why a connection ends that led to a node which is gone. */
export const WRITER_GONE = "The node behind this connection ended: connect again."

/** A caller's WebSocket. Its messages go to the node that writes and come from there. */
export class ForwardedSocket {
  readonly #upstream: WebSocket
  #socket: RuntimeSocket<unknown> | undefined
  #early: Array<string | Uint8Array<ArrayBuffer>> = []
  #end: { readonly code: number; readonly reason: string } | undefined

  /** @param upstream - not open yet, because what it says first would find nobody who listens */
  constructor(upstream: WebSocket) {
    this.#upstream = upstream
    upstream.binaryType = "arraybuffer"
    upstream.addEventListener("message", ({ data }: MessageEvent<string | ArrayBuffer>) =>
      this.#send(typeof data === "string" ? data : new Uint8Array(data))
    )
    upstream.addEventListener("close", ({ code, reason }) => {
      if (isGivable(code)) this.end(code, reason)
      else this.end(GOING_AWAY, WRITER_GONE)
    })
  }

  /** The protocol that the other node chose. */
  get protocol(): string {
    return this.#upstream.protocol
  }

  /** Closes both ends. */
  end(code: number, reason: string): void {
    if (this.#end !== undefined) return
    this.#end = { code, reason }
    this.#socket?.close(code, reason)
    this.#closeUpstream(code, reason)
  }

  /** Closes both ends, because this node, or its way to the one that writes, is no longer there. */
  lose(reason: string): void {
    if (this.#end !== undefined) return
    this.#closeUpstream(NODE_LOST, reason)
    this.end(GOING_AWAY, reason)
  }

  readonly listener: SocketListener<unknown> = {
    open: (socket) => {
      this.#socket = socket
      for (const message of this.#early) this.#send(message)
      this.#early = []
      if (this.#end !== undefined) socket.close(this.#end.code, this.#end.reason)
    },
    message: (_, message) => {
      if (this.#upstream.readyState !== WebSocket.OPEN) return
      if (this.#upstream.bufferedAmount > MAX_WAITING_BYTES) this.end(TRY_LATER, "Send less at once.")
      else this.#upstream.send(message as string | Uint8Array<ArrayBuffer>)
    },
    pong: () => undefined,
    drain: () => undefined,
    close: (_, code, reason) => {
      this.#end ??= { code, reason }
      this.#closeUpstream(code, reason)
    },
    ended: () => undefined
  }

  /** A close code is a client's own only from 3000 on. */
  #closeUpstream(code: number, reason: string): void {
    if (this.#upstream.readyState > WebSocket.OPEN) return
    if (code >= 3000 && code <= 4999) this.#upstream.close(code, reason)
    else this.#upstream.close()
  }

  #send(message: string | Uint8Array<ArrayBuffer>): void {
    if (this.#socket === undefined) this.#early.push(message)
    // The runtime drops a message if its buffer is full.
    else if (this.#socket.readyState === WebSocket.OPEN && this.#socket.send(message) === 0) {
      this.end(TOO_SLOW, TOO_SLOW_REASON)
    }
  }
}

/** Opens a WebSocket to another node for a caller; undefined if that refuses. */
export const connect = (url: string, headers: Headers): Promise<ForwardedSocket | undefined> =>
  new Promise((resolve) => {
    const upstream = new WebSocket(url, { headers: Object.fromEntries(headers) } as never)
    const socket = new ForwardedSocket(upstream)
    upstream.addEventListener("open", () => resolve(socket), { once: true })
    upstream.addEventListener("close", () => resolve(undefined), { once: true })
  })
