import { Effect } from "effect"
import { ResponseText } from "./ResponseText.ts"
import { failureText, isStale } from "./SendFailure.ts"
import type { ConnectionUser, SendingConnection } from "./SendingConnection.ts"
import type { Origin, SendingConnections } from "./SendingConnections.ts"

/** An endpoint's answer; status and answer are null if there was none. */
export interface Answered {
  readonly status: number | null
  readonly error: string | null
  readonly answer: string | null
}

interface Sent {
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/** Longest part of a redirect's target that is told, in characters. */
const MAX_TARGET = 200

/** 101, after which the connection speaks another protocol. */
const SWITCHING = 101

/** The least that a status can be. RFC 9110, 15. */
const MIN_STATUS = 100

const unanswered = (error: string): Answered => ({ status: null, error, answer: null })

const errorOf = (status: number, location: string | undefined): string | null =>
  status < 300 || status >= 400 || location === undefined
    ? null
    : `redirects are not followed; this one goes to ${location.slice(0, MAX_TARGET)}`

/** The target of requests: their common parts, made once. */
export interface ExchangeTarget {
  readonly connections: SendingConnections
  readonly origin: Origin
  /** The request's first lines. */
  readonly head: string
}

/** A URL as the standard reads it has no character that could end a line. */
export const exchangeTarget = (url: URL, connections: SendingConnections): ExchangeTarget => ({
  connections,
  origin: connections.origin(url),
  head: `POST ${url.pathname}${url.search} HTTP/1.1\r\nhost: ${url.host}\r\nconnection: keep-alive\r\n`
})

/** The request as it is sent, in one piece. Headers are the program's own, and have no line ends. */
const requestOf = (head: string, { body, headers }: Sent): string => {
  let lines = head
  for (const name in headers) lines += `${name}: ${headers[name]}\r\n`
  return `${lines}content-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`
}

/** One request and its answer. */
export class HttpExchange implements ConnectionUser {
  readonly #target: ExchangeTarget
  readonly #sent: Sent
  readonly #text = new ResponseText()
  #connection: SendingConnection | undefined
  #status: number | undefined
  #location: string | undefined
  #retried = false
  #done: ((answered: Answered) => void) | undefined

  constructor(target: ExchangeTarget, sent: Sent) {
    this.#target = target
    this.#sent = sent
  }

  /** Sends it, and reports its outcome once. A failure is an outcome too. */
  begin(done: (answered: Answered) => void): void {
    this.#done = done
    this.#start()
  }

  /**
   * The same as an effect. After so many milliseconds it gives what has come until then. An interruption closes the
   * connection.
   */
  within(millis: number): Effect.Effect<Answered> {
    const late = Effect.andThen(
      Effect.sleep(millis),
      Effect.sync(() => this.giveUp(millis))
    )
    const run = Effect.callback<Answered>((resume) => {
      this.begin((answered) => resume(Effect.succeed(answered)))
      return Effect.sync(() => this.stop())
    })
    return Effect.raceFirst(run, Effect.andThen(late, Effect.never))
  }

  /** Reports what has come until now, and closes the connection. */
  giveUp(millis: number): void {
    this.#cutOff(this.soFar() ?? unanswered(`no answer within ${millis / 1_000} s`))
  }

  /** Closes the connection, and reports nothing. */
  stop(): void {
    this.#done = undefined
    this.#connection?.destroy()
    this.#connection = undefined
  }

  /** The received part of an incomplete answer; undefined if none began. */
  soFar(): Answered | undefined {
    const status = this.#status
    if (status === undefined) return undefined
    if (status < MIN_STATUS) return unanswered("the answer is not HTTP")
    return { status, error: errorOf(status, this.#location), answer: this.#text.text() }
  }

  onHead(status: number, location: string | undefined): void {
    this.#status = status
    this.#location = location
    if (status === SWITCHING) this.#cutOff({ status, error: "the answer changes the protocol", answer: "" })
  }

  onBody(bytes: Uint8Array): void {
    if (!this.#text.take(bytes)) this.#finish()
  }

  onEnd(): void {
    this.#connection = undefined
    this.#finish()
  }

  /** The other end may have closed a kept connection meanwhile: then the request is sent on a new one. */
  onFailure(error: Error): void {
    const isReused = this.#connection?.isReused === true
    this.#connection = undefined
    if (this.#status === undefined && !this.#retried && isStale(error, isReused)) {
      this.#retried = true
      return this.#start()
    }
    this.#cutOff(this.soFar() ?? unanswered(failureText(error)))
  }

  #start(): void {
    const { connections, head, origin } = this.#target
    const connection = this.#retried ? connections.open(origin) : connections.take(origin)
    this.#connection = connection
    connection.send(requestOf(head, this.#sent), this)
  }

  #finish(): void {
    this.#cutOff(this.soFar() ?? unanswered("the answer is not HTTP"))
  }

  /** Reports the outcome. A connection with more to come is closed. */
  #cutOff(answered: Answered): void {
    const done = this.#done
    this.stop()
    done?.(answered)
  }
}
