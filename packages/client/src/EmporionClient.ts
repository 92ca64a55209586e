import { ApiError, apiErrorOf, isPassing, NoAnswer } from "./ApiError.ts"
import { Backoff } from "./Backoff.ts"
import { type ClientPlatform, standardPlatform } from "./ClientPlatform.ts"
import { WITHOUT_KEY } from "./Contract.ts"
import { type CredentialOptions, Credentials } from "./Credentials.ts"
import {
  addressOf,
  type Asked,
  type ListOperation,
  type Operation,
  type RequestOf,
  type ResponseOf,
  type RowOf,
  rowsIn
} from "./Operation.ts"

/** How long one request may take, in milliseconds, and how often it is sent again. */
export const TIMEOUT = 30_000
export const RETRIES = 4

/** A server that asks for a longer wait than this, in seconds, is not waited for. */
export const LONGEST_RETRY_AFTER = 60

export interface EmporionOptions extends CredentialOptions {
  /** The server, such as `https://api.example.com`. */
  readonly url: string
  /** {@link TIMEOUT} by default. */
  readonly timeout?: number
  /** {@link RETRIES} by default. */
  readonly retries?: number
  readonly platform?: Partial<ClientPlatform>
}

/** What a caller may say of one call. */
export interface RequestOptions {
  /** Ends the call. What was sent may have happened all the same. */
  readonly signal?: AbortSignal
  /** For a POST: what it is made once under, within 24 hours. A new one for each call by default. */
  readonly idempotencyKey?: string
  readonly timeout?: number
  readonly retries?: number
}

/** An answer, and what its headers say. */
export interface Answered<Body> {
  readonly body: Body
  readonly status: number
  readonly headers: Headers
  readonly requestId: string | undefined
  /** Rows of the whole list. */
  readonly total: number | undefined
}

/** The request may be left out where the operation needs nothing of it. */
export type CallArguments<O extends Operation> =
  Readonly<Record<never, never>> extends RequestOf<O>
    ? [request?: RequestOf<O>, options?: RequestOptions]
    : [request: RequestOf<O>, options?: RequestOptions]

interface Sending {
  readonly operation: string
  readonly method: string
  readonly url: string
  readonly body: unknown
  readonly options: RequestOptions
}

const NEXT = /<([^>]*)>\s*;\s*rel="?next"?/

