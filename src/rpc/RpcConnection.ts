import { Effect, Latch } from "effect"
import type { Principal } from "../api/Authorization.ts"
import { CLOSE, MAX_UNDER_WAY } from "../api/rpc/FastLane.ts"
import type { RequestFacts } from "../http/RequestState.ts"
import type { Socket } from "../http/WebSocketRoutes.ts"
import type { MessageFormat } from "./MessageFormat.ts"

/** Bytes that may wait for a client before the next answer waits for it to read. */
export const LOW_WATER_BYTES = 65_536

/** How long a client may take to make room for an answer, in milliseconds. */
const MAX_SILENCE = 30_000

/** What a connection carries from its upgrade on. */
export interface RpcState {
  readonly format: MessageFormat
  readonly facts: RequestFacts
  /** The access token that the upgrade carried. */
  readonly token: string | undefined
  /** Set when the connection is open. */
  connection: RpcConnection | undefined
}

export type RpcSocket = Socket<RpcState>

/** One client: who it is, and what it has still to read. */
export class RpcConnection {
  readonly id: number
  readonly socket: RpcSocket
  readonly format: MessageFormat
  /** For whom its messages are counted. */
  readonly facts: RequestFacts
  /** When it was opened, in milliseconds since 1970. */
  readonly openedAt: number
  /** Undefined until it says who it is. */
  token: string | undefined
  /** Requests that have no answer yet, and streams that are open. */
  underWay = 0
  #waiting = 0
  readonly #room = Latch.makeUnsafe(false)

  constructor(id: number, socket: RpcSocket, openedAt: number) {
    const { facts, format, token } = socket.data.state
    this.id = id
    this.socket = socket
    this.format = format
    this.facts = facts
    this.token = token
    this.openedAt = openedAt
  }

  /** Whom it speaks for from here on. */
  become(token: string, principal: Principal): void {
    this.token = token
    this.facts.identity = { _tag: "Verified", principal }
  }

  /** Sends once the client has read most of what was sent before. */
  send(message: unknown): Effect.Effect<void> {
    if (this.socket.getBufferedAmount() > LOW_WATER_BYTES) return this.#sendLater(message)
    this.#sendNow(message)
    return Effect.void
  }

  /** The runtime sent some of what waited. */
  drained(): void {
    this.#room.openUnsafe()
  }

  closed(): void {
    this.#room.openUnsafe()
  }

  #sendNow(message: unknown): void {
    if (this.socket.readyState !== WebSocket.OPEN) return
    if (this.socket.send(this.format.write(message)) === 0) this.#tooSlow()
  }

  #sendLater(message: unknown): Effect.Effect<void> {
    if (this.#waiting >= 2 * MAX_UNDER_WAY) return Effect.sync(() => this.#tooSlow())
    this.#waiting += 1
    return Effect.timeoutOrElse(this.#hasRoom, {
      duration: MAX_SILENCE,
      orElse: () => Effect.sync(() => this.#tooSlow())
    }).pipe(
      Effect.andThen(Effect.sync(() => this.#sendNow(message))),
      Effect.ensuring(
        Effect.sync(() => {
          this.#waiting -= 1
        })
      )
    )
  }

  readonly #hasRoom: Effect.Effect<void> = Effect.suspend(() => {
    const isOpen = this.socket.readyState === WebSocket.OPEN
    if (!isOpen || this.socket.getBufferedAmount() <= LOW_WATER_BYTES) return Effect.void
    this.#room.closeUnsafe()
    return Effect.andThen(this.#room.await, this.#hasRoom)
  })

  #tooSlow(): void {
    this.socket.close(CLOSE.tooSlow, "This client does not read its answers.")
  }
}
