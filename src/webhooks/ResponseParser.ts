import { createRequire } from "node:module"

/** The largest head of an answer, in bytes. */
const MAX_HEAD = 16_384

/** The statuses before the answer itself begin here, and end before {@link FIRST_FINAL}. RFC 9110, 15.2. */
const FIRST_INTERIM = 100
const SWITCHING = 101
const FIRST_FINAL = 200

/** The results of its callback for a message's head: whether to read a body, and that no more is parsed. */
const WITH_BODY = 0
const WITHOUT_BODY = 1
const NO_MORE = 2

type Headers = ReadonlyArray<string>

/** The parser of the runtime's own client, llhttp, which the types of `node:http` do not declare. */
interface RuntimeParser {
  readonly initialize: (type: number, resource: object, maxHead: number) => void
  /** How many bytes it took, or what is wrong with them. */
  readonly execute: (bytes: Uint8Array) => number | Error
  /** Takes the end of the connection. */
  readonly finish: () => Error | undefined
  [callback: number]: (...args: Array<never>) => number | void
}

interface RuntimeParsers {
  new (): RuntimeParser
  readonly RESPONSE: number
  readonly kOnMessageBegin: number
  readonly kOnHeaders: number
  readonly kOnHeadersComplete: number
  readonly kOnBody: number
  readonly kOnMessageComplete: number
}

const { HTTPParser } = createRequire(import.meta.url)("node:_http_common") as { readonly HTTPParser: RuntimeParsers }

/** Hears of the answers on one connection. */
export interface AnswerListener {
  /** An answer's head came; `location` is where a redirect goes. */
  readonly onHead: (status: number, location: string | undefined) => void
  /** A piece of its body, which may be kept. */
  readonly onBody: (bytes: Uint8Array) => void
}

const locationIn = (headers: Headers): string | undefined => {
  const index = headers.findIndex((name, at) => at % 2 === 0 && name.toLowerCase() === "location")
  return index === -1 ? undefined : headers[index + 1]
}

/** Where a connection stands after some bytes. */
export type AnswerState =
  /** More is awaited. */
  | "open"
  /** The answer is complete, and another request may be sent. */
  | "kept"
  /** The answer is complete, and nothing else will come. */
  | "last"

/** Reads the answers on one connection, one after the other: the requests wait for each other. RFC 9112. */
export class ResponseParser {
  readonly #parser: RuntimeParser
  #headers: Headers = []
  #isComplete = false
  #isKept = false
  /** The head of the answer itself came, not of an interim one. */
  #isFinal = false

  constructor({ onBody, onHead }: AnswerListener) {
    const parser = new HTTPParser()
    parser.initialize(HTTPParser.RESPONSE, {}, MAX_HEAD)
    parser[HTTPParser.kOnMessageBegin] = () => {
      // Another answer without a request.
      if (this.#isComplete) this.#isKept = false
    }
    parser[HTTPParser.kOnHeaders] = (headers: Headers) => {
      if (!this.#isFinal) this.#headers = [...this.#headers, ...headers]
    }
    parser[HTTPParser.kOnHeadersComplete] = (
      _major: number,
      _minor: number,
      headers: Headers | undefined,
      _method: undefined,
      _url: undefined,
      status: number,
      _text: string,
      _isUpgrade: boolean,
      isKept: boolean
    ) => {
      if (this.#isComplete) return NO_MORE
      const all = headers === undefined ? this.#headers : headers
      this.#headers = []
      if (status >= FIRST_INTERIM && status < FIRST_FINAL && status !== SWITCHING) return WITHOUT_BODY
      this.#isFinal = true
      this.#isKept = isKept && status !== SWITCHING
      onHead(status, locationIn(all))
      return status === SWITCHING ? NO_MORE : WITH_BODY
    }
    parser[HTTPParser.kOnBody] = (bytes: Uint8Array) => onBody(bytes)
    parser[HTTPParser.kOnMessageComplete] = () => {
      if (this.#isFinal) this.#isComplete = true
    }
    this.#parser = parser
  }

  /** Takes received bytes. Returns what is wrong with them if they are not HTTP. */
  take(bytes: Uint8Array): AnswerState | Error {
    const taken = this.#parser.execute(bytes)
    if (typeof taken !== "number") {
      // Bytes after an answer do not change it.
      return this.#isComplete ? "last" : taken
    }
    if (!this.#isComplete) return "open"
    return this.#isKept && taken === bytes.length ? "kept" : "last"
  }

  /** Takes the end of the connection, which is the end of an answer that does not say how long it is. */
  end(): AnswerState {
    this.#parser.finish()
    return this.#isComplete ? "last" : "open"
  }

  /** Awaits the answer to the next request. */
  next(): void {
    this.#isComplete = false
    this.#isFinal = false
  }
}