const bodyOf = async (response: Response): Promise<unknown> => {
  const text = await response.text()
  if (response.headers.get("content-type")?.includes("json") !== true) return text === "" ? undefined : text
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** The platform's REST operations, typed by its contract. */
export class EmporionClient {
  readonly #options: EmporionOptions
  readonly #platform: ClientPlatform
  readonly #credentials: Credentials

  constructor(options: EmporionOptions) {
    this.#options = options
    this.#platform = { ...standardPlatform(), ...options.platform }
    const send = (url: string, init: RequestInit) => this.#exchange(url, init, {})
    this.#credentials = new Credentials(options, options.url, send, this.#platform.now)
  }

  /** An access token that is valid for a while, such as for the stream and the fast lane. */
  readonly token = async (): Promise<string> => {
    const token = await this.#credentials.token()
    if (token === undefined) throw new Error("The client has neither a token nor an API client's credentials.")
    return token
  }

  /** Calls an operation, and answers its body. Rejects with {@link ApiError} or {@link NoAnswer}. */
  async call<O extends Operation>(operation: O, ...args: CallArguments<O>): Promise<ResponseOf<O>> {
    return (await this.#answered(operation, args)).body as ResponseOf<O>
  }

  /** The same with what the answer's headers say. */
  async ask<O extends Operation>(operation: O, ...args: CallArguments<O>): Promise<Answered<ResponseOf<O>>> {
    return (await this.#answered(operation, args)) as Answered<ResponseOf<O>>
  }

  /** Every page of a list, from the one that is asked for: nothing is doubled or missed while rows are added. */
  async *pages<O extends ListOperation>(operation: O, ...args: CallArguments<O>): AsyncGenerator<ResponseOf<O>> {
    const sending = this.#sending(operation, args)
    let { url } = sending
    for (;;) {
      const { body, headers } = await this.#repeated({ ...sending, url })
      yield body as ResponseOf<O>
      const next = NEXT.exec(headers.get("link") ?? "")?.[1]
      if (next === undefined) return
      url = new URL(next, url).href
    }
  }

  /** Every row of a list. */
  async *rows<O extends ListOperation>(operation: O, ...args: CallArguments<O>): AsyncGenerator<RowOf<O>> {
    for await (const page of this.pages(operation, ...args)) yield* rowsIn(page) as ReadonlyArray<RowOf<O>>
  }

  #answered(operation: string, args: ReadonlyArray<unknown>): Promise<Answered<unknown>> {
    return this.#repeated(this.#sending(operation, args))
  }

  #sending(operation: string, args: ReadonlyArray<unknown>): Sending {
    const [asked = {}, options = {}] = args as readonly [Asked?, RequestOptions?]
    const isKeyed = operation.startsWith("POST ") && !WITHOUT_KEY.some((each) => each === operation)
    const key = options.idempotencyKey ?? this.#platform.uuid()
    return {
      operation,
      ...addressOf(this.#options.url, operation, asked),
      body: asked.body,
      options: isKeyed ? { ...options, idempotencyKey: key } : options
    }
  }

  /** Sends until it is answered: under the same key each time, waiting longer each time, as long as the server asks. */
  async #repeated(sending: Sending): Promise<Answered<unknown>> {
    const { method, options } = sending
    const mayRepeat = method !== "POST" || options.idempotencyKey !== undefined
    const retries = options.retries ?? this.#options.retries ?? RETRIES
    const backoff = new Backoff(this.#platform.random)
    for (let attempt = 0; ; attempt++) {
      try {
        return await this.#authenticated(sending)
      } catch (error) {
        const wait = attempt < retries ? this.#waitAfter(error, mayRepeat) : undefined
        if (wait === undefined) throw error
        await this.#sleep(backoff.next(undefined, wait * 1000), options.signal)
      }
    }
  }

  /** Seconds that are waited at least before the same is sent again; undefined where it is not. */
  #waitAfter(error: unknown, mayRepeat: boolean): number | undefined {
    if (error instanceof NoAnswer) return mayRepeat ? 0 : undefined
    if (!(error instanceof ApiError)) return undefined
    const { code, retryAfter = 0, status } = error
    // The first request under the key is still running, and will be answered under it.
    const isRunning = code === "conflict" && error.retryAfter !== undefined
    const passes = status === 429 || (mayRepeat && (isPassing(error) || isRunning))
    return passes && retryAfter <= LONGEST_RETRY_AFTER ? retryAfter : undefined
  }

  /** A token that was refused is replaced once. */
  async #authenticated(sending: Sending): Promise<Answered<unknown>> {
    const token = await this.#credentials.token()
    try {
      return await this.#sent(sending, token)
    } catch (error) {
      const isStale = error instanceof ApiError && error.status === 401 && token !== undefined
      if (!isStale || !this.#credentials.isRenewable) throw error
      this.#credentials.forget(token)
      return this.#sent(sending, await this.#credentials.token())
    }
  }

  async #sent({ body, method, options, url }: Sending, token: string | undefined): Promise<Answered<unknown>> {
    const { idempotencyKey: key } = options
    const answer = await this.#exchange(
      url,
      {
        method,
        headers: {
          ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
          ...(body === undefined ? {} : { "content-type": "application/json" }),
          ...(key === undefined ? {} : { "idempotency-key": key })
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) })
      },
      options
    )
    const { headers, status } = answer.response
    if (!answer.response.ok) throw apiErrorOf(answer.response, answer.body)
    const total = headers.get("x-total-count")
    return {
      body: answer.body,
      status,
      headers,
      requestId: headers.get("x-request-id") ?? undefined,
      total: total === null ? undefined : Number(total)
    }
  }

  /** One request and its answer, read within the time it may take. */
  async #exchange(url: string, init: RequestInit, { signal, timeout }: RequestOptions) {
    signal?.throwIfAborted()
    const abort = new AbortController()
    const abandon = (): void => abort.abort(signal?.reason)
    const millis = timeout ?? this.#options.timeout ?? TIMEOUT
    let isLate = false
    const callOff = this.#platform.after(millis, () => {
      isLate = true
      abort.abort()
    })
    signal?.addEventListener("abort", abandon)
    try {
      const response = await this.#platform.fetch(url, { ...init, signal: abort.signal })
      return { response, body: await bodyOf(response) }
    } catch (cause) {
      if (isLate) throw new NoAnswer("timeout", `No answer within ${millis} ms.`, cause)
      if (signal?.aborted === true) throw signal.reason
      throw new NoAnswer("unreachable", "The server cannot be reached.", cause)
    } finally {
      callOff()
      signal?.removeEventListener("abort", abandon)
    }
  }

  #sleep(millis: number, signal: AbortSignal | undefined): Promise<void> {
    return new Promise((resolve, reject) => {
      const abandon = (): void => {
        callOff()
        reject(signal?.reason)
      }
      const callOff = this.#platform.after(millis, () => {
        signal?.removeEventListener("abort", abandon)
        resolve()
      })
      signal?.addEventListener("abort", abandon, { once: true })
    })
  }
}
