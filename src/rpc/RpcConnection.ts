import { Effect, Latch } from "effect"
import type { FromClientEncoded, FromServerEncoded } from "effect/rpc/RpcMessage"
import type { Principal } from "../api/Authorization.ts"
import type { ApiError } from "../api/ApiError.ts"
import { CLOSE, MAX_REFUSALS, MAX_UNDER_WAY } from "../api/rpc/FastLane.ts"
import { callerOf, type RequestFacts } from "../RequestState.ts"
import type { Socket } from "../http/WebSocketRoutes.ts"
import type { MessageFormat } from "./MessageFormat.ts"
import type { EndAct } from "./RpcHandler.ts"

/** Bytes that may wait for a client before the next answer waits for it to read. */
export const LOW_WATER_BYTES = 65_536

const REFUSED = `${MAX_REFUSALS} messages in a row were refused before anything was tried.`

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
  /** When it was opened, in milliseconds of the monotonic clock. */
  readonly openedAt: number
  /** Undefined until it says who it is. */
  token: string | undefined
  /** Requests that have no answer yet, and streams that are open. */
  underWay = 0
  /** Refused in a row before anything was tried. */
  #refusals = 0
  /** Pieces of streams that were sent and not answered. */
  #unanswered = 0
  #waiting = 0
  #closed: { readonly isLost: boolean } | undefined
  #atEnd: EndAct | undefined
  readonly #fork: (effect: Effect.Effect<void>) => unknown
  readonly #room = Latch.makeUnsafe(false)

  constructor(id: number, socket: RpcSocket, openedAt: number, fork: (effect: Effect.Effect<void>) => unknown) {
    const { facts, format, token } = socket.data.state
    this.id = id
    this.#fork = fork
    this.socket = socket
    this.format = format
    this.facts = facts
    this.token = token
    this.openedAt = openedAt
  }

  /** Whether what it sends is still taken. */
  get isOpen(): boolean {
    return this.#refusals < MAX_REFUSALS && this.#isConnected
  }

  get #isConnected(): boolean {
    return this.socket.readyState === WebSocket.OPEN
  }

  /** Takes what messages of one frame cost; false where its caller sends too many. Answers to pieces cost nothing. */
  takes(messages: ReadonlyArray<FromClientEncoded>, now: number): boolean {
    let cost = 0
    for (const { _tag } of messages) {
      if (_tag === "Ack" && this.#unanswered > 0) this.#unanswered -= 1
      else cost += 1
    }
    return cost === 0 || this.socket.data.place.takeMessages(cost, now)
  }

  /** A message was refused before anything was tried, or was not. Closes after {@link MAX_REFUSALS} in a row. */
  noteRefusal(isRefused: boolean): void {
    if (this.#refusals === MAX_REFUSALS) return
    this.#refusals = isRefused ? this.#refusals + 1 : 0
    // The last refusal is sent before the end is.
    if (this.#refusals === MAX_REFUSALS) queueMicrotask(() => this.socket.close(CLOSE.policyViolation, REFUSED))
  }

  /** Counts for a principal from here on, unless its company has too many connections. */
  countFor(principal: Principal, now: number): ApiError | undefined {
    return this.socket.data.place.move({ caller: callerOf(principal), companyId: principal.companyId }, now)
  }

  /** Whom it speaks for from here on. */
  become(token: string, principal: Principal): void {
    this.token = token
    this.facts.identity = { _tag: "Verified", principal }
  }

  /** Sends once the client has read most of what was sent before. */
  send(message: FromServerEncoded): Effect.Effect<void> {
    if (this.socket.getBufferedAmount() > LOW_WATER_BYTES) return this.#sendLater(message)
    this.#sendNow(message)
    return Effect.void
  }

  /** The runtime sent some of what waited. */
  drained(): void {
    this.#room.openUnsafe()
  }

  /** @param isLost - the node between is gone */
  closed(isLost: boolean): void {
    this.#closed = { isLost }
    this.#room.openUnsafe()
    this.#endIfClosed()
  }

  get isWatched(): boolean {
    return this.#atEnd !== undefined
  }

  onEnd(act: EndAct | undefined): void {
    this.#atEnd = act
    this.#endIfClosed()
  }

  #endIfClosed(): void {
    const [act, closed] = [this.#atEnd, this.#closed]
    if (closed === undefined || act === undefined) return
    this.#atEnd = undefined
    this.#fork(act(closed.isLost))
  }

  #sendNow(message: FromServerEncoded): void {
    if (!this.#isConnected) return
    if (this.socket.send(this.format.write(message)) === 0) this.#tooSlow()
    else if (message._tag === "Chunk") this.#unanswered += 1
  }

  #sendLater(message: FromServerEncoded): Effect.Effect<void> {
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
    if (!this.#isConnected || this.socket.getBufferedAmount() <= LOW_WATER_BYTES) return Effect.void
    this.#room.closeUnsafe()
    return Effect.andThen(this.#room.await, this.#hasRoom)
  })

  #tooSlow(): void {
    this.socket.close(CLOSE.tooSlow, "This client does not read its answers.")
  }
}
