/** How long a request's commits took, by their parts, in microseconds. The first four make up the request's time. */
export interface RequestPhases {
  /** From its arrival until it asked for its first commit, and between its commits: reading it, and checks. */
  readonly checks: number
  /** Until what was decided was sent to the journal. */
  readonly decision: number
  /** Until the request knew that it is durable. */
  readonly append: number
  /** Until it was answered. */
  readonly answer: number
  /** From when it was sent to the journal until the tables had it, beside the request. Undefined: not by the time that it was logged. */
  readonly projection: number | undefined
}

/** One HTTP request and how it was answered. */
export interface LoggedRequest {
  /** Grows with the time of the answer: its milliseconds since 1970, times {@link IDS_A_MILLISECOND}, plus what tells them apart. */
  readonly id: number
  /** `X-Request-Id`, which the caller may have chosen. */
  readonly requestId: string
  /** When it arrived, in milliseconds since 1970. */
  readonly at: number
  /** The caller's; undefined where nobody could tell who sent it. */
  readonly companyId: string | undefined
  readonly userId: string | undefined
  readonly clientId: string | undefined
  readonly address: string
  /** Method and the path's template, such as `GET /v1/funds/{id}`; without a template `unmatched` stands for it. */
  readonly operation: string
  /** As it was written, without the query. */
  readonly path: string
  /** Of a refused request, without secrets. */
  readonly query: string | undefined
  readonly status: number
  /** The code of a refusal. */
  readonly code: string | undefined
  readonly durationMicros: number
  /** The lengths of the bodies, where they are known. */
  readonly requestBytes: number | undefined
  readonly responseBytes: number | undefined
  /** 32 hexadecimal digits. */
  readonly traceId: string | undefined
  /** The body of a refused request as JSON without secrets, where it was read and is short. */
  readonly body: string | undefined
  /** The sequences of the events that it wrote. */
  readonly eventSeqs: ReadonlyArray<number>
  /** Undefined where it wrote nothing, or where its commits' times were forgotten. */
  readonly phases: RequestPhases | undefined
}

/** Ids that a millisecond has room for. An id stays below 2⁵³ until the year 2248. */
export const IDS_A_MILLISECOND = 1_024

/** The first id that a request can have that is answered at a time, in milliseconds since 1970. */
export const firstIdAt = (at: number): number => at * IDS_A_MILLISECOND
