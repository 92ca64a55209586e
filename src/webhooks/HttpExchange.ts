import { Effect } from "effect"
import { request as plainRequest } from "node:http"
import type { ClientRequest, IncomingMessage, RequestOptions } from "node:http"
import { request as secureRequest } from "node:https"
import { AnswerText } from "./AnswerText.ts"
import { failureText, isStale } from "./SendFailure.ts"
import type { SendingAgents } from "./SendingAgents.ts"

/** What an endpoint answered; status and answer are null where it did not. */
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

/** 101, for which Node gives no answer but its connection. */
const SWITCHING = 101

/** The least that a status can be. RFC 9110, 15. */
const MIN_STATUS = 100

const unanswered = (error: string): Answered => ({ status: null, error, answer: null })

const errorOf = ({ headers, statusCode = 0 }: IncomingMessage): string | null => {
  if (statusCode < 300 || statusCode >= 400 || headers.location === undefined) return null
  return `redirects are not followed; this one goes to ${headers.location.slice(0, MAX_TARGET)}`
}

/** Where requests go: what they have in common, read once. */
export interface ExchangeTarget {
  readonly request: typeof plainRequest
  readonly options: RequestOptions
}

export const exchangeTarget = (
  { hostname, pathname, port, protocol, search }: URL,
  agents: SendingAgents
): ExchangeTarget => ({
  request: protocol === "http:" ? plainRequest : secureRequest,
  options: {
    method: "POST",
    hostname: hostname.startsWith("[") ? hostname.slice(1, -1) : hostname,
    port,
    path: pathname + search,
    agent: protocol === "http:" ? agents.plain : agents.secure
  }
})

/** One request and its answer. */
export class HttpExchange {
  readonly #target: ExchangeTarget
  readonly #sent: Sent
  readonly #text = new AnswerText()
  #request: ClientRequest | undefined
  #response: IncomingMessage | undefined
  #retried = false
  #done: ((answered: Answered) => void) | undefined

  constructor(target: ExchangeTarget, sent: Sent) {
    this.#target = target
    this.#sent = sent
  }

  /** Sends it, and tells once what came of it. What fails is an answer too. */
  begin(done: (answered: Answered) => void): void {
    this.#done = done
    this.#start()
  }

  /** The same as an effect, with what has come after so many milliseconds at most. An interruption closes the connection. */
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

  /** Tells what has come until now, and closes the connection. */
  giveUp(millis: number): void {
    this.#end(this.soFar() ?? unanswered(`no answer within ${millis / 1_000} s`))
    this.#request?.destroy()
  }

  /** Closes the connection, and tells nothing. */
  stop(): void {
    this.#done = undefined
    this.#request?.destroy()
  }

  /** What has come of an answer that is not complete; undefined where none began. */
  soFar(): Answered | undefined {
    const response = this.#response
    if (response === undefined) return undefined
    const { statusCode = 0 } = response
    if (statusCode < MIN_STATUS) return unanswered("the answer is not HTTP")
    return { status: statusCode, error: errorOf(response), answer: this.#text.text() }
  }

  #end(answered: Answered): void {
    const done = this.#done
    this.#done = undefined
    done?.(answered)
  }

  #start(): void {
    const { body, headers } = this.#sent
    const { options, request: make } = this.#target
    const request = make({ ...options, headers: { ...headers, "content-length": Buffer.byteLength(body) } })
    this.#request = request
    request.on("response", (response) => this.#read(response))
    request.on("upgrade", (response, socket) => {
      socket.destroy()
      this.#end({ status: response.statusCode ?? SWITCHING, error: "the answer changes the protocol", answer: "" })
    })
    request.on("error", (error) => this.#failed(error, request.reusedSocket))
    // As text it leaves with the headers, in one piece.
    request.end(body)
  }

  #read(response: IncomingMessage): void {
    this.#response = response
    const finish = () => {
      if (this.#done !== undefined) this.#end(this.soFar() ?? unanswered("the answer is not HTTP"))
    }
    response.on("data", (bytes: Buffer) => {
      if (this.#text.take(bytes)) return
      finish()
      response.destroy()
    })
    response.on("close", finish)
    response.on("error", finish)
  }

  /** A connection that was kept may have been closed at its other end meanwhile: then it is sent on a new one. */
  #failed(error: Error, reused: boolean): void {
    if (this.#done === undefined) return
    if (this.#response === undefined && !this.#retried && isStale(error, reused)) {
      this.#retried = true
      return this.#start()
    }
    this.#end(this.soFar() ?? unanswered(failureText(error)))
  }
}
