import { ApiError, type FaultyField, isFinal, NoAnswer } from "./ApiError.ts"
import { Backoff } from "./Backoff.ts"
import { type ClientPlatform, type ClientSocket, withWebSocket } from "./ClientPlatform.ts"
import {
  ERROR_STATUS,
  type ErrorCode,
  FAST_LANE_PATH,
  FAST_LANE_PROTOCOL,
  MAX_UNDER_WAY,
  TOKEN_PROTOCOL_PREFIX
} from "./Contract.ts"
import type { TokenSource } from "./Credentials.ts"
import { webSocketUrl } from "./WebSocketUrl.ts"

/** Silence after which the server is asked for a sign, and after which the connection is given up, in milliseconds. */
export const ASK_AFTER = 10_000
export const GIVE_UP_AFTER = 20_000

/** How often a new token is named while a connection lasts, in milliseconds: an access token lives for 30 minutes. */
export const RENEW_EVERY = 600_000

/** The longest wait before a connection is tried again, in milliseconds. */
const LONGEST_WAIT = 5_000

/** How long the server takes no word of what the end of a connection does, in milliseconds, before it is told again. */
const ARM_AGAIN = 1_000

/** Requests that are under way at once; a few more may be asked by the connection itself. */
const MOST_UNDER_WAY = MAX_UNDER_WAY - 8

const NORMAL = 1000

/** The shortest wait before a stream that was refused for now is asked for again, in milliseconds. */
const ASK_AGAIN = 1_000

const UNHEARD = { onSuccess: () => {}, onFailure: () => {} }

/** `refused`: the server does not take the token; the next call tries another. `waiting`: until it connects again. */
export type LaneStatus = "connecting" | "live" | "waiting" | "refused" | "closed"

/** A request, as often as it is sent. */
export interface LaneRequest {
  readonly tag: string
  /** Asked for whenever it is sent. */
  readonly payload: () => unknown
  readonly onChunk?: (values: ReadonlyArray<unknown>) => void
  readonly onSuccess: (value: unknown) => void
  readonly onFailure: (error: Error) => void
  /** The connection was lost while it was under way. Answers whether it is sent again. */
  readonly onLost: () => boolean
}

export interface LaneOptions {
  readonly url: string
  readonly token: TokenSource
  readonly cancelOnDisconnect: boolean
  readonly onStatus: (status: LaneStatus, why?: string) => void
  readonly platform: ClientPlatform
}

/** What a refusal carries on the wire. */
interface WireRefusal {
  readonly code: ErrorCode
  readonly message: string
  readonly retry_after?: number
  readonly errors?: ReadonlyArray<FaultyField>
}

interface Cause {
  readonly _tag: string
  readonly error?: WireRefusal
}

/** A message of the server. */
interface LaneMessage {
  readonly _tag: string
  readonly requestId?: number
  readonly values?: ReadonlyArray<unknown>
  readonly exit?: {
    readonly _tag: "Success" | "Failure"
    readonly value?: unknown
    readonly cause?: ReadonlyArray<Cause>
  }
  readonly defect?: WireRefusal
}

const refusalOf = ({ code, errors = [], message, retry_after: retryAfter }: WireRefusal): ApiError =>
  new ApiError(code, message, { status: ERROR_STATUS[code] ?? 500, requestId: undefined, retryAfter, errors })

const failureOf = (cause: ReadonlyArray<Cause>): ApiError => {
  const refusal = cause.find(({ error }) => error !== undefined)?.error
  return refusalOf(refusal ?? { code: "internal", message: "The server failed." })
}

const messagesIn = (text: unknown): ReadonlyArray<LaneMessage> => {
  try {
    const read: unknown = JSON.parse(String(text))
    return (Array.isArray(read) ? read : [read]) as ReadonlyArray<LaneMessage>
  } catch {
    return []
  }
}

/**
 * One connection to `/rpc` after another, each for the same caller: requests wait for it, are sent, and are sent again
 * on the next one where they may be.
 */
export class LaneConnection {
  readonly #options: LaneOptions
  readonly #platform: ClientPlatform
  readonly #url: string
  readonly #backoff: Backoff
  /** To be sent, the first one first. */
  readonly #queue = new Set<LaneRequest>()
  readonly #underWay = new Map<number, LaneRequest>()
  readonly #ids = new Map<LaneRequest, number>()
  /** Refused for now; how to have each not sent again. */
  readonly #later = new Map<LaneRequest, () => void>()
  #status: LaneStatus = "waiting"
  #socket: ClientSocket | undefined
  #isOpen = false
  /** Whether the token is named by a message, whose refusal can be read, and not with the connection. */
  #isNamedLater = false
  #connections = 0
  #lastId = 0
  #heardAt = 0
  readonly #timers = new Set<() => void>()

