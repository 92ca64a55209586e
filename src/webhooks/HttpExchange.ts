import { Effect } from "effect"
import { request as plainRequest } from "node:http"
import type { ClientRequest, IncomingMessage } from "node:http"
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

/** One request and its answer. */
export class HttpExchange {
  readonly #url: URL
  readonly #sent: Sent
  readonly #agents: SendingAgents
  readonly #text = new AnswerText()
  #request: ClientRequest | undefined
  #response: IncomingMessage | undefined
  #retried = false

  constructor(url: URL, sent: Sent, agents: SendingAgents) {
    this.#url = url
    this.#sent = sent
    this.#agents = agents
  }

  /** Sends it. What fails is an answer too. An interruption closes the connection. */
  readonly run: Effect.Effect<Answered> = Effect.callback((resume) => {
    this.#start((answered) => resume(Effect.succeed(answered)))
    return Effect.sync(() => this.#request?.destroy())
  })

  /** The same, but with what has come after so many milliseconds at most. */
  within(millis: number): Effect.Effect<Answered> {
    const late = Effect.map(
      Effect.sleep(millis),
      () => this.soFar() ?? unanswered(`no answer within ${millis / 1_000} s`)
    )
    return Effect.raceFirst(this.run, late)
  }

  /** What has come of an answer that is not complete; undefined where none began. */
  soFar(): Answered | undefined {
    const response = this.#response
    if (response === undefined) return undefined
    const { statusCode = 0 } = response
    if (statusCode < MIN_STATUS) return unanswered("the answer is not HTTP")
    return { status: statusCode, error: errorOf(response), answer: this.#text.text() }
  }

  #start(done: (answered: Answered) => void): void {
    const { body, headers } = this.#sent
    const { hostname, pathname, port, protocol, search } = this.#url
    const options = {
      method: "POST",
      hostname: hostname.startsWith("[") ? hostname.slice(1, -1) : hostname,
      port,
      path: pathname + search,
      headers: { ...headers, "content-length": Buffer.byteLength(body) }
    }
    const request =
      protocol === "http:"
        ? plainRequest({ ...options, agent: this.#agents.plain })
        : secureRequest({ ...options, agent: this.#agents.secure })
    this.#request = request
    request.on("response", (response) => this.#read(response, done))
    request.on("upgrade", (response, socket) => {
      socket.destroy()
      done({ status: response.statusCode ?? SWITCHING, error: "the answer changes the protocol", answer: "" })
    })
    request.on("error", (error) => this.#failed(error, request.reusedSocket, done))
    // As text it leaves with the headers, in one piece.
    request.end(body)
  }

  #read(response: IncomingMessage, done: (answered: Answered) => void): void {
    this.#response = response
    const finish = () => done(this.soFar() ?? unanswered("the answer is not HTTP"))
    response.on("data", (bytes: Buffer) => {
      if (this.#text.take(bytes)) return
      finish()
      response.destroy()
    })
    response.on("close", finish)
    response.on("error", finish)
  }

  /** A connection that was kept may have been closed at its other end meanwhile: then it is sent on a new one. */
  #failed(error: Error, reused: boolean, done: (answered: Answered) => void): void {
    if (this.#response === undefined && !this.#retried && isStale(error, reused)) {
      this.#retried = true
      return this.#start(done)
    }
    done(this.soFar() ?? unanswered(failureText(error)))
  }
}
