/** An answer that is not a success, or none at all. Its message is the server's own sentence. */
export class Refused extends Error {
  /** The HTTP status; 0 where there was no answer. */
  readonly status: number
  /** The code of the catalogue, such as `not_found`; `unreachable` where there was no answer. */
  readonly code: string
  /** Quoted to have a failure looked up. */
  readonly requestId: string | undefined
  /** Seconds to wait before the same request may succeed. */
  readonly retryAfter: number | undefined

  constructor(status: number, code: string, message: string, requestId?: string, retryAfter?: number) {
    super(message)
    this.name = "Refused"
    this.status = status
    this.code = code
    this.requestId = requestId
    this.retryAfter = retryAfter
  }

  /** Whether the same request may succeed by being sent again. */
  get passes(): boolean {
    return this.status === 0 || this.status === 429 || this.status >= 500
  }
}

const unreachable = new Refused(0, "unreachable", "The server cannot be reached. Check the connection and try again.")

/** A failure as the person is told it. */
export const refusedBy = (error: unknown): Refused => (error instanceof Refused ? error : unreachable)

const textOf = (value: unknown, name: string): string | undefined => {
  if (typeof value !== "object" || value === null) return undefined
  const field = (value as Readonly<Record<string, unknown>>)[name]
  return typeof field === "string" ? field : undefined
}

const HEADER = /(?:the seconds in )?Retry-After/

/** A sentence that names a header, which nobody sees in a page, with what stands in it. */
const withSeconds = (sentence: string, seconds: number | undefined): string =>
  seconds === undefined ? sentence : sentence.replace(HEADER, seconds === 1 ? "1 second" : `${seconds} seconds`)

/** What an answer with a status of 400 or above says. */
export const refusalOf = (response: Response, body: unknown): Refused => {
  const retryAfter = Number(response.headers.get("retry-after")) || undefined
  return new Refused(
    response.status,
    textOf(body, "code") ?? "unknown",
    withSeconds(textOf(body, "message") ?? `The server answered ${response.status}.`, retryAfter),
    response.headers.get("x-request-id") ?? undefined,
    retryAfter
  )
}