  constructor(options: LaneOptions) {
    this.#options = options
    this.#platform = withWebSocket(options.platform)
    this.#url = webSocketUrl(options.url, FAST_LANE_PATH)
    this.#backoff = new Backoff(options.platform.random, LONGEST_WAIT)
    this.#connect()
  }

  get status(): LaneStatus {
    return this.#status
  }

  /** Sends a request once it can be. */
  ask(request: LaneRequest): void {
    if (this.#status === "closed") return request.onFailure(new NoAnswer("closed", "The client is closed."))
    this.#queue.add(request)
    if (this.#status === "refused") this.#connect()
    this.#flush()
  }

  /** Sends a request that was refused for now, after so many seconds or a moment. */
  askLater(request: LaneRequest, seconds = 0): void {
    const callOff = this.#platform.after(Math.max(ASK_AGAIN, seconds * 1000), () => {
      this.#later.delete(request)
      this.ask(request)
    })
    this.#later.set(request, callOff)
  }

  /** Asks for a stream's next piece. */
  acknowledge(request: LaneRequest): void {
    this.#send("Ack", request)
  }

  /** Calls a request off. */
  cancel(request: LaneRequest): void {
    this.#queue.delete(request)
    this.#later.get(request)?.()
    this.#later.delete(request)
    this.#send("Interrupt", request)
    this.#forget(request)
    this.#flush()
  }

  close(): void {
    if (this.#status === "closed") return
    this.#disconnect()
    this.#become("closed")
    this.#failAll(new NoAnswer("closed", "The client is closed."))
  }

  #send(tag: "Ack" | "Interrupt", request: LaneRequest): void {
    const requestId = this.#ids.get(request)
    if (requestId !== undefined) this.#write({ _tag: tag, requestId })
  }

  #write(message: object): void {
    this.#socket?.send(JSON.stringify(message))
  }

  #forget(request: LaneRequest): void {
    const id = this.#ids.get(request)
    this.#ids.delete(request)
    if (id !== undefined) this.#underWay.delete(id)
  }

  #flush(): void {
    for (const request of this.#queue) {
      if (this.#status !== "live" || this.#underWay.size >= MOST_UNDER_WAY) return
      this.#queue.delete(request)
      this.#transmit(request)
    }
  }

  #transmit(request: LaneRequest): void {
    this.#lastId += 1
    const id = this.#lastId
    this.#underWay.set(id, request)
    this.#ids.set(request, id)
    this.#write({ _tag: "Request", id, tag: request.tag, headers: [], payload: request.payload() ?? null })
  }

  #connect(): void {
    this.#connections += 1
    const connection = this.#connections
    this.#become("connecting")
    const isCurrent = () => this.#connections === connection && this.#status === "connecting"
    const granted = (token: string): void => {
      if (isCurrent()) this.#open(token)
    }
    const failed = (error: unknown): void => {
      if (!isCurrent()) return
      if (isFinal(error)) this.#refuse(error)
      else this.#retry("no token")
    }
    void this.#token().then(granted, failed)
  }

  async #token(): Promise<string> {
    const { token } = this.#options
    return typeof token === "string" ? token : token()
  }

  #open(token: string): void {
    const socket = this.#socketFor(token)
    if (socket === undefined) return
    this.#socket = socket
    this.#isOpen = false
    this.#heardAt = this.#platform.now()
    this.#watch()
    const ifCurrent = (use: () => void): void => {
      if (this.#socket === socket) use()
    }
    socket.addEventListener("open", () => ifCurrent(() => this.#opened(token)))
    socket.addEventListener("message", ({ data }) => ifCurrent(() => this.#hear(data)))
    socket.addEventListener("close", ({ code }) => ifCurrent(() => this.#closed(code)))
  }

  #socketFor(token: string): ClientSocket | undefined {
    const protocols = [FAST_LANE_PROTOCOL, ...(this.#isNamedLater ? [] : [TOKEN_PROTOCOL_PREFIX + token])]
    try {
      return new this.#platform.WebSocket(this.#url, protocols)
    } catch {
      this.#refuse(refusalOf({ code: "unauthorized", message: "The address or the token is not a valid one." }))
      return undefined
    }
  }

  #opened(token: string): void {
    this.#isOpen = true
    if (!this.#isNamedLater) return this.#begin()
    this.#authenticate(token, {
      onSuccess: () => this.#begin(),
      onFailure: (error) => (isFinal(error) ? this.#refuse(error) : this.#retry(error.message))
    })
  }

  /** Names the caller. */
  #authenticate(token: string, then: Pick<LaneRequest, "onSuccess" | "onFailure">): void {
    this.#transmit({
      tag: "authenticate",
      payload: () => ({ access_token: token }),
      onLost: () => false,
      ...then
    })
  }

  #begin(): void {
    this.#isNamedLater = false
    this.#become("live")
    if (this.#options.cancelOnDisconnect) this.#arm()
    if (typeof this.#options.token === "function") this.#renewLater()
    this.#flush()
  }

  /** Says that the end of this connection stops the company; again where the server refuses it for now. */
  #arm(): void {
    this.#transmit({
      tag: "cancelOnDisconnect",
      payload: () => ({ enabled: true }),
      onSuccess: () => {},
      onFailure: () => this.#after(ARM_AGAIN, () => this.#arm()),
      onLost: () => false
    })
  }

  /** What fails is tried again the next time, or by a new connection. */
  #renewLater(): void {
    this.#after(RENEW_EVERY, () => {
      const connection = this.#connections
      this.#renewLater()
      const renew = (token: string): void => {
        if (this.#connections === connection && this.#status === "live") this.#authenticate(token, UNHEARD)
      }
      void this.#token().then(renew, () => {})
    })
  }

  #hear(text: unknown): void {
    this.#heardAt = this.#platform.now()
    this.#backoff.succeeded()
    for (const message of messagesIn(text)) this.#take(message)
  }

  #take({ _tag: kind, defect, exit, requestId, values }: LaneMessage): void {
    if (kind === "Defect") return this.#retry(defect?.message ?? "the server failed")
    const request = requestId === undefined ? undefined : this.#underWay.get(requestId)
    if (request === undefined) return
    if (kind === "Chunk") return request.onChunk?.(values ?? [])
    if (kind !== "Exit" || exit === undefined) return
    this.#forget(request)
    if (exit._tag === "Success") request.onSuccess(exit.value)
    else request.onFailure(failureOf(exit.cause ?? []))
    this.#flush()
  }

  #closed(code: number): void {
    // Nothing tells why a connection was not opened: it is opened without the token, which is then named by a message.
    const isUntold = !this.#isOpen && !this.#isNamedLater
    this.#isNamedLater = isUntold
    if (!isUntold) return this.#retry(`closed with ${code}`, code)
    this.#disconnect()
    this.#connect()
  }

  #retry(why: string, code?: number): void {
    this.#disconnect()
    this.#become("waiting", why)
    this.#after(this.#backoff.next(code), () => this.#connect())
  }

  #refuse(error: ApiError): void {
    this.#disconnect()
    this.#isNamedLater = false
    this.#become("refused", error.message)
    this.#failAll(error)
  }

  /** What was under way is sent again before what waits, where it may be. */
  #disconnect(): void {
    const socket = this.#socket
    this.#socket = undefined
    this.#isOpen = false
    for (const callOff of this.#timers) callOff()
    this.#timers.clear()
    socket?.close(NORMAL)
    const waiting = [...this.#queue]
    const lost = [...this.#underWay.values()]
    this.#queue.clear()
    this.#underWay.clear()
    this.#ids.clear()
    for (const request of [...lost.filter((each) => each.onLost()), ...waiting]) this.#queue.add(request)
  }

  #failAll(error: Error): void {
    const waiting = [...this.#queue, ...this.#later.keys()]
    for (const callOff of this.#later.values()) callOff()
    this.#later.clear()
    this.#queue.clear()
    for (const request of waiting) request.onFailure(error)
  }

  /** A server that says nothing for too long is asked for a sign, then given up. */
  #watch(): void {
    this.#after(ASK_AFTER / 2, () => {
      const silence = this.#platform.now() - this.#heardAt
      if (silence >= GIVE_UP_AFTER) return this.#retry("silence")
      if (silence >= ASK_AFTER && this.#isOpen) this.#write({ _tag: "Ping" })
      this.#watch()
    })
  }

  /** Runs something later on this connection. */
  #after(millis: number, run: () => void): void {
    const callOff = this.#platform.after(millis, () => {
      this.#timers.delete(callOff)
      run()
    })
    this.#timers.add(callOff)
  }

  #become(status: LaneStatus, why?: string): void {
    this.#status = status
    this.#options.onStatus(status, why)
  }
}
